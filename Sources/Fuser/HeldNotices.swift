internal import Bytes
internal import Fusion
internal import Presence
internal import Sightings

/// A notice that was another fuser's to publish, and of which no event was heard.
struct HeldNotice: Hashable, Sendable {
    /// The notice.
    var notice: AlertNotice
    /// Whether the other fuser had no time to publish it before its end, or nobody was there to.
    var isCutShort: Bool
}

/// Words of warning that are another fuser's to tell, until it has: one that dies may not come to it.
struct HeldNotices: Sendable {
    /// Notices that are held, and alerts of which is known what was told of them last; the oldest notices go first.
    static let capacity = 1000

    private var notices: [AlertNotice] = []
    /// The last event that another fuser told of each alert.
    private var told: [String: ItemEvent] = [:]

    /// Holds a notice, unless another fuser has told it already.
    mutating func hold(_ notice: AlertNotice) {
        guard told[notice.alert].map({ !Self.isSame($0, notice) }) ?? true else { return }
        if notices.count == Self.capacity { notices.removeFirst() }
        notices.append(notice)
    }

    /// Takes another fuser's event: what it told needs no second word.
    mutating func hear(_ event: ItemEvent) {
        guard let alert = event.alert else { return }
        notices.removeAll { Self.isSame(event, $0) }
        if told.count < Self.capacity || told[alert] != nil { told[alert] = event }
    }

    /// Gives up the notices of some items: those for which this fuser begins to speak.
    mutating func take(_ isOurs: (String) -> Bool) -> [AlertNotice] {
        defer { notices.removeAll { isOurs($0.item) } }
        return notices.filter { isOurs($0.item) }
    }

    private static func isSame(_ event: ItemEvent, _ notice: AlertNotice) -> Bool {
        guard event.alert == notice.alert,
            event.at.microseconds(since: notice.at).magnitude <= UInt64(Household.apart)
        else { return false }
        switch notice.change {
        case .told(let count): return event.kind == .alert && event.count == count
        case .cleared: return event.kind == .cleared
        }
    }
}
