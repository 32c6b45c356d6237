public import System
internal import WireProtocol

/// A token of a page, and the rights of those who have it.
public struct WebToken: Hashable, Sendable {
    /// The rights.
    public var role: WebRole
    /// The token.
    public var secret: Secret
    /// The user to whom changes are ascribed: `token` where the file names none.
    public var user: String

    /// A token with its rights and its user.
    public init(role: WebRole, secret: Secret, user: String? = nil) {
        (self.role, self.secret, self.user) = (role, secret, user ?? "token")
    }
}

/// The section `web` of a fuser: its page, which is off if the section is absent.
public struct PageSettings: Hashable, Sendable {
    /// The address of the page (`listen`).
    public var listen: NetworkAddress
    /// The tokens that the page accepts (`token_file`).
    public var tokens: [WebToken] = []
    /// The certificate and the key of HTTPS, files in PEM (`certificate`, `key`); nil for plain HTTP.
    public var certificate: Certificate?
    /// The folder of the page's own files (`files`), default `/usr/share/whereabouts/web`.
    public var files = PageSettings.installedFiles
    /// The path under which a proxy shows the page (`prefix`), without a slash at its end; empty for none.
    public var prefix = ""
    /// The addresses of proxies that sign users in by themselves (`ingress`).
    public var ingress: [String] = []
    /// True if items and persons are labels of `/metrics` (`metrics_items`).
    public var countsItems = false

    /// The file of the other sites that the page shows (`sites`); nil for none.
    public var sites: String?

    /// The files of HTTPS.
    public struct Certificate: Hashable, Sendable {
        /// The certificate with those above it.
        public var chain: String
        /// The private key.
        public var key: SecretFile
    }

    /// The folder that a package installs.
    public static let installedFiles = "/usr/share/whereabouts/web"
    /// The shortest token: one of random letters and digits then has 80 bits.
    static let shortestToken = 16
    static let keys = ["listen", "token_file", "certificate", "key", "files", "prefix", "metrics_items", "sites"]

    /// A page at an address, with the defaults of everything else.
    public init(listen: NetworkAddress) {
        self.listen = listen
    }

    static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<PageSettings> {
        reader.map { map in
            let listen = map.require("listen", reader.listenAddress("127.0.0.1:8099"))
            let tokens = map.read("token_file", reader.webTokens)
            let chain = map.read("certificate", reader.existingFile)
            let key = map.read("key", reader.keyFile)
            let files = map.read("files", reader.path)
            let prefix = map.read("prefix", reader.pathPrefix)
            let countsItems = map.read("metrics_items", reader.boolean)
            let sites = map.read("sites", reader.existingFile)
            let ingress = map.read("ingress", reader.list(8, of: reader.peerAddress)) ?? []
            for (key, other) in [("certificate", "key"), ("key", "certificate")] where map.has(key) && !map.has(other) {
                reader.fault(map.place(key), "'\(key)' needs '\(other)' with it")
            }
            if !map.hasAny(of: ["token_file", "ingress"]) {
                reader.warn(map.position, "the page accepts nobody: give 'token_file', or 'ingress' for a proxy")
            }
            guard let listen else { return nil }
            if !map.has("certificate"), !listen.isLoopback {
                reader.warn(
                    map.place("listen"),
                    "tokens cross the network as they are: give 'certificate' and 'key', or listen on 127.0.0.1 "
                        + "behind a proxy with HTTPS")
            }
            var settings = PageSettings(listen: listen)
            settings.tokens = tokens ?? []
            settings.countsItems = countsItems ?? false
            if let chain, let key { settings.certificate = Certificate(chain: chain, key: key) }
            settings.files = files ?? installedFiles
            settings.prefix = prefix ?? ""
            settings.ingress = ingress
            settings.sites = sites
            return settings
        }
    }
}

extension NetworkAddress {
    /// True if only this machine reaches it.
    var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" || host == "localhost" }
}

extension ConfigurationReader {
    /// An address with a port; the fault shows an example.
    func listenAddress(_ example: String) -> Getter<NetworkAddress> {
        { node in
            if case .scalar(let text, _) = node.value, let address = NetworkAddress(text) { return address }
            self.expected("an address and port such as \(example)", node)
            return nil
        }
    }

    /// A path such as `/whereabouts`; `/` is none.
    fileprivate func pathPrefix(_ node: YAMLNode) -> String? {
        guard let text = string(node) else { return nil }
        if text == "/" || text.isEmpty { return "" }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPath =
            text.hasPrefix("/") && text.utf8.count <= 128
            && levels.allSatisfy { level in
                !level.isEmpty && level != "." && level != ".."
                    && level.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                            || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
                    }
            }
        if isPath { return text }
        expected("a path such as /whereabouts, without a slash at its end", node)
        return nil
    }

    fileprivate func peerAddress(_ node: YAMLNode) -> String? {
        if case .scalar(let text, _) = node.value, let address = NetworkAddress.numeric(text) { return address }
        expected("the address of a proxy, such as 172.30.32.2", node)
        return nil
    }

    /// The tokens of a file, a line each: `role:token` or `role:user:token`. Empty lines and those that begin with `#` are
    /// left out.
    fileprivate func webTokens(_ node: YAMLNode) -> [WebToken]? {
        guard let path = path(node) else { return nil }
        guard opensFiles else { return [] }
        let bytes: [UInt8]
        do throws(SecretFile.Problem) {
            bytes = try SecretFile(path: path).read()
        } catch {
            fault(node.position, "the file \(Quoted.path(path)) \(error.sentence)")
            return nil
        }
        var tokens: [WebToken] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard let text = String(validating: line, as: UTF8.self)?.filter({ $0 != "\r" }), !text.hasPrefix("#")
            else { continue }
            if text.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            // The line is never repeated: it may hold a token.
            let place = ConfigurationPosition(file: path, line: index + 1, column: 1)
            guard (2...3).contains(parts.count), let role = WebRole(rawValue: parts[0]), let token = parts.last else {
                let roles = WebRole.allCases.map(\.rawValue).joined(separator: ", ")
                fault(place, "expected role:token or role:user:token; roles are \(roles)")
                continue
            }
            let user = parts.count == 3 ? parts[1] : nil
            guard user.map(Topics.isUser) ?? true else {
                fault(place, "a user is up to \(Topics.userLimit) letters, digits, '.', '_', '-' and '@'")
                continue
            }
            guard token.utf8.count >= PageSettings.shortestToken, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                fault(
                    place,
                    "a token has at least \(PageSettings.shortestToken) letters and digits and no blank: "
                        + "make one by 'openssl rand -hex 16'")
                continue
            }
            tokens.append(WebToken(role: role, secret: Secret(token), user: user))
        }
        if tokens.isEmpty, faults.isEmpty { fault(node.position, "the file \(Quoted.path(path)) has no token") }
        return tokens
    }
}
