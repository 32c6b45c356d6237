// Starting a program that has none of our rights. posix_spawn(3) can't take capabilities from the child alone, and what
// runs between fork and exec must call nothing but the kernel: that is why this is C.
#ifndef WHEREABOUTS_CHILD_H
#define WHEREABOUTS_CHILD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// pidfd_open(2), which closes on exec by itself.
static inline int wb_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// A pipe whose ends close on exec (pipe2(2)).
static inline int wb_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

/// A file in memory that closes on exec (memfd_create(2)).
static inline int wb_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC);
}

/// The status of a child that has ended, as waitpid(2) gives it; -1 while it runs, -2 where it isn't ours any more.
static inline int wb_reap(pid_t process) {
    int status = 0;
    pid_t ended;
    do { ended = waitpid(process, &status, WNOHANG); } while (ended < 0 && errno == EINTR);
    return ended == process ? status : ended == 0 ? -1 : -2;
}

/// Takes every capability from the calling thread, and every way to new ones: ambient (capabilities(7)), inheritable,
/// permitted and effective sets empty, no gain by set-user-ID programs or file capabilities (PR_SET_NO_NEW_PRIVS), and
/// where it is root an empty bounding set, since root's exec would fill the others from it. 0, or -1 with errno.
static inline int wb_drop_capabilities(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL) return -1;
    for (int capability = 0; capability < 64; capability++) {
        int held = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
        if (held < 0) break;
        // Without CAP_SETPCAP it stays, and can give nothing: only root's exec and file capabilities take from it.
        if (held > 0 && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && geteuid() == 0) return -1;
    }
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    return (int)syscall(SYS_capset, &header, none);
}

/// Whether the calling thread may use a capability (capget(2)): 1, 0, or -1 with errno.
static inline int wb_has_capability(int capability) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, held) < 0) return -1;
    return (int)(held[capability / 32].effective >> (capability % 32) & 1);
}

/// Keeps the calling thread and all that it starts in their process group and session (seccomp(2)): what turns itself into
/// a daemon would outlive its limit. setsid(2) and setpgid(2) fail with EPERM. A kernel without filters goes without.
static inline void wb_keep_group(void) {
#if defined(__x86_64__)
    const unsigned machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    const unsigned machine = AUDIT_ARCH_AARCH64;
#elif defined(__arm__)
    const unsigned machine = AUDIT_ARCH_ARM;
#else
    const unsigned machine = 0;
#endif
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpgid, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

static inline void wb_child(const char *path, char *const *arguments, char *const *environment, int input, int output,
                            int report) __attribute__((noreturn));
static inline void wb_child(const char *path, char *const *arguments, char *const *environment, int input, int output,
                            int report) {
    int code;
    sigset_t none;
    // The kernel's struct sigaction, all zero: SIG_DFL. The library's call would leave out the signals it keeps for itself.
    const long standard[8] = {0};
    for (int number = 1; number < NSIG; number++) syscall(SYS_rt_sigaction, number, standard, NULL, 8);
    // A group and a session of its own: no terminal, and one number to end all of it by.
    if (setsid() < 0) goto failed;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) goto failed;
    // Everything else closes at exec, whoever opened it and however.
    if (syscall(SYS_close_range, 3, ~0U, 1U << 2 /* CLOSE_RANGE_CLOEXEC */) < 0) goto failed;
    if (chdir("/") < 0) goto failed;
    umask(077);
    if (wb_drop_capabilities() < 0) goto failed;
    wb_keep_group();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
failed:
    code = errno;
    (void)!write(report, &code, sizeof code);
    _exit(127);
}

/// Starts a program: its own session and process group, standard input from `input`, both outputs to `output` (all three
/// descriptors 3 or above), no other descriptor, no blocked or ignored signal, no capability, folder `/`. Gives its
/// process id once the program runs, or the negative errno of what failed. Blocks for the time of a fork and an exec.
static inline int wb_start(const char *path, char *const *arguments, char *const *environment, int input, int output) {
    int report[2];
    int code = 0;
    sigset_t all, before;
    pid_t process;
    if (pipe2(report, O_CLOEXEC) < 0) return -errno;
    sigfillset(&all);
    // No handler of ours may run in the child.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    process = fork();
    if (process == 0) wb_child(path, arguments, environment, input, output, report[1]);
    code = process < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (process > 0) {
        ssize_t count;
        do { count = read(report[0], &code, sizeof code); } while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof code) code = 0;
        if (code != 0) { while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {} }
    }
    close(report[0]);
    return code != 0 ? -code : process;
}

#endif
