public import Bytes

/// Alerts that are open for as long as a condition holds: the location of an item, its silence, its battery's voltage.
extension AlertBook {
    /// Millivolts above its limit at which a battery has recovered: it sags under load, and in the cold.
    static let recovery = 100

    /// Records that an item is in a room, or away (nil).
    public mutating func recordRoom(_ item: String, in room: String?, since: Timestamp, at time: Timestamp)
        -> [AlertNotice]
    {
        updateRules(item, since: since, at: time) { rule in
            switch rule.kind {
            case .inRoom: room.map(rule.rooms.contains) ?? false
            case .notInRoom: !(room.map(rule.rooms.contains) ?? false)
            case .leftBehind, .gone, .leftHome, .notHeard, .batteryLow, .cloned: nil
            }
        }
    }

    /// Records that an item is received, or has been silent since a moment.
    public mutating func recordSilence(_ item: String, silentSince since: Timestamp?, at time: Timestamp)
        -> [AlertNotice]
    {
        updateRules(item, since: since ?? time, at: time) { rule in
            rule.kind == .notHeard ? since != nil : nil
        }
    }

    /// Records the voltage of an item's battery.
    public mutating func recordVoltage(_ item: String, millivolts: Int, at time: Timestamp) -> [AlertNotice] {
        updateRules(item, since: time, at: time) { rule in
            guard rule.kind == .batteryLow, let limit = rule.limit else { return nil }
            if millivolts < limit { return true }
            return millivolts >= limit + Self.recovery ? false : nil
        }
    }

    /// Records that several transmitters send an item's identity, or that this is over.
    public mutating func recordClones(_ item: String, areSuspected: Bool, at time: Timestamp) -> [AlertNotice] {
        if areSuspected { addCloneRule(item) }
        return updateRules(item, since: time, at: time) { rule in rule.kind == .cloned ? areSuspected : nil }
    }

    /// Updates the rules of an item for a condition that holds (true), doesn't hold (false), or is unknown (nil).
    private mutating func updateRules(
        _ item: String, since: Timestamp, at time: Timestamp, _ holds: (AlertRule) -> Bool?
    ) -> [AlertNotice] {
        var notices = processDue(before: time)
        for index in rulesOf(item) where rules[index].item == item {
            guard let conditionHolds = holds(rules[index]) else { continue }
            if !conditionHolds {
                clear(index, .over, at: time, &notices)
            } else if states[index] == nil {
                begin(index, since: since, decided: since)
            }
        }
        return notices
    }
}
