internal import CMosquitto
internal import Glibc
internal import WireProtocol

/// One connection of libmosquitto, from its first packet to its last. Used by the client's thread alone.
///
/// This class polls the socket itself (`mosquitto_loop_read`, `_write`, `_misc`) instead of calling `mosquitto_loop`,
/// whose `select(2)` fails for descriptors of 1024 and above. The library is set to a single thread, so it writes a
/// packet at once and retains only what the socket doesn't accept.
///
/// Each connection has a handle of its own: no state of the library passes from one to the next.
@safe final class Connection {
    private static let initialised = mosquitto_lib_init()

    let callbacks: Callbacks
    let version: ProtocolVersion
    private let handle: OpaquePointer
    private let configuration: MQTTConfiguration
    private let credentials: Credentials
    /// The error of the socket during the TLS handshake.
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
        // Closes the socket. No callback follows.
        unsafe mosquitto_destroy(handle)
        unsafe Unmanaged.passUnretained(callbacks).release()
    }

    private func configure() throws(MQTTError) {
        unsafe try checkCode(
            "mosquitto_int_option", mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version.rawValue))
        unsafe try checkCode("mosquitto_int_option", mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
        if let username = configuration.username {
            unsafe try checkCode(
                "mosquitto_username_pw_set", mosquitto_username_pw_set(handle, username, credentials.password))
        }
        if let will = configuration.will {
            let code = unsafe will.payload.withUnsafeBytes {
                unsafe mosquitto_will_set(
                    handle, will.topic, Int32(clamping: $0.count), $0.baseAddress, Int32(will.qos.rawValue),
                    will.retained)
            }
            try checkCode("mosquitto_will_set", code)
        }
        guard configuration.address.scheme == .mqtts else { return }
        guard let security = credentials.security else {
            throw MQTTError(security: SecurityRefusal("nothing secures the connection", mend: "give a TLS context"))
        }
        // The library would otherwise replace our settings by its own.
        unsafe try checkCode("mosquitto_int_option", mosquitto_int_option(handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0))
        unsafe try checkCode(
            "mosquitto_void_option", mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, security.context))
    }

    /// The cause of an error before the broker's answer, as far as the state of the handshake shows it.
    func explained(_ error: MQTTError) -> MQTTError {
        // A broker that answers version 5 with a packet that violates it speaks an older one.
        if version == .v5 && error.isMalformedPacket { return .unsupportedVersion }
        if let security = credentials.security {
            return security.refusal(report: callbacks.firstError).map { MQTTError(security: $0) } ?? error
        }
        return error.isLostConnection ? .unanswered : error
    }

    /// Begins to connect to an address of the host, in digits. Doesn't block.
    func startConnecting(to address: String) throws(MQTTError) {
        let port = Int32(configuration.address.port)
        if version == .v5 {
            var properties: OpaquePointer?
            unsafe mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), configuration.maximumPacketSize)
            // Only the blocking form accepts properties. With an invalid keep-alive it stores them and does nothing
            // else; the other form then sends them.
            _ = unsafe mosquitto_connect_bind_v5(handle, address, port, 1, nil, properties)
            unsafe mosquitto_property_free_all(&properties)
        }
        errno = 0
        let code = unsafe mosquitto_connect_bind_async(
            handle, address, port, Int32(max(5, configuration.keepAlive)), nil)
        let systemCode = errno
        guard code != Int32(MOSQ_ERR_SUCCESS.rawValue) && code != Int32(MOSQ_ERR_CONN_PENDING.rawValue) else {
            // A connection to this machine is refused at once: the first write of TLS gets the socket's error, and none
            // is left there.
            if credentials.security != nil, systemCode == ECONNREFUSED {
                refusal = MQTTError(systemCall: "connect", systemCode)
            }
            return
        }
        if code == Int32(MOSQ_ERR_ERRNO.rawValue) { throw MQTTError(systemCall: "connect", systemCode) }
        throw failure("mosquitto_connect", code)
    }

    /// The socket; -1 after the library has closed it.
    var socket: Int32 { unsafe mosquitto_socket(handle) }

    /// True if packets wait that the socket didn't accept.
    var wantsWrite: Bool { unsafe mosquitto_want_write(handle) }

    /// Reads and clears the socket's pending error (`SO_ERROR`), such as ECONNREFUSED.
    func takeSocketError() -> MQTTError? {
        if let refusal { return refusal }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length)
        return result == 0 && code != 0 ? MQTTError(systemCall: "connect", code) : nil
    }

    /// Throws the reason why the connection has ended, if it has.
    func checkOpen() throws(MQTTError) {
        try stillOpen("mosquitto_loop_read", Int32(MOSQ_ERR_SUCCESS.rawValue))
    }

    /// Reads the data that arrived: one packet, or several if TLS has decoded more of them or the library reads ahead.
    func read() throws(MQTTError) {
        try stillOpen("mosquitto_loop_read", unsafe mosquitto_loop_read(handle, 1))
    }

    /// Writes the waiting packets.
    func write() throws(MQTTError) {
        try stillOpen("mosquitto_loop_write", unsafe mosquitto_loop_write(handle, 1))
    }

    /// Sends PINGREQ if it is due, and detects a dead connection.
    func keepAlive() throws(MQTTError) {
        try stillOpen("mosquitto_loop_misc", unsafe mosquitto_loop_misc(handle))
    }

    /// Passes a message to the library and returns its packet identifier. In MQTT 3.1.1 the response topic is left out.
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
        try checkCode("mosquitto_publish", code)
        return id
    }

    /// Requests a subscription and returns its packet identifier.
    func subscribe(_ subscription: Subscription) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        try checkCode(
            "mosquitto_subscribe",
            unsafe mosquitto_subscribe_v5(
                handle, &id, subscription.filter, Int32(subscription.qos.rawValue), 0, nil))
        return id
    }

    /// Ends a subscription.
    func unsubscribe(_ filter: String) throws(MQTTError) {
        try checkCode("mosquitto_unsubscribe", unsafe mosquitto_unsubscribe_v5(handle, nil, filter, nil))
    }

    /// Sends DISCONNECT, as far as the socket accepts it at once.
    func disconnect() {
        _ = unsafe mosquitto_disconnect(handle)
        if socket >= 0 && wantsWrite { _ = unsafe mosquitto_loop_write(handle, 1) }
    }

    private func checkCode(_ function: String, _ code: Int32) throws(MQTTError) {
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { throw failure(function, code) }
    }

    private func stillOpen(_ function: String, _ code: Int32) throws(MQTTError) {
        try checkCode(function, code)
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
