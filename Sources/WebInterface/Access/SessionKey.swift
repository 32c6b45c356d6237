internal import Bytes
internal import Configuration
internal import Crypto
internal import System

/// The key that signs sessions. It is derived from the tokens: fusers with the same ones accept each other's sessions,
/// and a change of them ends all.
struct SessionKey: Sendable {
    /// Rounds that make it dear to guess a token by a cookie, some 0.1 s once at the start.
    static let rounds = 100_000
    private static let salt = Array("whereabouts page sessions 1".utf8)

    private let bytes: [UInt8]

    init(_ tokens: [WebToken], rounds: Int = Self.rounds) {
        let lines = tokens.map { "\($0.role.rawValue):\($0.secret.text)\n" }.sorted()
        // Without tokens nobody signs in: the key is then one that nobody knows.
        let secret = lines.isEmpty ? RandomSecret.make() : lines.joined()
        bytes = PBKDF2.sha512(Array(secret.utf8), salt: Self.salt, iterations: rounds)
    }

    /// A text with its signature behind it.
    func sign(_ text: String) -> String { "\(text).\(code(text))" }

    /// The text before a signature; nil if that is not ours.
    func verify(_ signed: String) -> Substring? {
        guard let end = signed.lastIndex(of: ".") else { return nil }
        let text = signed[..<end]
        let given = Array(signed[signed.index(after: end)...].utf8)
        return ConstantTime.isEqual(given, Array(code(text).utf8)) ? text : nil
    }

    /// The text that writes of a session repeat.
    func csrf(of session: PageSession) -> String { code("csrf " + session.id) }

    private func code(_ text: some StringProtocol) -> String {
        Hex.text(HMAC.sha256(Array(text.utf8), key: bytes).span)
    }
}
