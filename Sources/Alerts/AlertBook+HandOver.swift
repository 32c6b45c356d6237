public import Bytes

/// Two books of one house beside each other: what the one that speaks has told, the other, with the same rules, takes for told.
extension AlertBook {
    /// Takes over what another told last of the alerts about an item: it stands here as it does there, and is not due
    /// before its next repetition. What began later here stays.
    ///
    /// - Parameter apart: microseconds by which two may find one alert to begin apart.
    public mutating func adopt(
        _ told: [AlertWord], of item: String, at time: Timestamp, apart: Int64
    ) {
        for index in rulesOf(item) where rules[index].item == item {
            let rule = rules[index]
            guard let word = told.first(where: { $0.alert == rule.id && $0.kind == rule.kind }) else { continue }
            if let state = states[index] {
                let lead = state.since.microseconds(since: word.since)
                guard lead != 0 ? lead <= apart : state.told < word.count else { continue }
            }
            let isLast = rule.atMost.map { word.count >= $0 } ?? false
            let pause = isLast ? nil : rule.interval.flatMap { $0 > 0 ? $0 : nil }
            states[index] = AlertState(
                alert: rule.id, kind: rule.kind, item: item, phase: .open, since: word.since,
                decided: states[index]?.decided ?? word.since, told: word.count,
                next: pause.map { time.advanced(byMicroseconds: $0) })
        }
    }

    /// An alert as it stands or waits; nil where it does neither.
    public func state(of alert: String) -> AlertState? {
        rules.firstIndex { $0.id == alert }.flatMap { states[$0] }
    }

    /// Drops an alert without a notice: another one has told that it is over.
    public mutating func drop(_ alert: String) {
        guard let index = rules.firstIndex(where: { $0.id == alert }) else { return }
        states[index] = nil
    }
}

/// What another one told of an alert.
public struct AlertWord: Hashable, Sendable {
    /// The rule's id.
    public var alert: String
    /// What is wrong.
    public var kind: AlertRule.Kind
    /// Since when that is so.
    public var since: Timestamp
    /// How often it was told; at least 1.
    public var count: Int

    /// A word of all its values.
    public init(alert: String, kind: AlertRule.Kind, since: Timestamp, count: Int) {
        (self.alert, self.kind, self.since, self.count) = (alert, kind, since, count)
    }
}
