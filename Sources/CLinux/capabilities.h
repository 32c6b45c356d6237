// What a process may do beyond its user's rights (capabilities(7)), for which the C library has no calls.
#ifndef WHEREABOUTS_CAPABILITIES_H
#define WHEREABOUTS_CAPABILITIES_H

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Keeps of the calling thread's capabilities those of a mask, for itself alone: what it starts inherits none, and can't
/// gain any by the file that it runs where this thread may rule that (CAP_SETPCAP). 0, or -1 with errno.
static inline int wb_keep_capabilities(uint64_t mask) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL) return -1;
    for (int capability = 0; capability < 64; capability++) {
        if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) < 0) break;
        (void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
    if (syscall(SYS_capget, &header, sets) < 0) return -1;
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) {
        uint32_t kept = (uint32_t)(mask >> (32 * half));
        sets[half].permitted &= kept;
        sets[half].effective = sets[half].permitted;
        sets[half].inheritable = 0;
    }
    return (int)syscall(SYS_capset, &header, sets);
}

#endif
