/// A key whose value differs between two readings of a configuration.
public struct KeyChange: Hashable, Sendable {
    /// The time at which another value of a key takes effect.
    public enum Effect: String, CaseIterable, Sendable {
        /// While the program runs, as by SIGHUP.
        case atRunTime = "run time"
        /// With the next start.
        case atStart = "restart"
    }

    /// The path of the key, such as `mqtt.url`; a list counts as one key.
    public var key: String
    /// The time at which its new value takes effect.
    public var effect: Effect
}

extension [KeyChange] {
    /// The keys whose new values take effect at a time, in the order of the file's description.
    public func keys(_ effect: KeyChange.Effect) -> [String] { filter { $0.effect == effect }.map(\.key) }
}

/// A configuration whose keys are known one by one.
public protocol ReloadableConfiguration: Sendable {
    /// All keys.
    static var configuredKeys: [ConfiguredKey<Self>] { get }
    /// The warnings of the reading.
    var warnings: [ConfigurationFault] { get }
}

extension ReloadableConfiguration {
    /// The keys whose values differ from those of a new reading, with the time at which they take effect.
    public func changes(to new: Self) -> [KeyChange] {
        Self.configuredKeys.filter { $0.differs(self, new) }.map { KeyChange(key: $0.path, effect: $0.effect) }
    }

    /// This configuration with the values of a new reading for all keys that take effect at run time.
    public func adopting(_ new: Self) -> Self {
        var adopted = self
        for key in Self.configuredKeys { key.adopt(&adopted, new) }
        return adopted
    }

    /// The time at which a value of a key takes effect, by its path; nil for a map, whose keys have times of their own.
    ///
    /// Of a list, and of a map of names, all that is below it has its time: `rooms[].name` has that of `rooms`.
    public static func effect(of path: String) -> KeyChange.Effect? {
        let end = path.utf8.indices.first { path.utf8[$0] == UInt8(ascii: "[") || path.utf8[$0] == UInt8(ascii: "<") }
        var key = end.map { path[..<$0] } ?? path[...]
        if key.utf8.last == UInt8(ascii: ".") { key = key.dropLast() }
        return configuredKeys.first { $0.path == key }?.effect
    }
}

/// A key of a configuration: the comparison of its values, and the adoption of a new one.
public struct ConfiguredKey<Configuration: Sendable>: Sendable {
    /// The path of the key.
    public let path: String
    /// The time at which another value takes effect.
    public let effect: KeyChange.Effect
    let differs: @Sendable (Configuration, Configuration) -> Bool
    let adopt: @Sendable (inout Configuration, Configuration) -> Void

    /// A key that takes effect at the next start.
    static func atStart<Value: Equatable & Sendable>(
        _ path: String, _ value: @escaping @Sendable (Configuration) -> Value
    ) -> ConfiguredKey {
        ConfiguredKey(path: path, effect: .atStart, differs: { value($0) != value($1) }, adopt: { _, _ in })
    }

    /// A key that takes effect at run time; `adopt` sets its value to that of another reading.
    static func atRunTime<Value: Equatable & Sendable>(
        _ path: String, _ value: @escaping @Sendable (Configuration) -> Value,
        adopt: @escaping @Sendable (inout Configuration, Configuration) -> Void
    ) -> ConfiguredKey {
        ConfiguredKey(path: path, effect: .atRunTime, differs: { value($0) != value($1) }, adopt: adopt)
    }
}

/// The keys of the section `mqtt`, all of which take effect at the next start. What its files contain is read anew for each
/// connection.
func brokerKeys<Configuration: Sendable>(
    _ mqtt: @escaping @Sendable (Configuration) -> MQTTSettings
) -> [ConfiguredKey<Configuration>] {
    [
        .atStart("mqtt.url") { mqtt($0).others.isEmpty ? mqtt($0).url : nil },
        .atStart("mqtt.urls") { mqtt($0).others.isEmpty ? [] : mqtt($0).brokers },
        .atStart("mqtt.username") { mqtt($0).username },
        .atStart("mqtt.password_file") { mqtt($0).password },
        .atStart("mqtt.client_id") { mqtt($0).clientID },
        .atStart("mqtt.keepalive") { mqtt($0).keepAlive },
        .atStart("mqtt.ca_file") { mqtt($0).tls.authoritiesFile },
        .atStart("mqtt.crl_file") { mqtt($0).tls.revocationFile },
        .atStart("mqtt.fingerprint") { mqtt($0).tls.fingerprints },
        .atStart("mqtt.certificate_file") { mqtt($0).tls.certificateFile },
        .atStart("mqtt.key_file") { mqtt($0).tls.keyFile },
        .atStart("mqtt.key_passphrase_file") { mqtt($0).tls.passphraseFile },
        .atStart("mqtt.psk_identity") { mqtt($0).tls.sharedKeyIdentity },
        .atStart("mqtt.psk_file") { mqtt($0).tls.sharedKeyFile },
    ]
}
