internal import CMosquitto
internal import Glibc

extension MQTTError {
    /// What keeps a connection from being made, as far as it decides what a person does about it.
    public enum Cause: Hashable, Sendable {
        /// The broker's host has no such name.
        case unknownHost
        /// The host answers, and nothing listens on the port.
        case refused
        /// The host doesn't answer.
        case unreachable
        /// Something listens that doesn't speak MQTT, or not in time.
        case silent
        /// The broker wants other credentials, or doesn't want this user.
        case credentials
        /// TLS, or the files for it; the mend is told, where it is known.
        case security(mend: String?)
        /// Anything else.
        case other
    }

    /// The cause of a connection that failed.
    public var cause: Cause {
        switch (function, code) {
        case ("connect", ECONNREFUSED): .refused
        case ("connect", ETIMEDOUT), ("connect", EHOSTUNREACH), ("connect", ENETUNREACH): .unreachable
        case ("CONNECT", _): .silent
        // MQTT 3.1.1 section 3.2.2.3; MQTT 5 section 3.2.2.2.
        case ("CONNACK", 4), ("CONNACK", 5), ("CONNACK", 134), ("CONNACK", 135): .credentials
        case ("TLS", _): .security(mend: mend)
        case (let function, Int32(MOSQ_ERR_EAI.rawValue)) where function.hasPrefix("mosquitto"): .unknownHost
        case (let function, Int32(MOSQ_ERR_TLS.rawValue)) where function.hasPrefix("mosquitto"): .security(mend: nil)
        default: .other
        }
    }
}
