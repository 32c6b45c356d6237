public import Bytes

/// The input of alerts and reactions: an item or a region was determined, entered or left.
public struct Crossing: Hashable, Sendable {
    /// The item or region of a crossing.
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

    /// The kinds of crossings.
    public enum Kind: Hashable, Sendable {
        /// Its state became known, as after a start: no crossing.
        case determined(isInside: Bool)
        /// It arrived.
        case enter
        /// It went.
        case exit

        /// A Boolean value that is true if it is inside afterwards.
        public var isInside: Bool {
            switch self {
            case .determined(let isInside): isInside
            case .enter: true
            case .exit: false
            }
        }

        /// The name in events and configurations: `determined`, `enter` or `exit`.
        public var word: String {
            switch self {
            case .determined: "determined"
            case .enter: "enter"
            case .exit: "exit"
            }
        }
    }

    /// The item or region.
    public var subject: Subject
    /// The kind of crossing.
    public var kind: Kind
    /// The time of the decision: for an exit, its last packet and exit time.
    public var at: Timestamp
    /// The earliest possible time: for an exit, its last packet.
    public var notBefore: Timestamp

    /// A crossing; one that is decided as it happens needs no `notBefore`.
    public init(_ subject: Subject, _ kind: Kind, at: Timestamp, notBefore: Timestamp? = nil) {
        self.subject = subject
        self.kind = kind
        self.at = at
        self.notBefore = notBefore ?? at
    }
}
