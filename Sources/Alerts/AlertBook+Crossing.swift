public import Bytes

/// The effects of crossings on alerts: departures with companions, and returns.
extension AlertBook {
    mutating func recordCrossing(_ crossing: Crossing, of item: String) {
        var record = items[item] ?? WhereaboutsRecord(item: item, isInside: false)
        record.isInside = crossing.kind.isInside
        if crossing.kind == .exit {
            record.exited = crossing.at
            record.lastPacket = crossing.notBefore
        }
        items[item] = record
    }

    /// Removes an item that is no longer registered, or whose data is purged: it has no location and no silence, and its
    /// open alerts are cleared.
    public mutating func forget(_ item: String, at time: Timestamp) -> [AlertNotice] {
        var notices = processDue(before: time)
        if items[item] != nil { items[item] = WhereaboutsRecord(item: item, isInside: false) }
        for index in rules.indices where rules[index].item == item { clear(index, .removed, at: time, &notices) }
        _ = silence(.item(item), until: time, at: time)
        return notices
    }

    mutating func leftBehind(
        _ index: Int, _ id: String, _ crossing: Crossing, _ notices: inout [AlertNotice]
    ) {
        let rule = rules[index]
        if id == rule.item {
            if !crossing.kind.isInside { clear(index, .left, at: crossing.at, &notices) }
        } else if crossing.kind.isInside {
            clear(index, .returned, at: crossing.at, &notices)
        } else if crossing.kind == .exit, states[index] == nil, items[rule.item]?.isInside == true,
            rule.companions.allSatisfy({ items[$0]?.isInside == false })
        {
            begin(index, crossing)
        }
    }

    mutating func gone(_ index: Int, _ id: String, _ crossing: Crossing, _ notices: inout [AlertNotice]) {
        let rule = rules[index]
        if id == rule.item {
            if crossing.kind.isInside {
                clear(index, .returned, at: crossing.at, &notices)
            } else if crossing.kind == .exit, states[index] == nil {
                let isAlone = !rule.companions.contains { companion in
                    left(companion, with: crossing.notBefore, decided: crossing.at, within: rule.grace)
                }
                if isAlone { begin(index, crossing) }
            }
        } else if crossing.kind == .exit, let state = states[index],
            left(id, with: state.since, decided: state.decided, within: rule.grace)
        {
            clear(index, .together, at: crossing.at, &notices)
        }
    }

    /// Returns true if a companion left together with an item, and is still outside.
    private func left(
        _ companion: String, with lastPacket: Timestamp, decided: Timestamp, within grace: Duration
    ) -> Bool {
        guard let record = items[companion], !record.isInside, let exited = record.exited,
            let last = record.lastPacket
        else { return false }
        return exited.duration(since: decided).magnitude <= grace
            || last.duration(since: lastPacket).magnitude <= grace
    }

    private mutating func begin(_ index: Int, _ crossing: Crossing) {
        begin(index, since: crossing.notBefore, decided: crossing.at)
    }

    mutating func begin(_ index: Int, since: Timestamp, decided: Timestamp) {
        let rule = rules[index]
        states[index] = AlertState(
            alert: rule.id, kind: rule.kind, item: rule.item, phase: .pending, since: since, decided: decided)
    }

    mutating func clear(
        _ index: Int, _ reason: AlertNotice.Reason, at time: Timestamp, _ notices: inout [AlertNotice]
    ) {
        guard let state = states[index] else { return }
        states[index] = nil
        if state.told > 0 { notices.append(Self.notice(state, .cleared(reason), at: time)) }
    }
}
