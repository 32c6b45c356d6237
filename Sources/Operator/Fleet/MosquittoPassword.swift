internal import Crypto

/// A user's password as mosquitto stores it: PBKDF2 with SHA-512, in base64, as mosquitto_passwd(1) writes it.
struct MosquittoPassword: Hashable {
    /// Number of hash iterations.
    var iterations: Int
    /// The salt, in base64.
    var salt: String
    /// The hash, in base64.
    var hash: String

    /// Hashes a password as mosquitto does by default, with a salt of twelve bytes.
    init(_ password: String, salt: [UInt8]) {
        iterations = 101
        self.salt = Base64.text(salt)
        hash = Base64.text(PBKDF2.sha512(Array(password.utf8), salt: salt, iterations: iterations))
    }

    /// The line of a password file: `user:$7$iterations$salt$hash`.
    func line(of user: String) -> String { "\(user):$7$\(iterations)$\(salt)$\(hash)" }

    /// Reads a line of a password file; nil if it is not of this kind.
    init?(line: Substring) {
        guard let colon = line.lastIndex(of: ":") else { return nil }
        let parts = line[line.index(after: colon)...].split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "7", let iterations = Int(parts[2]), iterations > 0,
            !parts[3].isEmpty, !parts[4].isEmpty
        else { return nil }
        (self.iterations, salt, hash) = (iterations, String(parts[3]), String(parts[4]))
    }

    /// All passwords of a file by their users, and the numbers of lines that are of another kind.
    static func read(_ text: String) -> (passwords: [String: MosquittoPassword], others: [Int]) {
        var passwords: [String: MosquittoPassword] = [:]
        var others: [Int] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            if let password = MosquittoPassword(line: line), let colon = line.lastIndex(of: ":") {
                passwords[String(line[..<colon])] = password
            } else {
                others.append(index + 1)
            }
        }
        return (passwords, others)
    }
}
