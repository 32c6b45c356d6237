internal import CMosquitto
internal import Glibc

extension MQTTError {
    /// The cause of a failed connection, as far as the operator's action depends on it.
    public enum Cause: Hashable, Sendable {
        /// The name of the broker's host is unknown.
        case unknownHost
        /// The host answers, and nothing listens on the port.
        case refused
        /// The host doesn't respond.
        case unreachable
        /// Something listens that doesn't answer in MQTT, or not in time.
        case silent
        /// The broker rejects the credentials or this user.
        case credentials
        /// TLS, or the files for it; with the remedy, if it is known.
        case security(mend: String?)
        /// Anything else.
        case other
    }

    /// The cause of a connection that failed.
    public var cause: Cause {
        switch (function, code) {
        case ("getaddrinfo", _): .unknownHost
        case ("connect", ECONNREFUSED): .refused
        case ("connect", ETIMEDOUT), ("connect", EHOSTUNREACH), ("connect", ENETUNREACH): .unreachable
        case ("CONNECT", _): .silent
        // MQTT 3.1.1 section 3.2.2.3; MQTT 5 section 3.2.2.2.
        case ("CONNACK", 4), ("CONNACK", 5), ("CONNACK", 134), ("CONNACK", 135): .credentials
        case ("TLS", _): .security(mend: mend)
        case (let function, Int32(MOSQ_ERR_TLS.rawValue)) where function.hasPrefix("mosquitto"): .security(mend: nil)
        default: .other
        }
    }
}
