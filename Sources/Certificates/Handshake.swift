internal import CSSL

/// The observations of one connection's handshakes, made by OpenSSL's callbacks. Used by the connection's thread alone.
final class Handshake {
    let host: String
    let trust: BrokerTrust
    let showsIdentity: Bool
    /// The fault of the broker's certificate.
    var fault: CertificateFault?
    /// Receives the broker's certificate and those above it after their verification.
    let whenProved: ([Certificate]) -> Void
    /// The last alert received (RFC 8446 section 6.2).
    var alert: UInt8?
    /// True if the broker has sent any TLS data.
    var hasAnswered = false
    /// True if the broker asked for this client's certificate.
    var hasAsked = false
    /// True if the broker received the shared key's name, and hasn't yet proved that it has the key.
    var isKeyInDoubt = false

    init(host: String, trust: BrokerTrust, showsIdentity: Bool, whenProved: @escaping ([Certificate]) -> Void) {
        self.host = host
        self.trust = trust
        self.showsIdentity = showsIdentity
        self.whenProved = whenProved
    }

    fileprivate static func of(_ connection: OpaquePointer?) -> Handshake? {
        let context = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), 0)
        return unsafe context.map { unsafe Unmanaged<Handshake>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// `SSL_CTX_set_cert_verify_callback(3)`: 1 if the broker's certificate is valid.
func verify(_ verification: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let verification = unsafe verification, let context = unsafe context else { return 0 }
    let handshake = unsafe Unmanaged<Handshake>.fromOpaque(context).takeUnretainedValue()
    return unsafe handshake.verify(verification) ? 1 : 0
}

/// `SSL_CTX_set_info_callback(3)`: names the host when the handshake begins, since libmosquitto knows its address alone; records
/// alerts, and the first answer of the broker.
func noteHandshake(_ connection: OpaquePointer?, _ place: Int32, _ value: Int32) {
    guard let handshake = unsafe Handshake.of(connection) else { return }
    if place & SSL_CB_HANDSHAKE_START != 0 { unsafe wb_set_server_name(connection, handshake.host) }
    if place & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, value >> 8 == SSL3_AL_FATAL {
        handshake.alert = UInt8(truncatingIfNeeded: value)
    }
    guard place & SSL_CB_LOOP != 0 else { return }
    switch unsafe SSL_get_state(connection) {
    case TLS_ST_CR_SRVR_HELLO: handshake.hasAnswered = true
    case TLS_ST_CR_CERT_REQ: handshake.hasAsked = true
    case TLS_ST_CR_FINISHED: handshake.isKeyInDoubt = false
    default: break
    }
}

/// `SSL_CTX_set_psk_client_callback(3)`: the length of the key written to `key`, or 0.
func giveSharedKey(
    _ connection: OpaquePointer?, _ hint: UnsafePointer<CChar>?, _ identity: UnsafeMutablePointer<CChar>?,
    _ identitySpace: UInt32, _ key: UnsafeMutablePointer<UInt8>?, _ keySpace: UInt32
) -> UInt32 {
    let handshake = unsafe Handshake.of(connection)
    guard case .sharedKey(let name, let secret)? = handshake?.trust,
        let identity = unsafe identity, let key = unsafe key,
        name.utf8.count < Int(identitySpace), secret.count <= Int(keySpace)
    else { return 0 }
    for (index, byte) in name.utf8.enumerated() { unsafe identity[index] = CChar(bitPattern: byte) }
    unsafe identity[name.utf8.count] = 0
    for (index, byte) in secret.enumerated() { unsafe key[index] = byte }
    handshake?.isKeyInDoubt = true
    return UInt32(secret.count)
}
