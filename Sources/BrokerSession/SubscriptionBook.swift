internal import WireProtocol

/// The subscriptions of a session: those that the program requires, and those that the broker denies.
///
/// A denial lasts until the broker grants the subscription, over connections too: nothing else is known until a new
/// connection has its answers.
struct SubscriptionBook {
    /// The filters that the program doesn't require.
    private let optional: Set<String>
    /// The filters that it does.
    private var required: Set<String>
    /// Those of them that the current connection has not answered yet; nil without a connection.
    private var awaited: Set<String>?
    /// The filters that were subscribed to and are not any more.
    private var ended: Set<String> = []
    /// Reasons by filter.
    private var denied: [String: String] = [:]
    /// True if the current connection has had an answer to each that was requested at its start.
    private(set) var isAnswered = false
    /// The filters added since that it has not answered yet.
    private var added: Set<String> = []
    /// True if it was reported that all required subscriptions are granted.
    private var isReported = false

    init(_ filters: Set<String> = [], optional: Set<String> = []) {
        self.optional = optional
        required = filters.subtracting(optional)
    }

    /// The subscriptions that are denied, in the order of their filters.
    var denials: [SubscriptionDenial] {
        denied.sorted { $0.key < $1.key }.map { SubscriptionDenial(filter: $0.key, reason: $0.value) }
    }

    /// True if the current connection has had an answer to each required subscription.
    var isRequiredAnswered: Bool { awaited?.isEmpty ?? false }

    /// True if a required subscription is denied.
    var isLacking: Bool { denied.keys.contains { !optional.contains($0) } }

    /// True if no required subscription is missing: neither one of the current connection's start nor one added since, and none
    /// is denied. It holds without a connection, when nothing arrives.
    var isComplete: Bool { (awaited?.isEmpty ?? true) && added.isDisjoint(with: required) && !isLacking }

    /// True if it has also had an answer to each that was added since.
    var isEachAnswered: Bool { isAnswered && added.isEmpty }

    /// Records a new connection without answers.
    mutating func connected() { (isAnswered, isReported, awaited, added) = (false, false, required, []) }

    /// Records the end of a connection.
    mutating func disconnected() { (isAnswered, isReported, awaited, added) = (false, false, nil, []) }

    /// Records that the broker has answered a subscription.
    mutating func recordAnswer(_ filter: String) {
        awaited?.remove(filter)
        added.remove(filter)
    }

    /// Records that the broker has answered each subscription of the current connection.
    mutating func recordAnswers() { isAnswered = true }

    /// Records a denial.
    mutating func recordDenial(_ filter: String, _ reason: String) {
        guard !ended.contains(filter) else { return }
        denied[filter] = reason
        if !optional.contains(filter) { isReported = false }
    }

    /// Records a grant. Returns true if it ended a denial.
    mutating func recordGrant(_ filter: String) -> Bool { denied.removeValue(forKey: filter) != nil }

    /// Records subscriptions that are added.
    mutating func begin(_ filters: Set<String>) {
        ended.subtract(filters)
        required.formUnion(filters.subtracting(optional))
        // Without a connection they are requested at the start of the next one.
        if awaited != nil { added.formUnion(filters) }
    }

    /// Records subscriptions that are ended: a denial of them, past or on its way, does not count.
    mutating func end(_ filters: Set<String>) {
        ended.formUnion(filters)
        required.subtract(filters)
        awaited?.subtract(filters)
        added.subtract(filters)
        denied = denied.filter { !filters.contains($0.key) }
    }

    /// Returns true once a connection, when all required subscriptions are granted, and again after each denial in
    /// between.
    mutating func takeCompletion() -> Bool {
        guard isRequiredAnswered, !isReported, !isLacking else { return false }
        isReported = true
        return true
    }
}
