internal import Bytes
public import WireProtocol

/// A notice that was another fuser's to publish, and of which no event was heard.
public struct HeldNotice: Hashable, Sendable {
    /// The notice.
    public var notice: AlertNotice
    /// Whether the other fuser had no time to publish it before its end, or nobody was there to.
    public var isCutShort: Bool

    /// A notice, and whether its publisher's end cut it short.
    public init(notice: AlertNotice, isCutShort: Bool) {
        self.notice = notice
        self.isCutShort = isCutShort
    }
}

/// Words of warning that are another fuser's to tell, until it has: one that dies may not come to it.
public struct HeldNotices: Sendable {
    /// Notices that are held, and alerts of which is known what was told of them last; the oldest notices go first.
    public static let capacity = 1000

    private var notices: [AlertNotice] = []
    /// The last event that another fuser told of each alert.
    private var told: [String: ItemEvent] = [:]

    /// None held.
    public init() {}

    /// Holds a notice, unless another fuser has told it already.
    public mutating func hold(_ notice: AlertNotice) {
        guard told[notice.alert].map({ !Self.isSame($0, notice) }) ?? true else { return }
        if notices.count == Self.capacity { notices.removeFirst() }
        notices.append(notice)
    }

    /// Takes another fuser's event: what it told needs no second word.
    public mutating func hear(_ event: ItemEvent) {
        guard let alert = event.alert else { return }
        notices.removeAll { Self.isSame(event, $0) }
        if told.count < Self.capacity || told[alert] != nil { told[alert] = event }
    }

    /// Gives up the notices of some items: those for which this fuser begins to speak.
    public mutating func take(_ isOurs: (String) -> Bool) -> [AlertNotice] {
        defer { notices.removeAll { isOurs($0.item) } }
        return notices.filter { isOurs($0.item) }
    }

    private static func isSame(_ event: ItemEvent, _ notice: AlertNotice) -> Bool {
        guard event.alert == notice.alert,
            event.at.microseconds(since: notice.at).magnitude <= UInt64(ItemEvent.coincidence)
        else { return false }
        switch notice.change {
        case .told(let count): return event.kind == .alert && event.count == count
        case .cleared: return event.kind == .cleared
        }
    }
}
