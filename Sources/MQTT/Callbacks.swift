internal import CMosquitto
internal import WireProtocol

/// The callbacks of libmosquitto, stored until the call that caused them has returned.
///
/// Its pointer is the library's user data, so that no callback can reach, or release, an owner of the connection. All
/// callbacks arrive on the client's thread, inside a call of `Connection`, which reads them afterwards.
final class Callbacks {
    struct Connack {
        var reason: Int32
        var sessionPresent: Bool
        /// The broker's own keep-alive in seconds, if it sent one (MQTT 5 section 3.2.2.3.14).
        var serverKeepAlive: UInt16?
    }

    let inbox: Inbox
    let maximumPacketSize: Int
    var connack: Connack?
    /// The reason of a DISCONNECT that the broker sent.
    var disconnect: Int32?
    var published: [(id: Int32, reason: Int32)] = []
    /// Answered inside the callback, so that the program receives a grant before the retained messages.
    var requests = SubscriptionRequests()
    /// The number of callbacks caused by a received packet.
    var received = 0
    /// The first error that the library logged: of OpenSSL's errors the first is the relevant one.
    var firstError: String?

    private let version: ProtocolVersion

    init(inbox: Inbox, maximumPacketSize: UInt32, version: ProtocolVersion) {
        self.inbox = inbox
        self.version = version
        self.maximumPacketSize = Int(maximumPacketSize)
    }

    /// Receives the broker's answer to a subscription.
    func answered(_ id: Int32, reason: Int32) {
        for event in requests.answer(id, reason: reason, version: version, at: .now) { inbox.deliver(event) }
    }

    /// Installs the callbacks on `handle`.
    static func install(on handle: OpaquePointer) {
        unsafe mosquitto_connect_v5_callback_set(handle, onConnect)
        unsafe mosquitto_disconnect_v5_callback_set(handle, onDisconnect)
        unsafe mosquitto_publish_v5_callback_set(handle, onPublish)
        unsafe mosquitto_subscribe_callback_set(handle, onSubscribe)
        unsafe mosquitto_message_v5_callback_set(handle, onMessage)
        unsafe mosquitto_log_callback_set(handle, onLog)
    }
}

private func callbacks(_ context: UnsafeMutableRawPointer?) -> Callbacks? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Callbacks>.fromOpaque(context).takeUnretainedValue()
}

private func onConnect(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ reason: Int32, _ flags: Int32,
    _ properties: OpaquePointer?
) {
    var keepAlive: UInt16 = 0
    let found = unsafe mosquitto_property_read_int16(
        properties, Int32(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &keepAlive, false)
    unsafe callbacks(context)?.connack = Callbacks.Connack(
        reason: reason, sessionPresent: flags & 1 != 0, serverKeepAlive: unsafe found == nil ? nil : keepAlive)
    unsafe callbacks(context)?.received += 1
}

private func onDisconnect(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ reason: Int32, _ properties: OpaquePointer?
) {
    unsafe callbacks(context)?.disconnect = reason
}

private func onPublish(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ id: Int32, _ reason: Int32,
    _ properties: OpaquePointer?
) {
    unsafe callbacks(context)?.published.append((id, reason))
    unsafe callbacks(context)?.received += 1
}

private func onSubscribe(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ id: Int32, _ count: Int32,
    _ granted: UnsafePointer<Int32>?
) {
    guard count > 0, let granted = unsafe granted else { return }
    unsafe callbacks(context)?.answered(id, reason: granted[0])
    unsafe callbacks(context)?.received += 1
}

private func onMessage(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ pointer: UnsafePointer<mosquitto_message>?,
    _ properties: OpaquePointer?
) {
    guard let callbacks = unsafe callbacks(context), let message = unsafe pointer?.pointee else { return }
    callbacks.received += 1
    let length = unsafe Int(message.payloadlen)
    guard length <= callbacks.maximumPacketSize else { return callbacks.inbox.countOversize() }
    guard let topic = unsafe message.topic else { return }
    var received = unsafe Message(
        topic: String(cString: topic),
        payload: Array(UnsafeRawBufferPointer(start: message.payload, count: length)),
        qos: message.qos == 0 ? .atMostOnce : .atLeastOnce, retained: message.retain)
    if let properties = unsafe properties { unsafe received.readReply(properties) }
    callbacks.inbox.receive(received)
}

private func onLog(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ level: Int32, _ text: UnsafePointer<CChar>?
) {
    guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
    guard let callbacks = unsafe callbacks(context), callbacks.firstError == nil else { return }
    callbacks.firstError = unsafe String(String(cString: text).prefix(300))
}
