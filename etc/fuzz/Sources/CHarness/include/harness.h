#ifndef HARNESS_H
#define HARNESS_H
#include <stddef.h>
#include <stdint.h>

/// Replaces what a file in memory holds, and goes to its beginning; the descriptor, or -1. One file a process.
int harness_file(const uint8_t *bytes, size_t count);

/// What runs now; a signal that ends the process prints it first.
void harness_running(const char *parser, uint64_t seed, uint64_t execution);

/// Prints what runs when a trap or a bad access ends the process.
void harness_watch(void);

/// Seconds of processor time that this process has used.
double harness_cpu_seconds(void);

/// Names of the regular files of a folder, one after another, by `next`; NULL at the end.
void *harness_folder_open(const char *path);
const char *harness_folder_next(void *folder);
void harness_folder_close(void *folder);

/// Reads up to `room` bytes of a file; how many, or -1.
long harness_read(const char *path, uint8_t *bytes, size_t room);
/// Writes a file; 0, or -1.
int harness_write(const char *path, const uint8_t *bytes, size_t count);
#endif
