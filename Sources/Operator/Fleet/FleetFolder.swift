internal import System

/// Where a fleet's keys lie: the authority's, and a folder for each member to carry to its machine.
struct FleetFolder {
    /// Folders and a file that no member may be called after.
    static let reserved: Set<String> = ["authority", "broker", "passwords", "revoked"]
    /// The largest file that is read, in bytes.
    private static let bound = 1 << 24

    /// Its path, as it was given.
    let path: String

    /// The authority's own folder.
    var authority: String { "\(path)/authority" }
    /// What the broker needs, where its certificate is the authority's.
    var broker: String { "\(path)/broker" }
    /// mosquitto's password file.
    var passwords: String { "\(path)/passwords" }
    /// The authority's certificate: what everybody trusts.
    var certificate: String { "\(authority)/ca.pem" }
    /// The authority's key.
    var key: String { "\(authority)/ca.key" }
    /// What holds no longer.
    var list: String { "\(authority)/crl.pem" }
    /// What was signed.
    var book: String { "\(authority)/issued.csv" }

    /// The folder of a member.
    func folder(of member: String) -> String { "\(path)/\(member)" }

    /// A file's bytes.
    func read(_ path: String) throws(SystemError) -> [UInt8] { try WholeFile.read(path, bound: Self.bound) }

    /// mosquitto's password file, line by line; empty where there is none.
    func passwordLines() throws(SystemError) -> [String] {
        guard PrivateFiles.exists(passwords) else { return [] }
        return String(decoding: try read(passwords), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether a line of a password file is a user's.
    static func isLine(_ line: String, of user: String) -> Bool { line.hasPrefix("\(user):") }

    /// Puts lines in the place of the password file.
    func writePasswords(_ lines: [String]) throws(SystemError) {
        try PrivateFiles.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: passwords)
    }

    /// Carries a member's folder to those that hold no longer, and gives its new path; nil where there is none.
    func retire(_ member: String) throws(SystemError) -> String? {
        guard PrivateFiles.exists(folder(of: member)) else { return nil }
        try PrivateFiles.makeFolder("\(path)/revoked")
        var place = "\(path)/revoked/\(member)"
        var number = 1
        while PrivateFiles.exists(place) {
            number += 1
            place = "\(path)/revoked/\(member)-\(number)"
        }
        try PrivateFiles.move(folder(of: member), to: place)
        return place
    }
}
