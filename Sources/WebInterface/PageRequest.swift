public import Bytes
public import Configuration
public import Identity
public import Metrics
public import WireProtocol
internal import Web

/// A request of the page to the fuser, whose thread answers it.
public struct PageRequest: Sendable {
    /// The request.
    public enum Action: Hashable, Sendable {
        /// A command, as it could come over MQTT.
        case command(FuserCommand.Action)
        /// Registers an item, or changes its entry.
        case putItem(ItemChange)
        /// Removes an item from the registry.
        case removeItem(String)
        /// Registers the items of a file, or compares them with the registry.
        case importItems(ItemImport)
        /// Asks a node for the tags near it, or ends that.
        case enrol(EnrolmentRequest)
        /// Puts a plan of the house in force that a user made of the one with a revision; nil for any.
        case putPlan(HousePlan, madeOf: UInt64?)
        /// Publishes the picture of a floor, or removes it if it is empty.
        case putPicture(floor: String, [UInt8])
        /// Records, shows or deletes the true rooms of an item.
        case truth(TruthRequest)
        /// Sets the offset of a node's levels in dB; nil restores that of its configuration.
        case setOffset(node: String, Int?)
        /// Examines the house, with its nodes as the board has them.
        case doctor([ExaminedNode])
        /// Lists the changes that were made before one of this number, the newest first.
        case audit(before: UInt64?, limit: Int)
        /// Lists all changes since a moment, as a table.
        case auditTable(since: Timestamp?)
        /// Gives the fuser's metrics, as a text in a format.
        case metrics(MetricsText)

        /// True if it changes something, which the audit records.
        public var isWrite: Bool {
            switch self {
            case .command(let action):
                switch action {
                case .learn(.status), .learn(.list), .why, .history, .journal, .audit: false
                case .learn(.start), .learn(.stop), .learn(.undo), .purge, .silence, .set, .replay: true
                }
            case .putItem, .removeItem, .enrol, .putPlan, .putPicture, .setOffset: true
            case .truth(let request): request.isAudited
            case .importItems(let request): !request.isPreview
            case .audit, .auditTable, .metrics, .doctor: false
            }
        }
    }

    /// A node as the board has it.
    public struct ExaminedNode: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its retained status; nil for none.
        public var status: String?
        /// Its `info`; nil for none.
        public var info: NodeInfo?
    }

    /// The sender of a request, for the audit.
    public struct Sender: Hashable, Sendable {
        /// The user's name, and the user's role.
        public var user: String, role: WebRole
        /// The address that the request came from.
        public var peer: String
        /// The request's method and path.
        public var method: String, path: String

        /// A sender with all its parts.
        public init(user: String, role: WebRole, peer: String, method: String, path: String) {
            self.user = user
            self.role = role
            self.peer = peer
            self.method = method
            self.path = path
        }
    }

    /// The fuser's answer.
    public enum Answer: Hashable, Sendable {
        /// A report, as JSON.
        case report([UInt8])
        /// A text of a type.
        case text([UInt8], type: String)
        /// A plan that is in force, as JSON, with its revision.
        case plan([UInt8], revision: UInt64)
        /// A table (text/csv), with the name under which it is saved.
        case table([UInt8], name: String)
        /// Somebody else was faster, as this says (412).
        case outdated(String)
        /// There is no such item or lesson, for this reason (404).
        case unknown(String)
        /// It can't be done now, for this reason (409).
        case conflict(String)
        /// It can't be done by this fuser now, for this reason (503).
        case unavailable(String)

        /// The status of the answer.
        public var status: Int {
            switch self {
            case .report, .text, .plan, .table: 200
            case .outdated: 412
            case .unknown: 404
            case .conflict: 409
            case .unavailable: 503
            }
        }

        var response: HTTPResponse {
            switch self {
            case .report(let bytes): .json(bytes)
            case .text(let bytes, let type):
                HTTPResponse(
                    200, headers: [.init("Content-Type", type), .init("Cache-Control", "no-store")], body: bytes)
            case .plan(let bytes, let revision): .json(bytes, headers: [.init("ETag", "\"\(revision)\"")])
            case .table(let bytes, let name):
                HTTPResponse(
                    200,
                    headers: [
                        .init("Content-Type", "text/csv"), .init("Cache-Control", "no-store"),
                        .init("Content-Disposition", "attachment; filename=\"\(name)\""),
                    ], body: bytes)
            case .outdated(let reason), .unknown(let reason), .conflict(let reason), .unavailable(let reason):
                Problem(status, reason).response
            }
        }
    }

    /// The request.
    public let action: Action
    /// Its sender.
    public let sender: Sender
    /// The name under which the requests of one viewer are counted.
    let account: String
    private let reply: @Sendable (Answer) -> Void

    /// A request; `reply` is called once, by the thread that answers.
    public init(
        action: Action, sender: Sender, account: String = "", reply: @escaping @Sendable (Answer) -> Void
    ) {
        self.account = account
        self.action = action
        self.sender = sender
        self.reply = reply
    }

    /// Answers it.
    public func answer(_ answer: Answer) { reply(answer) }
}
