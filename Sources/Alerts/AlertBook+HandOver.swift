public import Bytes

/// The hand-over between two books of one house with the same rules: alerts that the active one published count as
/// published in the other.
extension AlertBook {
    /// Adopts the latest published alerts about an item from another book: they are open here as they are there, and
    /// not due before their next repetition. Alerts that began later here remain.
    ///
    /// - Parameter apart: the time by which two books may differ about the beginning of one alert.
    public mutating func adopt(
        _ told: [AlertWord], of item: String, at time: Timestamp, apart: Duration
    ) {
        if told.contains(where: { $0.kind == .cloned }) { addCloneRule(item) }
        for index in rulesOf(item) where rules[index].item == item {
            let rule = rules[index]
            guard let word = told.first(where: { $0.alert == rule.id && $0.kind == rule.kind }) else { continue }
            if let state = states[index] {
                let lead = state.since.duration(since: word.since)
                guard lead != .zero ? lead <= apart : state.told < word.count else { continue }
            }
            let isLast = rule.atMost.map { word.count >= $0 } ?? false
            let pause = isLast ? nil : rule.interval.flatMap { $0 > .zero ? $0 : nil }
            states[index] = AlertState(
                alert: rule.id, kind: rule.kind, item: item, phase: .open, since: word.since,
                decided: states[index]?.decided ?? word.since, told: word.count,
                next: pause.map { time.advanced(by: $0) })
        }
    }

    /// The state of an open or pending alert; nil for any other.
    public func state(of alert: String) -> AlertState? {
        rules.firstIndex { $0.id == alert }.flatMap { states[$0] }
    }

    /// Removes an alert without a notice: another book has published its end.
    public mutating func drop(_ alert: String) {
        guard let index = rules.firstIndex(where: { $0.id == alert }) else { return }
        states[index] = nil
    }
}

/// The published state of an alert in another book.
public struct AlertWord: Hashable, Sendable {
    /// The rule's id.
    public var alert: String
    /// The kind of alert.
    public var kind: AlertRule.Kind
    /// Since when that is so.
    public var since: Timestamp
    /// The number of times it was published; at least 1.
    public var count: Int

    /// A published state by all its values.
    public init(alert: String, kind: AlertRule.Kind, since: Timestamp, count: Int) {
        (self.alert, self.kind, self.since, self.count) = (alert, kind, since, count)
    }
}
