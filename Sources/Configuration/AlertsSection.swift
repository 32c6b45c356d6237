internal import Alerts
internal import Bytes

/// The section `alerts` of an agent's file, or of a fuser's.
///
///     - left_behind: {item: keys, with: [phone]}
///       grace: 60s
///       repeat: 10m
///       at_most: 5
///       hours: {from: "07:00", to: "22:00", zone: Europe/Vienna}
///     - gone: {item: keys, unless_with: [phone]}
///
/// A fuser's has `left_home` for `gone`, and in addition
///
///     - in_room: {item: cat, rooms: [office]}
///     - not_in_room: {item: grandma, rooms: [bedroom, bath]}
///     - not_heard: {item: cat, for: 24h}
///     - battery_low: {item: keys, below: 2.4}
enum AlertsSection {
    /// The most alerts of a node, or of a fuser.
    static let bound = 100
    /// The most companions of an item.
    static let companionBound = 20

    /// - Parameter rooms: the house's rooms, if the configuration lists them: others are a fault.
    static func getter(
        _ reader: ConfigurationReader, kinds: [AlertRule.Kind] = AlertRule.Kind.ofNodes,
        in rooms: [FuserConfiguration.Room]? = nil
    ) -> ConfigurationReader.Getter<[AlertRule]> {
        { node in
            let known = rooms.map { Set($0.map(\.id)) }
            var ids = UniqueNames("the alert")
            let alert: ConfigurationReader.Getter<AlertRule> = reader.map { map in
                guard let rule = readRule(map, reader, kinds, known) else { return nil }
                ids.registerName(rule.id, at: map.has("id") ? map.place("id") : map.position, reader)
                return rule
            }
            return reader.list(bound, of: alert)(node)
        }
    }

    private static func readRule(
        _ map: MapReader, _ reader: ConfigurationReader, _ kinds: [AlertRule.Kind], _ known: Set<String>?
    ) -> AlertRule? {
        let id = map.read("id", reader.newIdentifier)
        var subjects: [(kind: AlertRule.Kind, rule: AlertRule)] = []
        for kind in kinds {
            if let rule = map.read(kind.rawValue, readSubject(kind, reader, known)) { subjects.append((kind, rule)) }
        }
        let grace = map.read("grace", reader.duration(.seconds(0)...(.seconds(3600))))
        let interval = map.read("repeat", reader.duration(.seconds(10)...(.seconds(86400))))
        let atMost = map.read("at_most", reader.integer(1...1000))
        let hours = map.read("hours", hoursGetter(reader))
        if map.has("at_most"), !map.has("repeat") {
            reader.fault(map.place("at_most"), "'at_most' needs a 'repeat' with it")
        }
        let given = kinds.map(\.rawValue).filter { map.has($0) }
        if given.count != 1 {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            let names = kinds.map(\.rawValue).joined(separator: ", ")
            reader.fault(map.position, "an alert has one of \(names); found \(found)")
            return nil
        }
        guard var rule = subjects.first?.rule else { return nil }
        if map.has("grace"), rule.kind == .notHeard || rule.kind == .batteryLow {
            reader.fault(map.place("grace"), "'\(rule.kind.rawValue)' takes no 'grace'")
        }
        rule.id = id ?? rule.id
        if let grace { rule.grace = grace }
        (rule.interval, rule.atMost, rule.hours) = (interval, atMost, hours)
        return rule
    }

    /// The subject of a rule.
    private static func readSubject(
        _ kind: AlertRule.Kind, _ reader: ConfigurationReader, _ known: Set<String>?
    ) -> ConfigurationReader.Getter<AlertRule> {
        switch kind {
        case .leftBehind, .gone, .leftHome:
            let isNeeded = kind == .leftBehind
            let pair = readPair(reader, isNeeded ? "with" : "unless_with", isNeeded: isNeeded)
            return { node in pair(node).map { AlertRule(kind, item: $0.item, companions: $0.companions) } }
        case .inRoom, .notInRoom:
            return reader.map { map in
                let item = map.require("item", reader.identifier)
                let room: ConfigurationReader.Getter<String> = { node in
                    guard let room = reader.identifier(node) else { return nil }
                    if let known { HouseSections.mustBeKnown(room, among: known, at: node.position, reader) }
                    return room
                }
                let rooms = map.require("rooms", reader.list(companionBound, of: room))
                guard let item, let rooms else { return nil }
                if rooms.isEmpty { reader.fault(map.valuePlace("rooms"), "expected at least one room") }
                var rule = AlertRule(kind, item: item, companions: [])
                rule.rooms = rooms
                return rule
            }
        case .notHeard:
            return reader.map { map in
                let item = map.require("item", reader.identifier)
                let time = map.require("for", reader.duration(.seconds(10)...(.seconds(365 * 86400))))
                guard let item, let time else { return nil }
                return AlertRule(kind, item: item, companions: [], grace: time)
            }
        case .cloned:
            // A fuser has this rule for every item: no configuration names it.
            return { _ in nil }
        case .batteryLow:
            return reader.map { map in
                let item = map.require("item", reader.identifier)
                let volts = map.require("below", reader.number(0.5...20))
                guard let item, let volts else { return nil }
                var rule = AlertRule(kind, item: item, companions: [], grace: .zero)
                rule.limit = Int((volts * 1000).rounded())
                return rule
            }
        }
    }

    private static func readPair(
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

    private static func hoursGetter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<DailyHours> {
        reader.map { map in
            let from = map.require("from", clockGetter(reader, latest: 86399))
            let to = map.require("to", clockGetter(reader, latest: 86400))
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

    /// The seconds since midnight of `HH:MM`.
    private static func clockGetter(_ reader: ConfigurationReader, latest: Int) -> ConfigurationReader.Getter<Int> {
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
