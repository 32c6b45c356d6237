// A publisher and a subscriber by libmosquitto alone, each with its own thread: bare-pair PORT PAYLOAD_BYTES.
// For each line `go N` on standard input N messages of QoS 0 go through the broker; it answers with messages a second
// of wall time and microseconds of processor time a message.
#include <mosquitto.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_long received;
static atomic_int ready;

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)client, (void)context, (void)message;
    atomic_fetch_add_explicit(&received, 1, memory_order_relaxed);
}

static void on_subscribe(struct mosquitto *client, void *context, int id, int count, const int *granted) {
    (void)client, (void)context, (void)id, (void)count, (void)granted;
    atomic_store(&ready, 1);
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    int port = atoi(arguments[1]), size = atoi(arguments[2]);
    char *payload = malloc((size_t)size);
    memset(payload, 'x', (size_t)size);
    mosquitto_lib_init();
    struct mosquitto *subscriber = mosquitto_new("bare-subscriber", true, NULL);
    struct mosquitto *publisher = mosquitto_new("bare-publisher", true, NULL);
    mosquitto_message_callback_set(subscriber, on_message);
    mosquitto_subscribe_callback_set(subscriber, on_subscribe);
    for (int attempt = 0; mosquitto_connect(subscriber, "127.0.0.1", port, 30) != 0; attempt++) {
        if (attempt == 100) return 1;
        usleep(50000);
    }
    if (mosquitto_connect(publisher, "127.0.0.1", port, 30) != 0) return 1;
    mosquitto_loop_start(subscriber);
    mosquitto_loop_start(publisher);
    mosquitto_subscribe(subscriber, NULL, "bare/windows/+/+/+", 0);
    while (!atomic_load(&ready)) usleep(1000);

    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long messages = strncmp(line, "go ", 3) == 0 ? atol(line + 3) : 0, published = 0;
        atomic_store(&received, 0);
        double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        while (atomic_load_explicit(&received, memory_order_relaxed) < messages) {
            if (seconds(CLOCK_MONOTONIC) - wall > 60) return 1;
            while (published < messages && published - atomic_load(&received) < 2000) {
                char topic[96];
                snprintf(topic, sizeof topic, "bare/windows/0a/beacon-%ld/kitchen", published % 500);
                if (mosquitto_publish(publisher, NULL, topic, size, payload, 0, false) != 0) return 1;
                published++;
            }
            usleep(200);
        }
        wall = seconds(CLOCK_MONOTONIC) - wall;
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        printf("%f %f\n", (double)messages / wall, cpu / (double)messages * 1e6);
        fflush(stdout);
    }
    return 0;
}
