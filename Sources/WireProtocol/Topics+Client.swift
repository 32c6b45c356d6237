internal import Crypto

/// Who speaks on the topics.
extension Topics {
    /// What all begin with unless configured.
    public static let defaultPrefix = "whereabouts"
    /// The longest prefix, in bytes, that stands whole in a client id.
    private static let clientPrefixLimit = 32

    /// The MQTT client id of a program: the same on each start, so that a broker ends the connection that it had before, and
    /// another one in each house, which are told apart by their prefixes on one broker.
    ///
    /// Of letters, digits, `-`, `_` and `.`. A server must take 23 of letters and digits, and may take more (MQTT 3.1.1,
    /// 3.1.3.1); those that don't need a `client_id` in the configuration.
    public func clientID(_ program: String, _ name: String) -> String {
        let id = "whereabouts-\(program)-\(name)"
        guard prefix != Self.defaultPrefix else { return id }
        let isShort = prefix.utf8.count <= Self.clientPrefixLimit
        // No name and no level of a prefix has a dot: what is put together can be taken apart.
        return id + "."
            + (isShort ? prefix.split(separator: "/").joined(separator: ".") : SHA256.hex(prefix, digits: 16))
    }
}
