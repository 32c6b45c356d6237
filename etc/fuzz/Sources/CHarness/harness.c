#define _GNU_SOURCE
#include "harness.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int harness_file(const uint8_t *bytes, size_t count) {
    static int file = -1;
    if (file < 0) file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0) return -1;
    if (count > 0 && pwrite(file, bytes, count, 0) != (ssize_t)count) return -1;
    return lseek(file, 0, SEEK_SET) == 0 ? file : -1;
}

static char running_parser[32];
static volatile uint64_t running_seed, running_execution;

void harness_running(const char *parser, uint64_t seed, uint64_t execution) {
    if (strcmp(running_parser, parser) != 0) {
        memset(running_parser, 0, sizeof running_parser);
        strncpy(running_parser, parser, sizeof running_parser - 1);
    }
    running_seed = seed;
    running_execution = execution;
}

static void put(const char *text) {
    if (write(2, text, strlen(text)) < 0) return;
}

static void put_number(uint64_t number) {
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put(digits + at);
}

static void ended(int signal_number) {
    put("\n*** crashed; see it again with: etc/fuzz/mutate --parser ");
    put(running_parser);
    put(" --seed ");
    put_number(running_seed);
    put(" --only ");
    put_number(running_execution);
    put(" --save FILE\n");
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void harness_watch(void) {
    const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    struct sigaction action = {.sa_handler = ended, .sa_flags = SA_NODEFER};
    for (size_t index = 0; index < sizeof signals / sizeof signals[0]; index++)
        sigaction(signals[index], &action, NULL);
}

double harness_cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void *harness_folder_open(const char *path) { return opendir(path); }

const char *harness_folder_next(void *folder) {
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.') return entry->d_name;
    return NULL;
}

void harness_folder_close(void *folder) { closedir(folder); }

long harness_read(const char *path, uint8_t *bytes, size_t room) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    long count = read(file, bytes, room);
    close(file);
    return count;
}

int harness_write(const char *path, const uint8_t *bytes, size_t count) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) return -1;
    int result = write(file, bytes, count) == (ssize_t)count ? 0 : -1;
    close(file);
    return result;
}
