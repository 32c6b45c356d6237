internal import Bytes
public import WireProtocol

/// A notice that another fuser was to publish, without a received event.
public struct HeldNotice: Hashable, Sendable {
    /// The notice.
    public var notice: AlertNotice
    /// A Boolean value that is true if the other fuser had no time to publish it before its end, or no fuser was
    /// active.
    public var isCutShort: Bool

    /// A notice, with a flag for one that its publisher's end cut short.
    public init(notice: AlertNotice, isCutShort: Bool) {
        self.notice = notice
        self.isCutShort = isCutShort
    }
}

/// Notices that another fuser is to publish, held until it has: one that fails may not publish them.
public struct HeldNotices: Sendable {
    /// The maximum number of held notices, and of alerts with a known last publication; the oldest notices are dropped
    /// first.
    public static let capacity = 1000

    private var notices: [AlertNotice] = []
    /// The last event that another fuser published of each alert.
    private var told: [String: ItemEvent] = [:]

    /// None held.
    public init() {}

    /// Holds a notice, unless another fuser has published it already.
    public mutating func holdNotice(_ notice: AlertNotice) {
        guard told[notice.alert].map({ !Self.isSame($0, notice) }) ?? true else { return }
        if notices.count == Self.capacity { notices.removeFirst() }
        notices.append(notice)
    }

    /// Receives another fuser's event, which replaces the held notice.
    public mutating func receiveEvent(_ event: ItemEvent) {
        guard let alert = event.alert else { return }
        notices.removeAll { Self.isSame(event, $0) }
        if told.count < Self.capacity || told[alert] != nil { told[alert] = event }
    }

    /// Removes and returns the notices of the items for which this fuser becomes active.
    public mutating func takeNotices(_ isOurs: (String) -> Bool) -> [AlertNotice] {
        defer { notices.removeAll { isOurs($0.item) } }
        return notices.filter { isOurs($0.item) }
    }

    private static func isSame(_ event: ItemEvent, _ notice: AlertNotice) -> Bool {
        guard event.alert == notice.alert,
            event.at.duration(since: notice.at).magnitude <= ItemEvent.coincidence
        else { return false }
        switch notice.change {
        case .told(let count): return event.kind == .alert && event.count == count
        case .cleared: return event.kind == .cleared
        }
    }
}
