internal import Crypto

/// The client ids of programs.
extension Topics {
    /// The default prefix.
    public static let defaultPrefix = "whereabouts"
    /// The longest prefix, in bytes, that a client id contains completely.
    private static let clientPrefixLimit = 32

    /// The MQTT client id of a program. It is the same on each start, so that a broker ends the program's earlier
    /// connection. It differs between houses, which share a broker by different prefixes.
    ///
    /// Made of letters, digits, `-`, `_` and `.`. A server must accept 23 of letters and digits, and may accept more
    /// (MQTT 3.1.1, 3.1.3.1); those that don't need a `client_id` in the configuration.
    public func clientID(_ program: String, _ name: String) -> String {
        let id = "whereabouts-\(program)-\(name)"
        guard prefix != Self.defaultPrefix else { return id }
        let isShort = prefix.utf8.count <= Self.clientPrefixLimit
        // No name and no level of a prefix has a dot: the parts can be separated again.
        return id + "."
            + (isShort ? prefix.split(separator: "/").joined(separator: ".") : SHA256.hex(prefix, digits: 16))
    }
}
