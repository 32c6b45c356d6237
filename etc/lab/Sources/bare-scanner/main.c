/* The least that a program needs to hear LE advertisements through libbluetooth: what the agent's cost is measured against.
 *
 *   bare-scanner [-i INDEX] [-x] [-d] [-p] [-u] [-s SECONDS] [-b BYTES]
 *     -x extended commands   -d duplicate filter on   -p print each report   -b receive buffer (default 1 MiB)
 *     -u hears nothing but holds the adapter, which must be down, by its user channel
 *
 * Ends after SECONDS (default 10) or by SIGTERM and prints, a line each: reports, events, user_s, system_s, resident_kib.
 * Ends with 1 and the reason where a command is refused or the adapter is lost; its counts come first. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

enum { LEGACY_REPORT = 0x02, EXTENDED_REPORT = 0x0D, ANSWER_LIMIT_MS = 2000 };
static volatile sig_atomic_t ended;
static unsigned long reports, events;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* A command and its answer; false, with errno set, where there is none or it is a refusal. */
static int command(int device, uint16_t ocf, void *parameters, int length) {
    uint8_t status = 0xFF;
    struct hci_request request = {.ogf = OGF_LE_CTL, .ocf = ocf, .cparam = parameters, .clen = length,
                                  .rparam = &status, .rlen = 1};
    if (hci_send_req(device, &request, ANSWER_LIMIT_MS) < 0) return 0;
    if (status) fprintf(stderr, "command 0x%04x: status 0x%02x\n", OGF_LE_CTL << 10 | ocf, status);
    if (status) errno = EIO;
    return status == 0;
}

static int begin(int device, int extended, int filter) {
    uint8_t timing[] = {0, 0x10, 0, 0x10, 0, 0, 0}, enable[] = {1, filter};
    uint8_t extendedTiming[] = {0, 0, 1, 0, 0x10, 0, 0x10, 0}, extendedEnable[] = {1, filter, 0, 0, 0, 0};
    if (extended)
        return command(device, 0x41, extendedTiming, sizeof extendedTiming) &&
               command(device, 0x42, extendedEnable, sizeof extendedEnable);
    return command(device, 0x0B, timing, sizeof timing) && command(device, 0x0C, enable, sizeof enable);
}

static void print(const uint8_t *address, const uint8_t *data, int length, int level) {
    for (int i = 5; i >= 0; i--) printf("%02x%s", address[i], i ? ":" : " ");
    printf("%d ", level);
    for (int i = 0; i < length; i++) printf("%02x", data[i]);
    puts("");
}

static void take(const uint8_t *event, const uint8_t *end, int printed) {
    int isExtended = event[0] == EXTENDED_REPORT, head = isExtended ? 24 : 9;
    const uint8_t *report = event + 2;
    events++;
    for (int left = event[1]; left > 0 && report + head <= end; left--) {
        int length = report[head - 1];
        if (report + head + length + !isExtended > end) break;
        reports++;
        if (printed && isExtended) print(report + 3, report + head, length, (int8_t)report[13]);
        if (printed && !isExtended) print(report + 2, report + head, length, (int8_t)report[head + length]);
        report += head + length + !isExtended;
    }
}

/* Nobody else may speak with the adapter meanwhile. */
static int hold(int index, double seconds) {
    struct sockaddr_hci address = {.hci_family = AF_BLUETOOTH, .hci_dev = index, .hci_channel = HCI_CHANNEL_USER};
    int device = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (device < 0 || bind(device, (struct sockaddr *)&address, sizeof address) < 0) return perror("user channel"), 1;
    /* As whoever takes a controller for its own does: it begins anew. */
    static const uint8_t reset[] = {HCI_COMMAND_PKT, 0x03, 0x0C, 0};
    if (write(device, reset, sizeof reset) != sizeof reset) return perror("reset"), 1;
    fprintf(stderr, "holding\n");
    for (double until = now() + seconds; !ended && now() < until;) poll(NULL, 0, 50);
    return 0;
}

/* Reads a packet; what there was: 1 a report or another event, 2 the answer to a command, 0 nothing, -1 an end. */
static int receive(int device, int printed) {
    uint8_t packet[HCI_MAX_EVENT_SIZE + 1];
    ssize_t size = read(device, packet, sizeof packet);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (size <= 0) return perror("read"), -1;
    if (size > 3 && packet[1] == EVT_CMD_COMPLETE) return 2;
    if (size > 5 && packet[1] == EVT_LE_META_EVENT && (packet[3] == LEGACY_REPORT || packet[3] == EXTENDED_REPORT))
        take(packet + 3, packet + size, printed);
    return 1;
}

/* Ends the scan and hears what comes before the answer: libbluetooth would read it and throw it away. */
static void finish(int device, int extended, struct hci_filter *wanted, int printed) {
    uint8_t off[6] = {0};
    hci_filter_set_event(EVT_CMD_COMPLETE, wanted);
    setsockopt(device, SOL_HCI, HCI_FILTER, wanted, sizeof *wanted);
    if (hci_send_cmd(device, OGF_LE_CTL, extended ? 0x42 : 0x0C, extended ? 6 : 2, off) < 0) return;
    for (double until = now() + ANSWER_LIMIT_MS / 1e3; now() < until;) {
        struct pollfd wait = {device, POLLIN, 0};
        if (poll(&wait, 1, 100) <= 0) continue;
        int found = receive(device, printed);
        if (found < 0 || found == 2) return;
    }
}

int main(int count, char **words) {
    int index = 0, extended = 0, filter = 0, printed = 0, held = 0, buffer = 1 << 20, option;
    double seconds = 10;
    while ((option = getopt(count, words, "i:xdpus:b:")) != -1) switch (option) {
        case 'i': index = atoi(optarg); break;
        case 'x': extended = 1; break;
        case 'd': filter = 1; break;
        case 'p': printed = 1; break;
        case 'u': held = 1; break;
        case 's': seconds = atof(optarg); break;
        case 'b': buffer = atoi(optarg); break;
        default: return 2;
        }
    signal(SIGTERM, end);
    signal(SIGINT, end);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (held) return hold(index, seconds);
    int device = hci_open_dev(index);
    if (device < 0) return perror("hci_open_dev"), 1;
    setsockopt(device, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    struct hci_filter wanted;
    hci_filter_clear(&wanted);
    hci_filter_set_ptype(HCI_EVENT_PKT, &wanted);
    hci_filter_set_event(EVT_LE_META_EVENT, &wanted);
    if (setsockopt(device, SOL_HCI, HCI_FILTER, &wanted, sizeof wanted) < 0) return perror("HCI_FILTER"), 1;
    if (!begin(device, extended, filter)) return perror("scan"), 1;
    fprintf(stderr, "scanning\n");

    int failed = 0;
    double until = now() + seconds;
    while (!ended && now() < until) {
        struct pollfd wait = {device, POLLIN, 0};
        if (poll(&wait, 1, (int)((until - now()) * 1000) + 1) <= 0) continue;
        if (receive(device, printed) < 0) {
            failed = 1;
            break;
        }
    }
    if (!failed) finish(device, extended, &wanted, printed);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("reports %lu\nevents %lu\nuser_s %.3f\nsystem_s %.3f\nresident_kib %ld\n", reports, events,
           usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6, usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6,
           usage.ru_maxrss);
    return failed;
}
