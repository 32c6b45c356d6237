internal import CPostgres

/// The options of a connection, as libpq reads them (PQconninfoParse).
enum ConnectionOptions {
    /// The defaults that make a connection end in any case.
    private static let bounds = [
        "connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
        "tcp_user_timeout": "30000",
    ]

    /// The options of a text. No error repeats a text that may have a password in it.
    static func parse(_ connection: String) throws(HistoryError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let first = unsafe PQconninfoParse(connection, &message) else {
            defer { unsafe PQfreemem(message) }
            let words = unsafe message.map { unsafe HistoryError.line($0) } ?? "no memory"
            // Other messages repeat a part of the text.
            let isHarmless = words.utf8.starts(with: "invalid connection option".utf8)
            throw HistoryError(
                .settings, purpose: "read 'connection'",
                words: isHarmless ? words : "it is neither 'host=… dbname=… user=…' nor a URI that libpq understands")
        }
        defer { unsafe PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = unsafe first
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe options[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        guard options["password"] == nil, options["sslpassword"] == nil else {
            throw HistoryError(
                .settings, purpose: "read 'connection'", words: "it has a password, which belongs into 'password_file'")
        }
        return options
    }

    /// All options of a connection.
    static func complete(
        _ connection: String, password: String?, program: String
    ) throws(HistoryError) -> [(key: String, value: String)] {
        var options = try parse(connection)
        options.merge(bounds) { given, _ in given }
        options["fallback_application_name"] = program
        options["client_encoding"] = "UTF8"
        if let password { options["password"] = password }
        return options.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    /// The options for each host of a list, in their order. libpq itself goes on to the next host where one refuses,
    /// and waits where one does not answer. Lists of different lengths are left to libpq, which rejects them.
    static func splitHosts(_ options: [(key: String, value: String)]) -> [[(key: String, value: String)]] {
        var lists: [String: [Substring]] = [:]
        for (key, value) in options where ["host", "hostaddr", "port"].contains(key) && !value.isEmpty {
            lists[key] = value.split(separator: ",", omittingEmptySubsequences: false)
        }
        let count = max(lists["host"]?.count ?? 0, lists["hostaddr"]?.count ?? 0)
        // One port is that of all hosts.
        if lists["port"]?.count == 1 { lists["port"] = nil }
        guard count > 1, lists.values.allSatisfy({ $0.count == count }) else { return [options] }
        return (0..<count).map { index in
            options.map { (key: $0.key, value: lists[$0.key].map { String($0[index]) } ?? $0.value) }
        }
    }
}

extension HistoryError {
    /// The first lines of libpq's text as one.
    @unsafe static func line(_ text: UnsafePointer<CChar>) -> String {
        let bytes = unsafe Array(String(cString: text).utf8.prefix(500))
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.prefix(3)
        let whole = Array(lines.map { Array($0.map { $0 == 0x09 ? 0x20 : $0 }) }.joined(separator: Array("; ".utf8)))
        return String(decoding: whole, as: UTF8.self)
    }
}
