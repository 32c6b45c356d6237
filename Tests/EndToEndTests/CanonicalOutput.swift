import Crypto
import WireProtocol

/// The publications of a run, without the values that differ from run to run.
enum CanonicalOutput {
    /// Keys whose values differ: the epoch, times of the program's own, the count of waiting messages, the version.
    private static let varying = [
        "\"epoch\":", "\"started\":", "\"clock\":{\"origin\":", "\"spooled\":", "\"version\":",
    ]

    /// A line of a message: topic and payload, varying values written as `*`.
    static func line(_ message: Message) -> String {
        let payload = String(decoding: message.payload, as: UTF8.self)
        let parts = payload.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let key = varying.first(where: { part.hasPrefix($0) }) else { return String(part) }
            return key + "*" + String(repeating: "}", count: part.reversed().prefix { $0 == "}" }.count)
        }
        return "\(message.topic) \(parts.joined(separator: ","))"
    }

    /// The SHA-256 of such lines.
    static func digest(_ messages: some Sequence<Message>) -> String {
        SHA256.hex(messages.map { line($0) + "\n" }.joined(), digits: 64)
    }
}
