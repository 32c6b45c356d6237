// The kernel's HCI sockets as libbluetooth's headers declare them, and what Swift can't say of them: requests that are
// macros, ancillary data, and many messages in one call.
#ifndef WHEREABOUTS_BLUETOOTH_H
#define WHEREABOUTS_BLUETOOTH_H

#include <errno.h>
#include <linux/sock_diag.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

/// A socket on a channel of an adapter (HCI_DEV_NONE for none), which never blocks; or a negative errno.
static inline int wb_hci_open(uint16_t adapter, uint16_t channel) {
    struct sockaddr_hci address;
    int code, number = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
    if (number < 0) return -errno;
    memset(&address, 0, sizeof address);
    address.hci_family = AF_BLUETOOTH;
    address.hci_dev = adapter;
    address.hci_channel = channel;
    if (bind(number, (struct sockaddr *)&address, sizeof address) == 0) return number;
    code = errno;
    close(number);
    return -code;
}

/// A socket for the requests below; or a negative errno.
static inline int wb_hci_control(void) {
    int number = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
    return number < 0 ? -errno : number;
}

/// Lets only so many kinds of events pass, of all opcodes (HCI_FILTER), and asks for times (HCI_TIME_STAMP). 0, or a negative errno.
static inline int wb_hci_filter(int number, const uint8_t *events, int count) {
    struct hci_filter filter;
    int on = 1;
    hci_filter_clear(&filter);
    hci_filter_set_ptype(HCI_EVENT_PKT, &filter);
    for (int index = 0; index < count; index++) hci_filter_set_event(events[index], &filter);
    if (setsockopt(number, SOL_HCI, HCI_FILTER, &filter, sizeof filter) < 0) return -errno;
    if (setsockopt(number, SOL_HCI, HCI_TIME_STAMP, &on, sizeof on) < 0) return -errno;
    return 0;
}

/// Asks for times on a user channel, which has neither filter nor HCI_TIME_STAMP (SO_TIMESTAMP). 0, or a negative errno.
static inline int wb_hci_stamp(int number) {
    int on = 1;
    return setsockopt(number, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on) < 0 ? -errno : 0;
}

/// The bytes that the receive buffer has then: beyond net.core.rmem_max with CAP_NET_ADMIN (SO_RCVBUFFORCE) only.
static inline int wb_hci_buffer(int number, int bytes) {
    int got = 0;
    socklen_t length = sizeof got;
    if (setsockopt(number, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
        (void)setsockopt(number, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    return getsockopt(number, SOL_SOCKET, SO_RCVBUF, &got, &length) < 0 ? -errno : got;
}

/// How many packets found the receive buffer full (SO_MEMINFO, Linux 4.12); -1 where the kernel doesn't tell.
static inline int64_t wb_hci_drops(int number) {
    uint32_t figures[SK_MEMINFO_VARS];
    socklen_t length = sizeof figures;
    if (getsockopt(number, SOL_SOCKET, SO_MEMINFO, figures, &length) < 0) return -1;
    return length >= (SK_MEMINFO_DROPS + 1) * sizeof figures[0] ? (int64_t)figures[SK_MEMINFO_DROPS] : -1;
}

/// The microseconds since 1970 that came with a packet; 0 for none.
static inline int64_t wb_hci_time(struct msghdr *message) {
    struct cmsghdr *part;
    for (part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        int is_raw = part->cmsg_level == SOL_HCI && part->cmsg_type == HCI_CMSG_TSTAMP;
        int is_user = part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_TIMESTAMP;
        if (!is_raw && !is_user) continue;
        // struct timeval of the kernel: two longs, whatever the C library's time_t is.
        if (part->cmsg_len == CMSG_LEN(16)) {
            int64_t moment[2];
            memcpy(moment, CMSG_DATA(part), sizeof moment);
            return moment[0] * 1000000 + moment[1];
        }
        if (part->cmsg_len == CMSG_LEN(8)) {
            int32_t moment[2];
            memcpy(moment, CMSG_DATA(part), sizeof moment);
            return (int64_t)moment[0] * 1000000 + moment[1];
        }
    }
    return 0;
}

#define WB_BATCH 32

/// struct mmsghdr of recvmmsg(2), which the C library shows with extensions that Swift's Glibc module is built without.
struct wb_message {
    struct msghdr msg_hdr;
    unsigned int msg_len;
};

/// Takes up to WB_BATCH packets that wait, each into `stride` bytes of `room`, and gives their lengths and times. How many
/// there were, or a negative errno.
static inline int wb_hci_receive(int number, uint8_t *room, size_t stride, int32_t *lengths, int64_t *times) {
    struct wb_message messages[WB_BATCH];
    struct iovec places[WB_BATCH];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(16) + CMSG_SPACE(sizeof(int))];
    } ancillary[WB_BATCH];
    int count;
    for (int index = 0; index < WB_BATCH; index++) {
        places[index].iov_base = room + (size_t)index * stride;
        places[index].iov_len = stride;
        memset(&messages[index], 0, sizeof messages[index]);
        messages[index].msg_hdr.msg_iov = &places[index];
        messages[index].msg_hdr.msg_iovlen = 1;
        messages[index].msg_hdr.msg_control = &ancillary[index];
        messages[index].msg_hdr.msg_controllen = sizeof ancillary[index];
    }
    do {
        count = (int)syscall(SYS_recvmmsg, number, messages, WB_BATCH, MSG_DONTWAIT, NULL);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    for (int index = 0; index < count; index++) {
        lengths[index] = (int32_t)messages[index].msg_len;
        times[index] = wb_hci_time(&messages[index].msg_hdr);
    }
    return count;
}

/// The numbers of all adapters (HCIGETDEVLIST), at most HCI_MAX_DEV; how many there are, or a negative errno.
static inline int wb_hci_list(int control, uint16_t *adapters) {
    struct {
        struct hci_dev_list_req head;
        struct hci_dev_req list[HCI_MAX_DEV];
    } request;
    memset(&request, 0, sizeof request);
    request.head.dev_num = HCI_MAX_DEV;
    if (ioctl(control, HCIGETDEVLIST, &request) < 0) return -errno;
    for (int index = 0; index < request.head.dev_num; index++) adapters[index] = request.list[index].dev_id;
    return request.head.dev_num;
}

/// What the kernel knows of an adapter (HCIGETDEVINFO). 0, or a negative errno.
static inline int wb_hci_info(int control, uint16_t adapter, struct hci_dev_info *info) {
    memset(info, 0, sizeof *info);
    info->dev_id = adapter;
    return ioctl(control, HCIGETDEVINFO, info) < 0 ? -errno : 0;
}

/// HCIDEVUP, HCIDEVDOWN and HCIDEVRESET, in this order from 0. They block until the controller has answered all that the
/// kernel asks of it, 10 s and more with one that hangs. 0, or a negative errno.
static inline int wb_hci_lift(int control, uint16_t adapter, int request) {
    static const unsigned long requests[] = {HCIDEVUP, HCIDEVDOWN, HCIDEVRESET};
    return ioctl(control, requests[request], (unsigned long)adapter) < 0 ? -errno : 0;
}

#endif
