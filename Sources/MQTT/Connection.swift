internal import CMosquitto
internal import Glibc
internal import WireProtocol

/// One connection of libmosquitto, from its first packet to its last. Used by the client's thread alone.
///
/// We poll its socket ourselves (`mosquitto_loop_read`, `_write`, `_misc`) instead of calling `mosquitto_loop`, whose
/// `select(2)` fails for descriptors of 1024 and above. The library is told that there is but one thread, so it writes
/// a packet at once and keeps only what the socket doesn't take.
///
/// Each connection has a handle of its own: nothing is carried over from one to the next but what we carry over.
@safe final class Connection {
    /// Which addresses of a host to use; libmosquitto tries only the first one when connecting without blocking.
    enum Family {
        case systemOrder, v4, v6

        /// Binding to a wildcard address makes the library skip the addresses of the other family.
        var bindAddress: String? {
            switch self {
            case .systemOrder: nil
            case .v4: "0.0.0.0"
            case .v6: "::"
            }
        }
    }

    private static let initialised = mosquitto_lib_init()

    let callbacks: Callbacks
    let version: ProtocolVersion
    private let handle: OpaquePointer
    private let configuration: MQTTConfiguration
    private let credentials: Credentials
    /// The error that the TLS handshake took from the socket.
    private var refusal: MQTTError?

    init(_ configuration: MQTTConfiguration, version: ProtocolVersion, inbox: Inbox) throws(MQTTError) {
        _ = Self.initialised
        callbacks = Callbacks(
            inbox: inbox, maximumPacketSize: configuration.maximumPacketSize, version: version)
        self.version = version
        self.configuration = configuration
        do throws(SecurityRefusal) {
            credentials = try configuration.credentials(configuration.address)
        } catch {
            throw MQTTError(security: error)
        }
        let context = unsafe Unmanaged.passRetained(callbacks).toOpaque()
        guard let handle = unsafe mosquitto_new(configuration.clientID, true, context) else {
            unsafe Unmanaged<Callbacks>.fromOpaque(context).release()
            throw MQTTError(systemCall: "mosquitto_new", errno)
        }
        unsafe self.handle = handle
        unsafe Callbacks.install(on: handle)
        try configure()
    }

    deinit {
        // Closes the socket. No callback comes after it.
        unsafe mosquitto_destroy(handle)
        unsafe Unmanaged.passUnretained(callbacks).release()
    }

    private func configure() throws(MQTTError) {
        unsafe try check(
            "mosquitto_int_option", mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version.rawValue))
        unsafe try check("mosquitto_int_option", mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
        if let username = configuration.username {
            unsafe try check(
                "mosquitto_username_pw_set", mosquitto_username_pw_set(handle, username, credentials.password))
        }
        if let will = configuration.will {
            let code = unsafe will.payload.withUnsafeBytes {
                unsafe mosquitto_will_set(
                    handle, will.topic, Int32(clamping: $0.count), $0.baseAddress, Int32(will.qos.rawValue),
                    will.retained)
            }
            try check("mosquitto_will_set", code)
        }
        guard configuration.address.scheme == .mqtts else { return }
        guard let security = credentials.security else {
            throw MQTTError(security: SecurityRefusal("nothing secures the connection", mend: "give a TLS context"))
        }
        // It would put its own settings over ours otherwise.
        unsafe try check("mosquitto_int_option", mosquitto_int_option(handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0))
        unsafe try check(
            "mosquitto_void_option", mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, security.context))
    }

    /// An error from before the broker's answer, told by what the handshake knows of it.
    func explained(_ error: MQTTError) -> MQTTError {
        if let security = credentials.security {
            return security.refusal(report: callbacks.firstError).map { MQTTError(security: $0) } ?? error
        }
        return error.isLostConnection ? .unanswered : error
    }

    /// Looks the host up, which blocks, and begins to connect, which doesn't.
    func open(_ family: Family) throws(MQTTError) {
        let address = configuration.address
        if version == .v5 {
            var properties: OpaquePointer?
            unsafe mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), configuration.maximumPacketSize)
            // Only the blocking form takes properties. With a keep-alive that it refuses it keeps them and does nothing
            // else, and the other form then sends them.
            _ = unsafe mosquitto_connect_bind_v5(handle, address.host, Int32(address.port), 1, nil, properties)
            unsafe mosquitto_property_free_all(&properties)
        }
        errno = 0
        let code = unsafe mosquitto_connect_bind_async(
            handle, address.host, Int32(address.port), Int32(max(5, configuration.keepAlive)), family.bindAddress)
        let systemCode = errno
        guard code != Int32(MOSQ_ERR_SUCCESS.rawValue) && code != Int32(MOSQ_ERR_CONN_PENDING.rawValue) else {
            // A machine refuses itself at once: the first write of TLS has the socket's error then, and none is left there.
            if credentials.security != nil, systemCode == ECONNREFUSED {
                refusal = MQTTError(systemCall: "connect", systemCode)
            }
            return
        }
        if code == Int32(MOSQ_ERR_ERRNO.rawValue) { throw MQTTError(systemCall: "connect", systemCode) }
        throw failure("mosquitto_connect", code)
    }

    /// The socket, or -1 where the library has closed it.
    var socket: Int32 { unsafe mosquitto_socket(handle) }

    /// Whether packets wait that the socket didn't take.
    var wantsWrite: Bool { unsafe mosquitto_want_write(handle) }

    /// The address family of the socket (`AF_INET`, `AF_INET6`).
    var family: Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = socket
        let code = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
        }
        return code == 0 ? Int32(address.ss_family) : nil
    }

    /// Takes the socket's pending error (`SO_ERROR`), such as ECONNREFUSED.
    func takeSocketError() -> MQTTError? {
        if let refusal { return refusal }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length)
        return result == 0 && code != 0 ? MQTTError(systemCall: "connect", code) : nil
    }

    /// Reads what has come: one packet, or several where TLS has more of them decoded.
    func read() throws(MQTTError) {
        try stillOpen("mosquitto_loop_read", unsafe mosquitto_loop_read(handle, 1))
    }

    /// Writes what waits.
    func write() throws(MQTTError) {
        try stillOpen("mosquitto_loop_write", unsafe mosquitto_loop_write(handle, 1))
    }

    /// Sends PINGREQ where it is due, and finds a line that is dead.
    func keepAlive() throws(MQTTError) {
        try stillOpen("mosquitto_loop_misc", unsafe mosquitto_loop_misc(handle))
    }

    /// Hands a message to the library and gives its packet identifier. MQTT 3.1.1 has no place for where answers go.
    func publish(_ message: Message) throws(MQTTError) -> Int32 {
        guard version == .v5 else { return try unsafe publish(message, nil) }
        return try unsafe message.withReply { properties throws(MQTTError) in try unsafe publish(message, properties) }
    }

    private func publish(_ message: Message, _ properties: OpaquePointer?) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        let code = unsafe message.payload.withUnsafeBytes {
            unsafe mosquitto_publish_v5(
                handle, &id, message.topic, Int32(clamping: $0.count), $0.baseAddress, Int32(message.qos.rawValue),
                message.retained, properties)
        }
        try check("mosquitto_publish", code)
        return id
    }

    /// Asks for a subscription and gives its packet identifier.
    func subscribe(_ subscription: Subscription) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        try check(
            "mosquitto_subscribe",
            unsafe mosquitto_subscribe_v5(
                handle, &id, subscription.filter, Int32(subscription.qos.rawValue), 0, nil))
        return id
    }

    /// Says DISCONNECT, as far as the socket takes it at once.
    func disconnect() {
        _ = unsafe mosquitto_disconnect(handle)
        if socket >= 0 && wantsWrite { _ = unsafe mosquitto_loop_write(handle, 1) }
    }

    private func check(_ function: String, _ code: Int32) throws(MQTTError) {
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { throw failure(function, code) }
    }

    private func stillOpen(_ function: String, _ code: Int32) throws(MQTTError) {
        try check(function, code)
        guard socket < 0 else { return }
        if let reason = callbacks.disconnect, reason != 0 {
            throw MQTTError(packet: "DISCONNECT", reason: reason, version: version)
        }
        throw MQTTError(mosquitto: function, Int32(MOSQ_ERR_CONN_LOST.rawValue))
    }

    private func failure(_ function: String, _ code: Int32) -> MQTTError {
        let tls = code == Int32(MOSQ_ERR_TLS.rawValue)
        return MQTTError(mosquitto: function, code, detail: tls ? callbacks.firstError : nil)
    }
}
