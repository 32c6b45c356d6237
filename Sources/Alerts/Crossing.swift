public import Bytes

/// What an alert or a reaction is told: that an item or a region was determined, entered or left.
public struct Crossing: Hashable, Sendable {
    /// Whom it is about.
    public enum Subject: Hashable, Sendable {
        /// A registered item, by its id.
        case item(String)
        /// A region, by its id.
        case region(String)

        /// The id of either.
        public var id: String {
            switch self {
            case .item(let id), .region(let id): id
            }
        }
    }

    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// Where it is became known, as after a start: no crossing.
        case determined(isInside: Bool)
        /// It came.
        case enter
        /// It went.
        case exit

        /// Whether that leaves it inside.
        public var isInside: Bool {
            switch self {
            case .determined(let isInside): isInside
            case .enter: true
            case .exit: false
            }
        }

        /// The word of events and configurations: `determined`, `enter` or `exit`.
        public var word: String {
            switch self {
            case .determined: "determined"
            case .enter: "enter"
            case .exit: "exit"
            }
        }
    }

    /// Whom it is about.
    public var subject: Subject
    /// What happened.
    public var kind: Kind
    /// When it was so decided: for an exit, its last packet and exit time.
    public var at: Timestamp
    /// The earliest that it can have happened: for an exit, its last packet.
    public var notBefore: Timestamp

    /// A crossing; one that is decided as it happens needs no `notBefore`.
    public init(_ subject: Subject, _ kind: Kind, at: Timestamp, notBefore: Timestamp? = nil) {
        self.subject = subject
        self.kind = kind
        self.at = at
        self.notBefore = notBefore ?? at
    }
}
