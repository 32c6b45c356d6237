// libmicrohttpd as Swift can call it: its variadic functions behind ones of fixed arguments.
#ifndef WHEREABOUTS_MICROHTTPD_H
#define WHEREABOUTS_MICROHTTPD_H

#include <microhttpd.h>
#include <netdb.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The settings of a daemon; `certificate` and `key` are PEM texts, or both are null.
struct wb_daemon_settings {
    int listen_socket;
    unsigned int connections;
    unsigned int connections_per_address;
    unsigned int idle_seconds;
    size_t connection_memory;
    const char *certificate;
    const char *key;
    /// The first argument of each callback.
    void *context;
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback on_request;
    MHD_RequestCompletedCallback on_completed;
    MHD_NotifyConnectionCallback on_connection;
};

/// Leaves a text as it is: targets are decoded by their reader, which sees what was sent.
static inline size_t wb_leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

/// A daemon without a thread, which its caller runs (MHD_run); null if it can't be started.
static inline struct MHD_Daemon *wb_start_daemon(const struct wb_daemon_settings *settings) {
    struct MHD_OptionItem security[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (settings->certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->on_request, settings->context,
        MHD_OPTION_LISTEN_SOCKET, settings->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        // The thread that runs the daemon blocks all signals.
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, &wb_leave_escaped, NULL,
        MHD_OPTION_URI_LOG_CALLBACK, settings->on_target, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->on_completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->on_connection, settings->context,
        MHD_OPTION_ARRAY, settings->certificate ? security : none,
        MHD_OPTION_END);
}

/// The descriptor that is readable when MHD_run has work.
static inline int wb_daemon_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *information = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return information ? information->epoll_fd : -1;
}

/// Milliseconds after which MHD_run has work of itself; -1 if it has none.
static inline int wb_daemon_timeout(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
    return milliseconds > 60000 ? 60000 : (int)milliseconds;
}

/// The socket of a connection.
static inline int wb_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *information =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return information ? information->connect_fd : -1;
}

/// The pointer that on_connection stored.
static inline void *wb_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *information =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return information ? information->socket_context : NULL;
}

/// The numeric address of a connection's other end as text; 0 if it was written.
static inline int wb_connection_peer(struct MHD_Connection *connection, char *text, unsigned int space) {
    const union MHD_ConnectionInfo *information =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!information || !information->client_addr) return -1;
    const struct sockaddr *address = information->client_addr;
    socklen_t length = address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    return getnameinfo(address, length, text, space, NULL, 0, NI_NUMERICHOST);
}

/// The results of a content reader that are no number of bytes.
static inline ssize_t wb_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

/// Lets other threads of the program run first (setpriority(2) for the calling thread alone).
static inline void wb_yield_to_others(void) {
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 5);
}

#endif
