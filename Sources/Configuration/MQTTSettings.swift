internal import Bytes

/// The section `mqtt`: the connection to the broker.
public struct MQTTSettings: Hashable, Sendable {
    /// The broker (`url`, or the first of `urls`).
    public var url: BrokerURL
    /// Other brokers, tried in turn if that one can't be reached (the rest of `urls`); three at most.
    public var others: [BrokerURL] = []
    /// The user's name there (`username`).
    public var username: String?
    /// The file of the user's password (`password_file`), read again for each connection.
    public var password: SecretFile?
    /// The security of the connection with `mqtts`.
    public var tls = TLSSettings()
    /// A client id in place of the program's own; it is fixed as well (`client_id`).
    public var clientID: String?
    /// The keep-alive of a quiet connection, 5 s to 65535 s, default 30 s (`keepalive`).
    public var keepAlive: Duration

    /// Settings for a broker without credentials.
    public init(url: BrokerURL) {
        self.url = url
        keepAlive = .seconds(30)
    }

    /// All brokers, in the order in which they are tried.
    public var brokers: [BrokerURL] { [url] + others }

    static let keys = ["url", "urls", "username", "password_file", "client_id", "keepalive"] + TLSSettings.keys

    /// Reads the section, in any file that names a broker.
    public static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<MQTTSettings> {
        reader.map { map in
            let urls = Self.urls(map, reader)
            let username = map.read("username", reader.string)
            let password = map.read("password_file", reader.secretFile(isStrict: false))
            let tls = TLSSettings(map, reader)
            let clientID = map.read("client_id", reader.clientID)
            let keepAlive = map.read("keepalive", reader.duration(.seconds(5)...(.seconds(65535))))
            if map.has("password_file"), !map.has("username") {
                reader.fault(map.place("password_file"), "a password needs a 'username' with it")
            }
            guard let url = urls.first else { return nil }
            for key in TLSSettings.keys where map.has(key) && !urls.contains(where: \.isSecure) {
                reader.warn(map.place(key), "'\(key)' has no effect without mqtts://")
            }
            var settings = MQTTSettings(url: url)
            settings.others = Array(urls.dropFirst())
            settings.username = username
            settings.password = password
            settings.tls = tls
            settings.clientID = clientID
            if let keepAlive {
                if keepAlive.milliseconds % 1000 != 0 {
                    reader.fault(map.place("keepalive"), "'keepalive' is whole seconds")
                }
                settings.keepAlive = keepAlive
            }
            return settings
        }
    }
}

extension ConfigurationReader {
    /// A broker's URL. A fault never repeats the text: it may contain a password.
    public func brokerURL(_ node: YAMLNode) -> BrokerURL? {
        guard case .scalar(let text, _) = node.value, !node.isNothing else {
            expected("a URL such as mqtt://broker.lan:1883", node)
            return nil
        }
        do {
            return try BrokerURL(text)
        } catch {
            fault(node.position, error.message)
            return nil
        }
    }

    /// The beginning of all topics: levels of letters, digits, `_` and `-`, separated by `/`.
    ///
    /// No level has a space or a dot, because clustered brokers map those.
    public func topicPrefix(_ node: YAMLNode) -> String? {
        if case .scalar(let text, _) = node.value, text.utf8.count <= 128 {
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            let isPlain = levels.allSatisfy { level in
                !level.isEmpty
                    && level.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
                            || byte == 0x2D
                    }
            }
            if isPlain { return text }
        }
        expected("a topic prefix of letters, digits, '_', '-' and '/' between levels", node)
        return nil
    }

    fileprivate func clientID(_ node: YAMLNode) -> String? {
        guard let text = string(node) else { return nil }
        guard (1...128).contains(text.utf8.count) else {
            expected("a client id of at most 128 bytes", node)
            return nil
        }
        return text
    }
}
