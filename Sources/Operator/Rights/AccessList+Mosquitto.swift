/// The form of mosquitto's `acl_file` (mosquitto.conf(5)).
extension AccessList {
    /// The file, line by line.
    var mosquittoLines: [String] {
        var lines = [
            "# Made by `whereabouts acl`. In mosquitto.conf: allow_anonymous false, acl_file, and password_file;",
            "# or, for certificates, require_certificate true and use_identity_as_username true.",
        ]
        for user in users {
            lines += ["", "# \(user.grants.map(\.name).joined(separator: ", "))", "user \(user.name)"]
            lines += user.rules.map { "topic \($0.right.rawValue) \($0.filter)" }
        }
        return lines
    }
}
