import Configuration
import Support
import System
import Testing

/// The section `web` of a fuser.
struct PageSettingsTests {
    private static let token = "0123456789abcdef"

    private static func load(
        _ section: String, tokens: String = "admin:\(token)\n", mode: UInt32 = 0o600
    ) throws -> FuserConfiguration {
        let folder = try TemporaryFolder()
        try setMode(mode, of: try folder.write(Array(tokens.utf8), to: "tokens"))
        let text = "mqtt: {url: \"mqtt://127.0.0.1\"}\nweb: \(section)\n"
        return try FuserConfiguration.load(text: text, file: folder.file("fuser.yaml"))
    }

    private static func faults(_ section: String, tokens: String = "admin:\(token)\n", mode: UInt32 = 0o600) -> String {
        do {
            return try load(section, tokens: tokens, mode: mode).warnings.map(\.description).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test func readsAllKeys() throws {
        let page = try #require(
            try Self.load(
                "{listen: \"[::1]:8099\", token_file: tokens, files: site, prefix: /a/b, ingress: [\"172.30.32.2\"]}",
                tokens: "# mine\n\nadmin:\(Self.token)\r\nviewer:nora:\(Self.token)x\n"
            ).web)
        #expect(page.listen == NetworkAddress(host: "::1", port: 8099))
        #expect(page.tokens.map(\.role) == [.admin, .viewer] && page.tokens[1].secret.text == "\(Self.token)x")
        #expect(page.tokens.map(\.user) == ["token", "nora"])
        #expect(page.files.hasSuffix("/site") && page.prefix == "/a/b" && page.ingress == ["172.30.32.2"])
        let least = try #require(try Self.load("{listen: \"127.0.0.1:1\", token_file: tokens}").web)
        #expect(least.files == PageSettings.installedFiles && least.prefix.isEmpty && least.certificate == nil)
        #expect(try Self.load("{listen: \"127.0.0.1:1\", token_file: tokens}").withoutEffect.isEmpty)
    }

    @Test(arguments: [
        ("{listen: \"127.0.0.1:1\"}", "the page accepts nobody"),
        ("{listen: \"0.0.0.0:1\", token_file: tokens}", "tokens cross the network as they are"),
        ("{token_file: tokens}", "'listen' is missing"), ("{listen: here}", "expected an address and port"),
        ("{listen: \"127.0.0.1:1\", certificate: tokens}", "'certificate' needs 'key' with it"),
        ("{listen: \"127.0.0.1:1\", prefix: a/}", "expected a path such as /whereabouts"),
        ("{listen: \"127.0.0.1:1\", prefix: /a/../b}", "expected a path such as /whereabouts"),
        ("{listen: \"127.0.0.1:1\", ingress: [proxy]}", "expected the address of a proxy"),
        ("{listen: \"127.0.0.1:1\", token_file: missing}", "does not exist"),
    ])
    func saysWhatIsWrong(_ section: String, _ words: String) {
        #expect(Self.faults(section).contains(words))
    }

    @Test(arguments: [
        ("admin\n", "tokens:1:1: expected role:token or role:user:token"),
        ("\nboss:\(token)\n", "tokens:2:1: expected role:token"), ("admin:secret\n", "has at least 16 letters"),
        ("admin:with a blank in the token\n", "has at least 16 letters"), ("# none\n", "has no token"),
        ("admin:Nora N:\(token)\n", "tokens:1:1: a user is"), ("admin::\(token)\n", "tokens:1:1: a user is"),
        ("admin:nora:\(token):\(token)\n", "tokens:1:1: expected role:token or role:user:token"),
    ])
    func neverRepeatsATokensLine(_ tokens: String, _ words: String) {
        let faults = Self.faults("{listen: \"127.0.0.1:1\", token_file: tokens}", tokens: tokens)
        #expect(faults.contains(words))
        #expect(!faults.contains("secret") && !faults.contains("blank in") && !faults.contains(Self.token))
    }

    @Test func wantsAPrivateFile() {
        let faults = Self.faults("{listen: \"127.0.0.1:1\", token_file: tokens}", mode: 0o644)
        #expect(faults.contains("may be read by others than its user"))
    }
}
