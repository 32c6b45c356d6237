internal import Bytes
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// The messages that a broker retains of a house and no state has alone: the registry, the lessons, the plan and its pictures.
struct RetainedHouse: Hashable {
    /// The payloads by topic without the prefix.
    var payloads: [String: [UInt8]] = [:]

    /// The topics to read.
    static func filters(_ topics: Topics) -> [String] {
        [topics.allItems("config"), topics.allLessons, topics.housePlan, topics.allFloorPictures]
    }

    /// The retained messages under a prefix.
    init(_ messages: [Message] = [], under topics: Topics) {
        for message in messages where !message.payload.isEmpty && message.topic.hasPrefix(topics.prefix + "/") {
            payloads[String(message.topic.dropFirst(topics.prefix.count + 1))] = message.payload
        }
    }

    /// The bytes of a part: of each entry the topic and the payload, each behind its size in four bytes, big-endian.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ field: [UInt8]) {
            let count = UInt32(field.count)
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
            bytes += field
        }
        for (topic, payload) in payloads.sorted(by: { $0.key < $1.key }) {
            append(Array(topic.utf8))
            append(payload)
        }
        return bytes
    }

    /// Reads such bytes.
    init(bytes: [UInt8]) throws(BackupFault) {
        var rest = bytes[...]
        func take() throws(BackupFault) -> [UInt8] {
            guard rest.count >= 4 else { throw .damaged }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard count <= rest.count else { throw .damaged }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        while !rest.isEmpty {
            let topic = String(decoding: try take(), as: UTF8.self)
            payloads[topic] = try take()
        }
    }

    /// The number of entries of each kind in words, such as `3 items, 1 lesson`.
    var words: String { Self.words(Array(payloads.keys)) }

    /// The number of topics of each kind in words.
    static func words(_ topics: [String]) -> String {
        let kinds = [
            ("items/", "item"), ("lessons/", "lesson"), ("house/plan", "plan"), ("house/pictures/", "picture"),
        ]
        let texts = kinds.compactMap { start, word -> String? in
            let count = topics.count { $0.hasPrefix(start) }
            return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
        }
        return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
    }

    /// The messages that bring a broker to this state without replacing anything newer: entries that are missing there,
    /// older entries of items, lessons that were undone, and an older plan with its pictures.
    ///
    /// - Parameter there: what that broker retains.
    func messages(missingFrom there: RetainedHouse, under topics: Topics, at now: Timestamp) -> [Message] {
        var book = RegistryBook()
        for change in items.values { book.apply(change, retained: true, at: now) }
        let entries = book.repairs(broker: there.items, at: now).put.map { "items/\($0.id)/config" }
        let isPlanNewer = plan.map { $0.isNewer(than: there.plan) } ?? false
        var chosen: Set<String> = Set(entries)
        for (topic, payload) in payloads {
            let other = there.payloads[topic]
            guard other != payload else { continue }
            if topic.hasPrefix("lessons/") {
                let isUndone = SharedLesson(payload: payload.span)?.isUndone ?? false
                if other == nil || isUndone { chosen.insert(topic) }
            } else if topic == "house/plan" {
                if isPlanNewer { chosen.insert(topic) }
            } else if topic.hasPrefix("house/pictures/"), other == nil || isPlanNewer {
                chosen.insert(topic)
            }
        }
        return chosen.sorted().compactMap { topic in
            payloads[topic].map {
                Message(topic: "\(topics.prefix)/\(topic)", payload: $0, qos: .atLeastOnce, retained: true)
            }
        }
    }

    private var plan: HousePlan? { payloads["house/plan"].flatMap { try? HousePlan(payload: $0.span) } }

    private var items: [String: ItemChange] {
        var changes: [String: ItemChange] = [:]
        for (topic, payload) in payloads where topic.hasPrefix("items/") && topic.hasSuffix("/config") {
            let id = String(topic.dropFirst("items/".count).dropLast("/config".count))
            guard let change = try? ItemChange.read(payload.span, item: id) else { continue }
            changes[id] = change
        }
        return changes
    }
}
