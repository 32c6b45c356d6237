#define _GNU_SOURCE
#include "bench.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double bench_cpu_seconds(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
double bench_wall_seconds(void) { return seconds(CLOCK_MONOTONIC); }

double bench_resident_bytes(void) {
    unsigned long whole = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%lu %lu", &whole, &resident) != 2) resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

void bench_answer(double first, double second) {
    printf("%.9g %.9g\n", first, second);
    fflush(stdout);
}

int bench_start(const char *const *arguments, int quiet, struct bench_child *child) {
    int in[2], out[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (quiet) posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    int code = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (code != 0) {
        close(in[1]);
        close(out[0]);
        return code;
    }
    *child = (struct bench_child){process, in[1], out[0]};
    return 0;
}

int bench_ask(const struct bench_child *child, const char *line, double *first, double *second) {
    char answer[256];
    size_t length = 0;
    if (write(child->input, line, strlen(line)) != (ssize_t)strlen(line)) return -1;
    while (length + 1 < sizeof answer) {
        if (read(child->output, answer + length, 1) != 1) return -1;
        if (answer[length++] == '\n') break;
    }
    answer[length] = 0;
    return sscanf(answer, "%lf %lf", first, second);
}

void bench_end(struct bench_child *child) {
    if (child->process <= 0) return;
    close(child->input);
    close(child->output);
    kill(child->process, SIGTERM);
    waitpid(child->process, NULL, 0);
    child->process = 0;
}

int bench_free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int port = 0, descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(descriptor, (struct sockaddr *)&address, length) == 0 &&
        getsockname(descriptor, (struct sockaddr *)&address, &length) == 0)
        port = ntohs(address.sin_port);
    close(descriptor);
    return port;
}

int bench_exists(const char *path) { return access(path, R_OK) == 0; }

int bench_write(const char *path, const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "we");
    if (!file) return -1;
    size_t written = fwrite(bytes, 1, count, file);
    return fclose(file) == 0 && written == count ? 0 : -1;
}

void bench_wait_readable(int descriptor, int milliseconds) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    poll(&one, 1, milliseconds);
}
