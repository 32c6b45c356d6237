/// The reason why the database can't be used: the operation, PostgreSQL's text, and the remedy.
public struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Hashable, Sendable {
        /// The text of the connection, or the password's file, is wrong.
        case settings
        /// No connection, or one that broke.
        case unreachable
        /// The server rejects the user, the password or the database.
        case rejected
        /// The schema belongs to another program.
        case foreignSchema
        /// The schema was made by a newer version, which has this number.
        case newerSchema(Int)
        /// The server is too old, or its database has another encoding than UTF-8.
        case unfit
        /// The server has no room on its disk.
        case full
        /// Another process writes under the same name.
        case otherWriter
        /// The program is ending.
        case ended
        /// The server rejects a statement.
        case statement
    }

    /// The kind of failure.
    public var kind: Kind
    /// The operation, such as `connect`.
    public var purpose: String
    /// The text of the reason, in one line.
    public var words: String

    /// An error by all its values.
    public init(_ kind: Kind, purpose: String, words: String) {
        self.kind = kind
        self.purpose = purpose
        self.words = words
    }

    /// The remedy, in a sentence for the operator.
    public var mend: String {
        switch kind {
        case .settings: "mend `history.postgres` in the configuration"
        case .unreachable: "see that PostgreSQL runs, and that `connection` names it; what waits is written then"
        case .rejected: "see that user, password, database and pg_hba.conf agree with `connection` and `password_file`"
        case .foreignSchema: "give another database in `connection`, or rename the schema 'whereabouts' in this one"
        case .newerSchema: "install the newer version of whereabouts-fuser"
        case .unfit: "give a database of PostgreSQL 14 or newer with the encoding UTF8"
        case .full: "make room on the disk of PostgreSQL; what waits is written then"
        case .otherWriter: "give each fuser of the house a `name` of its own"
        case .ended: "none is needed"
        case .statement: "look into PostgreSQL's log"
        }
    }

    /// A text such as `connect: connection refused: see that …`.
    public var description: String { "\(purpose): \(words): \(mend)" }

    /// An error of PostgreSQL by its SQLSTATE (appendix A of its documentation).
    init(state: String, purpose: String, words: String) {
        let kind: Kind =
            switch state.prefix(2) {
            case "08": .unreachable
            // A statement that the server ended, as after its timeout, leaves the connection whole.
            case "57": state == "57014" ? .statement : .unreachable
            case "28", "3D": .rejected
            default:
                switch state {
                case "53100": .full
                // Too many connections.
                case "53300": .unreachable
                case "42501": .rejected
                default: .statement
                }
            }
        self.init(kind, purpose: purpose, words: words)
    }

    /// An error of libpq for a connection that was not made, from its verbose text, in whatever language.
    ///
    /// A server's answer has its SQLSTATE behind the severity, as `FATAL:  28P01: …`, and the place in the server's source in a
    /// line of its own. A text without SQLSTATE is that of libpq, which had no answer.
    init(refusal text: String) {
        let lines = text.split(separator: "\n").filter { !Self.isSourcePlace($0) }.joined(separator: "\n")
        let words = unsafe Self.line(lines)
        guard let state = text.split(separator: ":").last(where: Self.isState)?.dropFirst(2) else {
            self.init(.unreachable, purpose: "connect", words: words)
            return
        }
        self.init(state: String(state), purpose: "connect", words: words)
        // Nothing but the connection itself can be wrong.
        if kind == .statement { kind = .rejected }
    }

    /// True for a SQLSTATE with the two spaces that libpq puts before it.
    private static func isState(_ text: Substring) -> Bool {
        let characters = text.utf8.dropFirst(2)
        return text.hasPrefix("  ") && characters.count == 5
            && characters.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    /// True for a line such as `LOCATION:  ProcessStartupPacket, postmaster.c:2370`.
    private static func isSourcePlace(_ line: Substring) -> Bool {
        let parts = line.split(separator: ":")
        return parts.count > 1 && parts[parts.count - 2].hasSuffix(".c")
            && parts[parts.count - 1].allSatisfy(\.isNumber)
    }
}
