/// The form of nats-server's `authorization`, for clients of its `mqtt` that `verify_and_map` knows by certificates.
extension AccessList {
    /// The subjects by which nats-server delivers messages of QoS 1. It denies a client of MQTT any subscription there.
    private static let deliveries = "$MQTT.sub.>"

    /// The block, line by line. A user is the subject of a certificate that `enroll` made.
    ///
    /// No user has a password. A client of NATS's own protocol would need none, so only MQTT is allowed.
    var natsLines: [String] {
        var lines = [
            "# Made by `whereabouts acl --nats`. In nats-server.conf: include it, and verify_and_map in mqtt's tls.",
            "# Restart the servers for it, one by one: after a reload clients stay connected and receive nothing.",
            "authorization {", "  users: [",
        ]
        for user in users {
            let rules = user.rules
            let written = rules.filter(\.right.writes).flatMap(\.natsSubjects)
            let read = rules.filter(\.right.reads).flatMap(\.natsSubjects)
            lines += ["    # \(user.grants.map(\.name).joined(separator: ", "))", "    {"]
            lines += ["      user: \"CN=\(user.name)\"", "      allowed_connection_types: [\"MQTT\"]"]
            lines.append("      permissions: {")
            lines += Self.permission("publish", written) + Self.permission("subscribe", [Self.deliveries] + read)
            lines += ["      }", "    }"]
        }
        return lines + ["  ]", "}"]
    }

    /// The topics that nats-server does not carry, or takes for others; a sentence each.
    var natsFaults: [String] {
        users.flatMap { user in
            user.rules.filter { !$0.hasNATSSubjects }.map { rule in
                "'\(user.name)' has the topic '\(rule.filter)', and nats-server none with a space, '*', '>', '\"' or '\\'"
            }
        }
    }

    /// One of a user's two permissions. An empty `allow` would grant everything.
    private static func permission(_ name: String, _ subjects: [String]) -> [String] {
        guard !subjects.isEmpty else { return ["        \(name): { deny: [\">\"] }"] }
        return ["        \(name): { allow: ["] + subjects.map { "          \"\($0)\"" } + ["        ] }"]
    }
}

extension AccessRule {
    /// True if no character of the topics ends a publisher's connection, or is a wildcard or an escape there.
    fileprivate var hasNATSSubjects: Bool {
        let others = Set("*>\"\\".utf8)
        return filter.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !others.contains($0) }
    }

    /// The subjects of the topics. nats-server writes `.` between levels, `//` for a dot and `/` for an empty level.
    /// Its `>` does not include the level above, as `#` does.
    fileprivate var natsSubjects: [String] {
        let levels = filter.split(separator: "/", omittingEmptySubsequences: false).map { level -> String in
            switch level {
            case "": "/"
            case "+": "*"
            case "#": ">"
            default: String(level).replacing(".", with: "//")
            }
        }
        let subject = levels.joined(separator: ".")
        guard levels.count > 1, levels.last == ">" else { return [subject] }
        return [levels.dropLast().joined(separator: "."), subject]
    }
}
