// The gateways of a large house in one process, each with a client of its own: crowd BROKERS ITEMS NODES [FIRST LAST]
//
// BROKERS are ports of this machine, or ADDRESS:PORT, divided by commas: one after another is given to the nodes.
//
// The rooms lie in a ring, with a node in each. Every second item lies where it is, the others go to the next room about
// twice a minute. A room's own node nearly always hears what is in it, those of the next rooms more and more seldom: four
// to five nodes an item. With FIRST and LAST, numbers of shards from 0 to 255, nodes hear the items of these shards alone.
//
// Commands on standard input, each answered by a line:
//   simulate   nodes say from now on that they simulate, on the wall's clock, as agents with a simulated source beside them
//   register   status and info of each node and the entry of each item, retained; answers `registered SECONDS`
//   live N     N seconds of the wall clock; answers `lived WINDOWS LATEST`, LATEST being the longest delay of a node's
//              windows in milliseconds
// Messages are those of docs/protocol/topics.md. A client that loses its connection connects again within a second,
// and publishes its status and info anew, as agents do.
#include <errno.h>
#include <mosquitto.h>
#include <openssl/sha.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REACH = 4, PAYLOAD = 640, TOPIC = 128 };

static const double levels[REACH] = {-60, -73, -82, -88};
static const unsigned chances[REACH] = {98, 90, 60, 20};
static const char *const uuid = "48534442-4c45-4144-80c0-1800fffffff0";
static const char *const epoch = "5f1c09aa";

/// An item: its room, its shard, and the next item of its room.
struct item {
    int room, next;
    unsigned char shard;
};

enum { BROKERS = 16 };

/// A broker of the list: where its clients connect to.
struct broker {
    const char *address;
    int port;
};

static struct broker brokers[BROKERS];
static int broker_count, item_count, node_count, first_shard = 0, last_shard = 255;
static struct item *items;
static int *rooms;  // the first item of each room, -1 for none
static struct mosquitto **clients;
static struct pollfd *sockets;
static time_t *retry;
static long unacknowledged, windows;
static uint64_t state = 11;
static bool is_registered;
/// The member that names a node's own clock; empty where it lives on the wall's.
static char clock_member[96];

static void fail(const char *what, const char *why) {
    fprintf(stderr, "crowd: %s: %s\n", what, why);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static unsigned draw(unsigned bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % bound);
}

// MARK: Clients

static void on_acknowledged(struct mosquitto *client, void *context, int id) {
    (void)client, (void)context, (void)id;
    unacknowledged--;
}

static void publish_node(int node);

/// Publishes a node again whose connection was lost: the broker has published its last will.
static void on_connected(struct mosquitto *client, void *context, int code) {
    (void)client;
    if (code == 0 && is_registered) publish_node((int)((struct mosquitto **)context - clients));
}

static void connect_node(int node) {
    char name[32], topic[TOPIC];
    snprintf(name, sizeof name, "crowd-%d", node);
    // The context is the place in the list: libmosquitto replaces one that is 0 by the client.
    struct mosquitto *client = mosquitto_new(name, true, &clients[node]);
    if (client == NULL) fail("a client", strerror(errno));
    snprintf(topic, sizeof topic, "whereabouts/nodes/node-%d/status", node);
    mosquitto_publish_callback_set(client, on_acknowledged);
    mosquitto_connect_callback_set(client, on_connected);
    mosquitto_will_set(client, topic, 7, "offline", 1, true);
    struct broker *broker = &brokers[node % broker_count];
    int status = mosquitto_connect(client, broker->address, broker->port, 60);
    if (status != MOSQ_ERR_SUCCESS) fail(name, mosquitto_strerror(status));
    clients[node] = client;
}

/// Moves what waits in sockets, for `milliseconds` at most.
static void turn(int milliseconds) {
    time_t second = time(NULL);
    for (int node = 0; node < node_count; node++) {
        sockets[node].fd = mosquitto_socket(clients[node]);
        sockets[node].events = (short)(POLLIN | (mosquitto_want_write(clients[node]) ? POLLOUT : 0));
    }
    poll(sockets, (nfds_t)node_count, milliseconds);
    for (int node = 0; node < node_count; node++) {
        int status = MOSQ_ERR_SUCCESS;
        if (sockets[node].fd < 0) {
            if (retry[node] == second) continue;
            retry[node] = second;
            mosquitto_reconnect(clients[node]);
            continue;
        }
        if (sockets[node].revents & (POLLIN | POLLHUP | POLLERR)) status = mosquitto_loop_read(clients[node], 16);
        if (status == MOSQ_ERR_SUCCESS && sockets[node].revents & POLLOUT) mosquitto_loop_write(clients[node], 16);
        if (retry[node] != second) {
            retry[node] = second;
            mosquitto_loop_misc(clients[node]);
        }
    }
}

static void publish(int node, const char *topic, const char *payload, int length, int qos, bool retain) {
    int status = mosquitto_publish(clients[node], NULL, topic, length, payload, qos, retain);
    if (status == MOSQ_ERR_SUCCESS) unacknowledged += qos > 0;
    // A server that was just killed: the node connects anew, and what it had to say is lost.
    else if (status != MOSQ_ERR_NO_CONN && status != MOSQ_ERR_CONN_LOST && status != MOSQ_ERR_ERRNO)
        fail(topic, mosquitto_strerror(status));
}

// MARK: Messages

static void publish_node(int node) {
    char topic[TOPIC], payload[PAYLOAD];
    snprintf(topic, sizeof topic, "whereabouts/nodes/node-%d/status", node);
    publish(node, topic, "online", 6, 1, true);
    snprintf(topic, sizeof topic, "whereabouts/nodes/node-%d/info", node);
    int length = snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"version\":\"0.1.0\",\"room\":\"room-%d\",\"adapter\":\"crowd\",\"started\":%.3f,\"epoch\":\"%s\","
        "\"window\":1,\"publish\":\"items\",\"registry\":\"\"%s}",
        node, now(), epoch, clock_member);
    publish(node, topic, payload, length, 1, true);
}

static void publish_entry(int item) {
    char topic[TOPIC], payload[PAYLOAD];
    snprintf(topic, sizeof topic, "whereabouts/items/item-%d/config", item);
    int length = snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"id\":\"item-%d\",\"name\":\"Item %d\",\"tags\":[\"t%d\"],"
        "\"ibeacon\":{\"uuid\":\"%s\",\"major\":%d,\"minor\":%d},\"at\":%.3f}",
        item, item, item % 10, uuid, item / 65536, item % 65536, now());
    publish(item % node_count, topic, payload, length, 1, true);
}

static void publish_window(int item, int node, double level, long second) {
    char topic[TOPIC], payload[PAYLOAD];
    snprintf(
        topic, sizeof topic, "whereabouts/windows/%02x/item-%d/node-%d", (unsigned)items[item].shard, item, node);
    int length = snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"seq\":%ld,\"from\":%ld,\"to\":%ld,\"node\":\"node-%d\",\"epoch\":\"%s\","
        "\"id\":\"iBeacon:%s-%d-%d\",\"item\":\"item-%d\",\"count\":1,\"expected\":1,"
        "\"rssi\":{\"mean\":%.1f,\"median\":%.1f,\"min\":%.0f,\"max\":%.0f},\"power\":-59,"
        "\"distance\":{\"m\":2.4,\"low\":1.5,\"high\":3.9},\"proximity\":\"near\"}",
        second, second - 1, second, node, epoch, uuid, item / 65536, item % 65536, item, level, level, level, level);
    publish(node, topic, payload, length, 0, false);
    windows++;
}

static void publish_scan(int node, long second, int count) {
    char topic[TOPIC], payload[PAYLOAD];
    snprintf(topic, sizeof topic, "whereabouts/nodes/node-%d/scan", node);
    int length = snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"seq\":%ld,\"from\":%ld,\"to\":%ld,\"node\":\"node-%d\",\"epoch\":\"%s\",\"registry\":\"\","
        "\"windows\":%d,\"reports\":%d,\"malformed\":0,\"beacons\":%d,\"gap_ms\":0%s}",
        second, second - 1, second, node, epoch, count, count, count, clock_member);
    publish(node, topic, payload, length, 0, false);
}

// MARK: The house

static void make_house(void) {
    items = calloc((size_t)item_count, sizeof *items);
    rooms = malloc((size_t)node_count * sizeof *rooms);
    for (int item = 0; item < item_count; item++) {
        char name[32];
        unsigned char digest[SHA256_DIGEST_LENGTH];
        int length = snprintf(name, sizeof name, "item-%d", item);
        SHA256((unsigned char *)name, (size_t)length, digest);
        items[item].shard = digest[0];
        items[item].room = item / 2 % node_count;
    }
}

/// Has items walk, and lists those of each room.
static void walk(void) {
    for (int room = 0; room < node_count; room++) rooms[room] = -1;
    for (int item = 0; item < item_count; item++) {
        struct item *it = &items[item];
        if (it->shard < first_shard || it->shard > last_shard) continue;
        if (item % 2 == 1 && draw(30) == 0) {
            it->room = (it->room + (draw(2) == 0 ? 1 : node_count - 1)) % node_count;
        }
        it->next = rooms[it->room];
        rooms[it->room] = item;
    }
}

/// Publishes what a node heard in the second before `second`.
static void hear(int node, long second) {
    long before = windows;
    for (int way = 1 - REACH; way < REACH; way++) {
        for (int item = rooms[(node + way + node_count) % node_count]; item >= 0; item = items[item].next) {
            if (draw(100) >= chances[abs(way)]) continue;
            // About the spread of one packet's level.
            double chance = (double)(draw(1000) + draw(1000) + draw(1000)) / 1000 - 1.5;
            publish_window(item, node, levels[abs(way)] + 8 * chance, second);
        }
    }
    publish_scan(node, second, (int)(windows - before));
}

// MARK: Commands

static void enroll(void) {
    double begin = now();
    for (int node = 0; node < node_count; node++) publish_node(node);
    for (int item = 0; item < item_count; item++) {
        publish_entry(item);
        while (unacknowledged > 10 * node_count) turn(10);
    }
    while (unacknowledged > 0) turn(10);
    is_registered = true;
    printf("registered %.2f\n", now() - begin);
}

static void live(long seconds) {
    long before = windows, second = (long)now() + 1;
    double latest = 0;
    for (long last = second + seconds; second < last; second++) {
        walk();
        for (int node = 0; node < node_count; node++) {
            // The agents of a house spread their windows over a quarter of a second.
            double due = (double)second + .25 * node / node_count, ahead;
            while ((ahead = due - now()) > .001) turn((int)(ahead * 1000));
            hear(node, second);
            double late = now() - due;
            if (late > latest) latest = late;
            if (node % 32 == 31) turn(0);
        }
    }
    turn(0);
    printf("lived %ld %.0f\n", windows - before, latest * 1000);
}

static void simulate(void) {
    double origin = now();
    snprintf(
        clock_member, sizeof clock_member, ",\"clock\":{\"origin\":%.3f,\"start\":%.3f,\"speed\":1}", origin, origin);
    printf("simulating\n");
}

/// Keeps the connections until there is a command, or nobody asks any more.
static void wait_for_line(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&input, 1, 0) == 0) turn(20);
}

/// Reads the list of brokers, and keeps parts of it.
static bool read_brokers(char *list) {
    for (char *rest = NULL, *one = strtok_r(list, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) {
        if (broker_count == BROKERS) return false;
        struct broker *broker = &brokers[broker_count++];
        char *colon = strrchr(one, ':');
        if (colon != NULL) *colon = 0;
        broker->address = colon != NULL ? one : "127.0.0.1";
        broker->port = atoi(colon != NULL ? colon + 1 : one);
        if (broker->port < 1 || broker->port > 65535) return false;
    }
    return broker_count > 0;
}

int main(int count, char **arguments) {
    if (count != 4 && count != 6) {
        fprintf(stderr, "usage: crowd BROKERS ITEMS NODES [FIRST LAST]\n");
        return 2;
    }
    bool has_brokers = read_brokers(arguments[1]);
    item_count = atoi(arguments[2]), node_count = atoi(arguments[3]);
    if (count == 6) first_shard = atoi(arguments[4]), last_shard = atoi(arguments[5]);
    if (!has_brokers || item_count < 1 || node_count < 2 * REACH || first_shard < 0 || last_shard > 255) {
        fprintf(stderr, "crowd: brokers, one item, %d nodes and shards from 0 to 255 at least\n", 2 * REACH);
        return 2;
    }
    mosquitto_lib_init();
    clients = calloc((size_t)node_count, sizeof *clients);
    sockets = calloc((size_t)node_count, sizeof *sockets);
    retry = calloc((size_t)node_count, sizeof *retry);
    make_house();
    for (int node = 0; node < node_count; node++) connect_node(node);

    char line[64];
    while (wait_for_line(), fgets(line, sizeof line, stdin)) {
        long number = 0;
        if (strcmp(line, "register\n") == 0) enroll();
        else if (strcmp(line, "simulate\n") == 0) simulate();
        else if (sscanf(line, "live %ld", &number) == 1) live(number);
        else return 2;
        fflush(stdout);
    }
    return 0;
}
