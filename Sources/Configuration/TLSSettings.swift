internal import Bytes
public import Crypto
public import System

/// The keys of the section `mqtt` that secure the connection with `mqtts`: the trusted authorities, and the client's
/// own identity.
///
/// The files are read again for each connection.
public struct TLSSettings: Hashable, Sendable {
    /// The authorities trusted in place of the system's (`ca_file`, PEM).
    public var authoritiesFile: String?
    /// Revoked certificates (`crl_file`, PEM).
    public var revocationFile: String?
    /// The broker's certificates, one of which is trusted in place of any authority (`fingerprint`).
    public var fingerprints: [Fingerprint] = []
    /// This client's certificate (`certificate_file`, PEM), and those above it.
    public var certificateFile: String?
    /// That certificate's key (`key_file`, PEM).
    public var keyFile: SecretFile?
    /// The passphrase of that key (`key_passphrase_file`).
    public var passphraseFile: SecretFile?
    /// The name of the key that client and broker share (`psk_identity`).
    public var sharedKeyIdentity: String?
    /// The file of that key in hexadecimal digits (`psk_file`).
    public var sharedKeyFile: SecretFile?

    /// The system's authorities, and no own identity.
    public init() {}

    static let keys = [
        "ca_file", "crl_file", "fingerprint", "certificate_file", "key_file", "key_passphrase_file", "psk_identity",
        "psk_file",
    ]
    /// The most fingerprints that may be pinned: the current one, and its successors.
    static let fingerprintBound = 8
    /// The sizes of a shared key in bytes. A shorter one could be found by trying all.
    static let sharedKeySizes = 16...256

    /// Reads its keys in the section `mqtt`, and reports inconsistent ones.
    init(_ map: MapReader, _ reader: ConfigurationReader) {
        authoritiesFile = map.read("ca_file", reader.existingFile)
        revocationFile = map.read("crl_file", reader.existingFile)
        fingerprints = map.read("fingerprint", reader.fingerprints) ?? []
        certificateFile = map.read("certificate_file", reader.existingFile)
        keyFile = map.read("key_file", reader.keyFile)
        passphraseFile = map.read("key_passphrase_file", reader.secretFile(isStrict: true))
        sharedKeyIdentity = map.read("psk_identity", reader.sharedKeyIdentity)
        sharedKeyFile = map.read("psk_file", reader.sharedKeyFile)

        func need(_ key: String, with other: String) {
            if map.has(key), !map.has(other) { reader.fault(map.place(key), "'\(key)' needs '\(other)' with it") }
        }
        need("certificate_file", with: "key_file")
        need("key_file", with: "certificate_file")
        need("key_passphrase_file", with: "key_file")
        need("psk_identity", with: "psk_file")
        need("psk_file", with: "psk_identity")
        func exclude(_ key: String, _ others: [String]) {
            for other in others where map.has(key) && map.has(other) {
                reader.fault(map.place(other), "give either '\(key)' or '\(other)'")
            }
        }
        exclude("psk_file", ["ca_file", "crl_file", "fingerprint", "certificate_file"])
        exclude("fingerprint", ["ca_file", "crl_file"])
    }

    /// The bytes of a shared key's text; nil if it isn't a key.
    public static func sharedKey(_ secret: Secret) -> [UInt8]? {
        Hex.bytes(secret.text).flatMap { sharedKeySizes.contains($0.count) ? $0 : nil }
    }
}

extension ConfigurationReader {
    /// One fingerprint, or a list of them.
    fileprivate func fingerprints(_ node: YAMLNode) -> [Fingerprint]? {
        if case .sequence = node.value { return list(TLSSettings.fingerprintBound, of: readFingerprint)(node) }
        return readFingerprint(node).map { [$0] }
    }

    private func readFingerprint(_ node: YAMLNode) -> Fingerprint? {
        if case .scalar(let text, _) = node.value, let fingerprint = Fingerprint(text) { return fingerprint }
        expected("sha256: and 64 hexadecimal digits", node)
        return nil
    }

    fileprivate func sharedKeyIdentity(_ node: YAMLNode) -> String? {
        guard let text = string(node) else { return nil }
        guard (1...127).contains(text.utf8.count) else {
            expected("a name of at most 127 bytes", node)
            return nil
        }
        return text
    }

    fileprivate func sharedKeyFile(_ node: YAMLNode) -> SecretFile? {
        guard let file = secretFile(isStrict: true)(node) else { return nil }
        guard opensFiles, let line = try? file.line() else { return file }
        guard TLSSettings.sharedKey(line) != nil else {
            let sizes = TLSSettings.sharedKeySizes
            fault(
                node.position,
                """
                the file \(Quoted.path(file.path)) is not a key of \(sizes.lowerBound * 2) to \(sizes.upperBound * 2) \
                hexadecimal digits: openssl rand -hex 32
                """)
            return nil
        }
        return file
    }
}
