internal import Bytes

/// The certificates that an authority has signed, and their revocations: a table of comma-separated values beside its
/// key.
struct IssuedBook: Hashable {
    /// A certificate.
    struct Entry: Hashable {
        /// Its serial number, hexadecimal.
        var serial: String
        /// The member's name.
        var name: String
        /// The time of its signing.
        var issued: Timestamp
        /// The end of its validity.
        var ends: Timestamp
        /// The time of its revocation.
        var revoked: Timestamp?
    }

    /// An invalid line.
    struct Fault: Error {
        var line: Int
    }

    static let header = "serial,name,issued,ends,revoked"

    /// All certificates in the order of their signing.
    private(set) var entries: [Entry] = []

    /// A book without entries.
    init() {}

    /// Reads a book.
    init(_ text: String) throws(Fault) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && line != Self.header {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5, !fields[0].isEmpty, Hex.bytes(fields[0]) != nil, !fields[1].isEmpty,
                let issued = Self.readMoment(fields[2]), let ends = Self.readMoment(fields[3])
            else { throw Fault(line: index + 1) }
            let revoked = Self.readMoment(fields[4])
            guard fields[4].isEmpty || revoked != nil else { throw Fault(line: index + 1) }
            entries.append(Entry(serial: fields[0], name: fields[1], issued: issued, ends: ends, revoked: revoked))
        }
    }

    /// The book as a text.
    var text: String {
        let rows = entries.map { entry in
            [
                entry.serial, entry.name, Self.momentText(entry.issued), Self.momentText(entry.ends),
                entry.revoked.map(Self.momentText) ?? "",
            ].joined(separator: ",")
        }
        return ([Self.header] + rows).joined(separator: "\n") + "\n"
    }

    /// Adds a certificate that is signed now.
    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Revokes a member's certificates, or all but the latest; returns those that were valid until then.
    mutating func revoke(_ name: String, keepingLatest: Bool, at now: Timestamp) -> [Entry] {
        var indices = entries.indices.filter { entries[$0].name == name && entries[$0].revoked == nil }
        if keepingLatest { indices = indices.dropLast() }
        for index in indices { entries[index].revoked = now }
        return indices.map { entries[$0] }
    }

    private static func readMoment(_ text: String) -> Timestamp? {
        Int64(text).flatMap { seconds in
            (0...253_402_300_799).contains(seconds) ? Timestamp(microseconds: seconds * 1_000_000) : nil
        }
    }

    private static func momentText(_ moment: Timestamp) -> String { "\(moment.microseconds / 1_000_000)" }
}
