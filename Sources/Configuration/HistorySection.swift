internal import System

/// The section `postgres` of `history`: the database that has the long history as well.
public struct PostgresSettings: Hashable, Sendable {
    /// The connection in libpq's words, without a password (`connection`).
    public var connection: String
    /// The file of the password, read again for each connection (`password_file`).
    public var password: SecretFile?
    /// The time for which rows are kept there, 1 day to 10 years, default 400 days (`keep`).
    public var keep: Duration

    static let keys = ["connection", "password_file", "keep"]
    private static let longestConnection = 1000

    static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<PostgresSettings> {
        reader.map { map in
            let connection: String? = map.require("connection") { readConnection($0, reader) }
            let password = map.read("password_file", reader.secretFile(isStrict: false))
            let keep = map.read("keep", reader.duration(.seconds(86400)...(.seconds(3650 * 86400))))
            return connection.map {
                PostgresSettings(connection: $0, password: password, keep: keep ?? .seconds(400 * 86400))
            }
        }
    }

    /// The text of a connection. A fault never repeats it: it may contain a password.
    private static func readConnection(_ node: YAMLNode, _ reader: ConfigurationReader) -> String? {
        let expectation = "a connection such as \"host=db.lan dbname=whereabouts user=fuser\", or postgresql://…"
        guard case .scalar(let text, _) = node.value, !node.isNothing else {
            reader.expected(expectation, node)
            return nil
        }
        let words = text.split { $0 == " " || $0 == "?" || $0 == "&" }
        let afterScheme = text.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        let isURI = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
        let userInformation = isURI && afterScheme.contains("@") ? afterScheme.prefix { $0 != "@" } : ""
        if words.contains(where: { $0.hasPrefix("password") }) || userInformation.contains(":") {
            reader.fault(
                node.position, "'connection' has a password: write it into a file, and name that in 'password_file'")
            return nil
        }
        guard isURI || text.contains("="), Log.escaped(text) == text, text.utf8.count <= longestConnection else {
            reader.fault(node.position, "expected \(expectation)")
            return nil
        }
        return text
    }
}

/// The section `history`: how long visits and events of nodes are kept; a duration alone sets `keep`.
struct HistorySection {
    var keep: Duration?
    var audit: Duration?
    var postgres: PostgresSettings?

    static let postgresKeys = PostgresSettings.keys.map { "history.postgres.\($0)" }

    static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<HistorySection> {
        let duration = reader.duration(.seconds(3600)...(.seconds(3650 * 86400)))
        let map = reader.map { map in
            HistorySection(
                keep: map.read("keep", duration),
                audit: map.read("audit", reader.duration(.seconds(30 * 86400)...(.seconds(3650 * 86400)))),
                postgres: map.read("postgres", PostgresSettings.getter(reader)))
        }
        return { node in
            if case .mapping = node.value { return map(node) }
            return duration(node).map { HistorySection(keep: $0) }
        }
    }
}
