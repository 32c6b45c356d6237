internal import CMosquitto
internal import Glibc

/// An error with the function that reported it, its code, and the text of the code.
public struct MQTTError: Error, Hashable, Sendable {
    /// The C function, or the MQTT packet that carried the code (CONNACK, DISCONNECT, SUBACK, PUBACK).
    public var function: String
    /// `mosq_err_t`, an errno, or a reason code (MQTT 5 section 2.4), depending on `function`.
    public var code: Int32
    /// The text of the code.
    public var words: String
    /// The remedy, if the cause is known that exactly.
    public var mend: String?

    init(function: String, code: Int32, words: String, mend: String? = nil) {
        self.function = function
        self.code = code
        self.words = words
        self.mend = mend
    }

    /// An error of TLS, or of the files for it.
    init(security refusal: SecurityRefusal) {
        self.init(function: "TLS", code: 0, words: refusal.words, mend: refusal.mend)
    }

    /// A connection closed in answer to CONNECT.
    static let unanswered = MQTTError(
        function: "CONNECT", code: ECONNRESET, words: "the connection was closed without an answer",
        mend:
            "the broker may still be starting; otherwise check the port in mqtt.url, which may want mqtts:// instead of mqtt://"
    )

    /// The reason code by which a broker rejects the protocol version (MQTT 5 section 2.4).
    static let unsupportedVersion = MQTTError(packet: "CONNACK", reason: 0x84, version: .v5)

    /// True if libmosquitto reports a packet that violates the protocol version in use.
    var isMalformedPacket: Bool {
        function == "mosquitto_loop_read"
            && [MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET].contains { Int32($0.rawValue) == code }
    }

    /// True if the other side closed the connection.
    var isLostConnection: Bool {
        guard function.hasPrefix("mosquitto") else { return code == ECONNRESET }
        // Of an errno only the text is left.
        return code == Int32(MOSQ_ERR_CONN_LOST.rawValue)
            || code == Int32(MOSQ_ERR_ERRNO.rawValue)
                && [ECONNRESET, EPIPE].contains { words == Self.systemWords($0) }
    }

    /// True if it may come from a TLS handshake, which libmosquitto begins inside its call to connect.
    var isHandshake: Bool {
        function == "connect"
            ? [EPROTO, ECONNRESET, EPIPE].contains(code) : code == Int32(MOSQ_ERR_TLS.rawValue) || isLostConnection
    }

    /// The text, with the remedy if there is one.
    public var sentence: String { mend.map { "\(words); \($0)" } ?? words }

    /// The result of a libmosquitto function; `errno` must still be that call's.
    ///
    /// `detail` is the text that the library logged about it, the only distinction between the causes of TLS errors.
    init(mosquitto function: String, _ code: Int32, detail: String? = nil) {
        let systemCode = errno
        var words =
            switch code {
            case Int32(MOSQ_ERR_ERRNO.rawValue): Self.systemWords(systemCode)
            default: Self.trimmed(unsafe String(cString: mosquitto_strerror(code)))
            }
        if let detail { words += ": \(detail)" }
        self.init(function: function, code: code, words: words)
    }

    /// The errno of a system call.
    init(systemCall function: String, _ code: Int32) {
        self.init(function: function, code: code, words: Self.systemWords(code))
    }

    /// The reason code of a packet: MQTT 5 section 2.4, or for a CONNACK of 3.1.1 its section 3.2.2.3.
    init(packet: String, reason: Int32, version: ProtocolVersion) {
        let words =
            if packet == "CONNACK" && version == .v311 {
                unsafe String(cString: mosquitto_connack_string(reason))
            } else {
                unsafe String(cString: mosquitto_reason_string(reason))
            }
        self.init(function: packet, code: reason, words: Self.trimmed(words))
    }

    private static func systemWords(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = buffer.count
        guard unsafe strerror_r(code, &buffer, count) == 0 else { return "error \(code)" }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        return String(decoding: buffer[..<end].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func trimmed(_ words: String) -> String {
        words.hasSuffix(".") ? String(words.dropLast()) : words
    }
}

extension MQTTError: CustomStringConvertible {
    /// A text for people, such as `CONNACK: Not authorized (135)`.
    public var description: String { "\(function): \(words) (\(code))" }
}

/// The supported versions of MQTT.
enum ProtocolVersion: Int32 {
    case v311 = 4
    case v5 = 5
}
