#ifndef BENCH_H
#define BENCH_H
#include <stddef.h>
#include <stdint.h>

/// Blocks of memory that this thread has asked for since it began.
uint64_t bench_allocations(void);

/// Seconds of processor time that this process has used.
double bench_cpu_seconds(void);
/// Seconds on a clock that only goes forward.
double bench_wall_seconds(void);

/// Bytes of memory that this process keeps resident.
double bench_resident_bytes(void);
/// Writes a line with two numbers to standard output.
void bench_answer(double first, double second);

/// A child process with its standard input and output.
struct bench_child {
    int process;
    int input;
    int output;
};

/// Starts a program with arguments that end with NULL; 0, or an errno. `quiet` sends what it says nowhere.
int bench_start(const char *const *arguments, int quiet, struct bench_child *child);
/// Gives it a line and reads up to two numbers from its answer; how many came, or -1 where it is gone.
int bench_ask(const struct bench_child *child, const char *line, double *first, double *second);
/// Ends it and waits for that.
void bench_end(struct bench_child *child);

/// A port of 127.0.0.1 that nobody listens on at this moment, or 0.
int bench_free_port(void);
/// Whether a file is there.
int bench_exists(const char *path);
/// Writes a file; 0, or -1.
int bench_write(const char *path, const uint8_t *bytes, size_t count);
/// Waits until a descriptor can be read, at most so many milliseconds.
void bench_wait_readable(int descriptor, int milliseconds);
#endif
