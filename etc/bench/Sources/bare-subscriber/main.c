// A subscriber by libmosquitto alone, which counts: bare-subscriber PORT FILTER [FILTER ...]
// It prints `ready` when the broker has granted all, and then, for each line on standard input, the messages so far, the
// most of any second that has passed since the last line, and the seconds of processor time that it has taken. Retained
// messages do not count: they were published before.
#include <mosquitto.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_long received, most;
static atomic_int granted;
static long second, in_second;

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)client, (void)context;
    if (message->retain) return;
    atomic_fetch_add_explicit(&received, 1, memory_order_relaxed);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec != second) second = now.tv_sec, in_second = 0;
    if (++in_second > atomic_load_explicit(&most, memory_order_relaxed)) atomic_store(&most, in_second);
}

static void on_subscribe(struct mosquitto *client, void *context, int id, int count, const int *levels) {
    (void)client, (void)context, (void)id, (void)count, (void)levels;
    atomic_fetch_add(&granted, 1);
}

static char **filters;
static int filter_count;

static void on_connect(struct mosquitto *client, void *context, int status) {
    (void)context;
    if (status != 0) exit(1);
    for (int index = 0; index < filter_count; index++) mosquitto_subscribe(client, NULL, filters[index], 0);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    filters = arguments + 2, filter_count = count - 2;
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new("bare-subscriber", true, NULL);
    mosquitto_message_callback_set(client, on_message);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_connect_callback_set(client, on_connect);
    if (mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60) != 0) return 1;
    mosquitto_loop_start(client);
    while (atomic_load(&granted) < filter_count) usleep(1000);
    printf("ready\n");
    fflush(stdout);
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        struct timespec cpu;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
        printf("%ld %ld %.3f\n", atomic_load(&received), atomic_exchange(&most, 0),
               (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9);
        fflush(stdout);
    }
    return 0;
}
