internal import Presence

/// The section `alerts` of an agent's file.
///
///     - left_behind: {item: keys, with: [phone]}
///       grace: 60s
///       repeat: 10m
///       at_most: 5
///       hours: {from: "07:00", to: "22:00", zone: Europe/Vienna}
///     - gone: {item: keys, unless_with: [phone]}
enum AlertsSection {
    /// The most alerts of a node.
    static let bound = 100
    /// The most companions of an item.
    static let companionBound = 20

    static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<[AlertRule]> {
        { node in
            var ids = UniqueNames("the alert")
            let alert: ConfigurationReader.Getter<AlertRule> = reader.map { map in
                guard let rule = rule(map, reader) else { return nil }
                ids.take(rule.id, at: map.has("id") ? map.place("id") : map.position, reader)
                return rule
            }
            return reader.list(bound, of: alert)(node)
        }
    }

    private static func rule(_ map: MapReader, _ reader: ConfigurationReader) -> AlertRule? {
        let id = map.read("id", reader.identifier)
        let leftBehind = map.read("left_behind", pair(reader, "with", isNeeded: true))
        let gone = map.read("gone", pair(reader, "unless_with", isNeeded: false))
        let grace = map.read("grace", reader.duration(.seconds(0)...(.seconds(3600))))
        let interval = map.read("repeat", reader.duration(.seconds(10)...(.seconds(86400))))
        let atMost = map.read("at_most", reader.integer(1...1000))
        let hours = map.read("hours", hours(reader))
        if map.has("at_most"), !map.has("repeat") {
            reader.fault(map.place("at_most"), "'at_most' needs a 'repeat' with it")
        }
        let given = AlertRule.Kind.allCases.map(\.rawValue).filter { map.has($0) }
        if given.count != 1 {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            reader.fault(map.position, "an alert has one of left_behind, gone; found \(found)")
            return nil
        }
        guard let pair = leftBehind ?? gone else { return nil }
        return AlertRule(
            id: id, leftBehind == nil ? .gone : .leftBehind, item: pair.item, companions: pair.companions,
            grace: grace?.microseconds ?? AlertRule.defaultGrace, interval: interval?.microseconds, atMost: atMost,
            hours: hours)
    }

    private static func pair(
        _ reader: ConfigurationReader, _ key: String, isNeeded: Bool
    ) -> ConfigurationReader.Getter<(item: String, companions: [String])> {
        reader.map { map in
            let item = map.require("item", reader.identifier)
            let list = reader.list(companionBound, of: reader.identifier)
            let companions = isNeeded ? map.require(key, list) : map.read(key, list)
            if let companions, companions.isEmpty, isNeeded {
                reader.fault(map.valuePlace(key), "expected at least one item")
                return nil
            }
            if let item, companions?.contains(item) == true {
                reader.fault(map.valuePlace(key), "'\(item)' can't go with itself")
                return nil
            }
            if isNeeded, companions == nil { return nil }
            return item.map { ($0, companions ?? []) }
        }
    }

    private static func hours(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<DailyHours> {
        reader.map { map in
            let from = map.require("from", clock(reader, latest: 86399))
            let to = map.require("to", clock(reader, latest: 86400))
            let zone = map.read("zone") { node -> TimeZoneRules? in
                guard let name = reader.string(node) else { return nil }
                guard let rules = ZoneFile.rules(of: name) else {
                    reader.expected("a time zone of \(ZoneFile.folder) (package tzdata) such as Europe/Vienna", node)
                    return nil
                }
                return rules
            }
            guard let from, let to, zone != nil || !map.has("zone") else { return nil }
            return DailyHours(from: from, to: to, zone: zone ?? ZoneFile.machineRules())
        }
    }

    /// `HH:MM` as seconds since midnight.
    private static func clock(_ reader: ConfigurationReader, latest: Int) -> ConfigurationReader.Getter<Int> {
        { node in
            if case .scalar(let text, _) = node.value {
                let digits = Array(text.utf8)
                let isClock =
                    digits.count == 5 && digits[2] == 0x3A
                    && [0, 1, 3, 4].allSatisfy { (0x30...0x39).contains(digits[$0]) }
                if isClock {
                    let numbers = digits.map { Int($0) - 0x30 }
                    let minutes = numbers[3] * 10 + numbers[4]
                    let second = (numbers[0] * 10 + numbers[1]) * 3600 + minutes * 60
                    if minutes < 60, second <= latest { return second }
                }
            }
            reader.expected("a time of the day such as \"07:00\"", node)
            return nil
        }
    }
}
