internal import System

/// The folder of a fleet's keys: the authority's, and a folder for each member to carry to its machine.
struct FleetFolder {
    /// Names of folders and of a file, which no member may have.
    static let reserved: Set<String> = ["authority", "broker", "passwords", "revoked"]
    /// The largest file that is read, in bytes.
    private static let bound = 1 << 24

    /// Its path, as it was given.
    let path: String

    /// The authority's own folder.
    var authority: String { "\(path)/authority" }
    /// The broker's files, if its certificate is the authority's.
    var broker: String { "\(path)/broker" }
    /// mosquitto's password file.
    var passwords: String { "\(path)/passwords" }
    /// The authority's certificate, which all members trust.
    var certificate: String { "\(authority)/ca.pem" }
    /// The authority's key.
    var key: String { "\(authority)/ca.key" }
    /// The list of revoked certificates.
    var list: String { "\(authority)/crl.pem" }
    /// The same list among the broker's files.
    var brokerList: String { "\(broker)/crl.pem" }
    /// The list of signed certificates.
    var book: String { "\(authority)/issued.csv" }

    /// The folder of a member.
    func folder(of member: String) -> String { "\(path)/\(member)" }

    /// A file's bytes.
    func read(_ path: String) throws(SystemError) -> [UInt8] { try WholeFile.read(path, bound: Self.bound) }

    /// mosquitto's password file, line by line; empty if there is none.
    func passwordLines() throws(SystemError) -> [String] {
        guard PrivateFiles.exists(passwords) else { return [] }
        return String(decoding: try read(passwords), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// True if a line of a password file is a user's.
    static func isLine(_ line: String, of user: String) -> Bool { line.hasPrefix("\(user):") }

    /// Replaces the lines of the password file.
    func writePasswords(_ lines: [String]) throws(SystemError) {
        try PrivateFiles.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: passwords)
    }

    /// Moves a member's folder to the revoked ones, and returns its new path; nil if there is none.
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
