internal import WireProtocol

/// The subscriptions of a session: which of them the program can't do without, and which the broker denies.
///
/// A denial stands until the broker grants the subscription, over connections too: until a new connection has its answers,
/// nothing else is known.
struct SubscriptionBook {
    /// The filters that the program can do without.
    private var optional: Set<String>
    /// Reasons by filter.
    private var denied: [String: String] = [:]
    /// Whether the present connection has had an answer to each.
    private(set) var isAnswered = false
    /// Whether the program knows that it has all that it needs.
    private var isReported = false

    init(optional: Set<String> = []) { self.optional = optional }

    /// The subscriptions that are denied, in the order of their filters.
    var denials: [SubscriptionDenial] {
        denied.sorted { $0.key < $1.key }.map { SubscriptionDenial(filter: $0.key, reason: $0.value) }
    }

    /// Whether a subscription is denied that the program can't do without.
    var isLacking: Bool { denied.keys.contains { !optional.contains($0) } }

    /// Notes a new connection: nothing is answered yet.
    mutating func connected() { (isAnswered, isReported) = (false, false) }

    /// Notes the end of a connection.
    mutating func disconnected() { (isAnswered, isReported) = (false, false) }

    /// Notes that the broker has answered each subscription of the present connection.
    mutating func answered() { isAnswered = true }

    /// Notes a denial.
    mutating func deny(_ filter: String, _ reason: String) {
        denied[filter] = reason
        if !optional.contains(filter) { isReported = false }
    }

    /// Notes a grant. Returns true if it ended a denial.
    mutating func grant(_ filter: String) -> Bool { denied.removeValue(forKey: filter) != nil }

    /// Returns true once a connection, when all that is needed is granted, and again after each denial in between.
    mutating func takeCompletion() -> Bool {
        guard isAnswered, !isReported, !isLacking else { return false }
        isReported = true
        return true
    }
}
