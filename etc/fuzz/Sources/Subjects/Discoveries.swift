import Bytes
import Integrations
import WireProtocol

/// What the broker retains under Home Assistant's discovery prefix, whoever put it there. Whatever it was, in the end only
/// the documents of this house's devices stand, and nothing waits.
enum Discoveries {
    static let place = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")
    private static let topics = Topics()
    private static let wanted = [
        DiscoveryPlace.item("keys"), DiscoveryPlace.room("hall"), DiscoveryPlace.fuser("main"),
    ]
    private static let kinds = ["item_", "room_", DiscoveryPlace.fuser("main")]

    /// A topic on the first line, and behind it the payload that the broker retains there.
    static func document(_ bytes: Span<UInt8>) -> Bool {
        let (topic, payload) = Payloads.message(bytes)
        let available = DiscoveryDocument.availability(in: payload)
        if let (_, object) = place.object(of: topic) {
            for kind in ["item", "room", "node", "fuser"] {
                guard let id = DiscoveryPlace.id(of: object, kind: kind) else { continue }
                precondition(Array("\(kind)_\(id)".utf8) == Array(object.utf8), "an object of another id")
            }
        }
        var house = House(keeping: nil)
        guard place.object(of: topic) != nil || topic == place.birth else {
            let message = Message(topic: topic, payload: payload, retained: true)
            precondition(!house.book.receive(message, at: .start), "a message of others is taken for one of the place")
            return false
        }
        // Anybody writes on any topic; a broker has none with a wildcard or without a name, and keeps no empty payload.
        let isTopic = !topic.isEmpty && !topic.contains("+") && !topic.contains("#")
        if isTopic, !payload.isEmpty { house.broker[topic] = payload }
        house.connect()
        house.run(seconds: 20)
        house.restart()
        house.run(seconds: 20)
        for object in wanted {
            let standing = house.broker[place.device(object)]
            precondition(standing == describe(object)?.payload(at: place, object), "a device isn't told as it is")
        }
        for (topic, _) in house.broker where !wanted.contains(where: { place.device($0) == topic }) {
            precondition(!isOurs(topic), "what nobody stands for is left at the broker")
        }
        precondition(house.book.row.isEmpty, "what Home Assistant may have missed is shown for ever")
        return !available.isEmpty
    }

    /// Whether this publisher must clear a topic on which it wants nothing.
    private static func isOurs(_ topic: String) -> Bool {
        guard let (platform, object) = place.object(of: topic), kinds.contains(where: { object.hasPrefix($0) }) else {
            return false
        }
        let isPlain = object.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
        }
        return platform != "device" || isPlain && object.utf8.count <= 128
    }

    /// What is kept over restarts of what Home Assistant may have missed.
    static func row(_ bytes: Span<UInt8>) -> Bool {
        let row = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        var isKept = false
        for prefix in ["homeassistant", "ha", nil] {
            var discovery = Discovery(
                prefix: prefix, topicPrefix: "whereabouts", kinds: kinds, name: "main", keeping: row)
            let kept = discovery.row
            precondition(discovery.prefixes.count <= 1 + Discovery.formerBound, "places without end")
            let again = Discovery(
                prefix: prefix, topicPrefix: "whereabouts", kinds: kinds, name: "main", keeping: kept)
            precondition(again.row == kept, "what is kept changes by being kept")
            isKept = isKept || kept.contains(":")
            discovery.connected(at: .start)
            discovery.markWanted(only: Set(wanted))
            _ = discovery.receive(
                Message(topic: place.birth, text: "online", qos: .atMostOnce), at: .start + .seconds(5))
            for step in 1...8 {
                let steps = discovery.advance(to: .start + .seconds(3 * step), owns: { _ in true }, describe: describe)
                precondition(steps.messages.count <= 4_100, "more at once than was kept")
            }
        }
        return isKept
    }

    /// Names for people, a line each: of an item, of a room, and of the area of a node.
    static func names(_ bytes: Span<UInt8>) -> Bool {
        let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map { String($0) }
        let room = DiscoveryDocument.Room(id: "hall", name: lines.count > 1 ? lines[1] : nil)
        var item = DiscoveryDocument.Item(id: "keys", name: lines[0])
        (item.readings, item.hasAlerts) = (["battery_mv", "temperature_c", "temperature_c_2", "door"], true)
        let documents: [DiscoveryDocument] = [
            .item(
                item, rooms: [room, DiscoveryDocument.Room(id: "den")], tracker: .state(zone: "zone.home"),
                fusers: ["main", "spare"],
                topics: topics),
            .item(item, rooms: [room], tracker: .inZones(zone: "zone.home"), fusers: ["main"], topics: topics),
            .room(room, fusers: ["main"], topics: topics),
            .node(
                "hall", area: lines.count > 2 ? lines[2] : room.name, version: "1.0", regions: ["desk"], hasRadio: true,
                topics: topics),
        ]
        for document in documents {
            let payload = document.payload(at: place, "item_keys")
            precondition(Payloads.json(payload.span), "a name breaks the document")
            precondition(DiscoveryDocument.availability(in: payload) == document.availability, "nobody stands for it")
            for component in document.components { check(component) }
        }
        return lines.count == 3
    }

    /// A template that holds names must be one still: outside the map of names stand our words alone.
    private static func check(_ component: DiscoveryComponent) {
        guard component.key == "room", let template = component.attributes?.template else { return }
        let (head, tail) = ("{{ {'room_name':", ".get(value,value)}|to_json }}")
        precondition(template.hasPrefix(head) && template.hasSuffix(tail), "names break a template")
        let map = Array(template.utf8.dropFirst(head.utf8.count).dropLast(tail.utf8.count))
        precondition(Payloads.json(map.span), "the names of rooms are no map")
    }

    // MARK: A house

    private static let documents: [String: DiscoveryDocument] = {
        var item = DiscoveryDocument.Item(id: "keys", name: "Keys")
        item.readings = ["battery_mv", "temperature_c"]
        let room = DiscoveryDocument.Room(id: "hall", name: "Hall")
        return [
            wanted[0]: .item(item, rooms: [room], tracker: .state(zone: "zone.home"), fusers: ["main"], topics: topics),
            wanted[1]: .room(room, fusers: ["main"], topics: topics),
            wanted[2]: .fuser("main", version: "1.0", topics: topics),
        ]
    }()

    private static func describe(_ object: String) -> DiscoveryDocument? { documents[object] }

    /// A publisher and a broker that keeps and sends back what it tells.
    private struct House {
        var book: DiscoveryBook
        var broker: [String: [UInt8]] = [:]
        private var now = MonotonicTime.start

        init(keeping row: String?) {
            book = DiscoveryBook(place, kinds: kinds, name: "main", keeping: row)
            for object in wanted { book.markWanted(object) }
        }

        mutating func connect() {
            book.connected(at: now)
            for (topic, payload) in broker.sorted(by: { $0.key < $1.key }) {
                _ = book.receive(Message(topic: topic, payload: payload, retained: true), at: now)
            }
        }

        /// Home Assistant says that it has started.
        mutating func restart() {
            let row = book.row
            let again = DiscoveryBook(place, kinds: kinds, name: "main", keeping: row)
            precondition(again.row == row, "what Home Assistant may have missed changes by being kept")
            _ = book.receive(Message(topic: place.birth, text: "online", qos: .atMostOnce), at: now)
        }

        mutating func run(seconds: Int) {
            let end = now + .seconds(seconds)
            var told = 0
            while now < end {
                now = min(end, max(now + .nanoseconds(1), book.nextDeadline ?? end))
                for message in book.advance(to: now, owns: { _ in true }, describe: describe).messages {
                    told += 1
                    precondition(told <= 200, "documents without end")
                    precondition(place.object(of: message.topic) != nil, "told on another topic than a document's")
                    if message.retained { broker[message.topic] = message.payload.isEmpty ? nil : message.payload }
                    var echo = message
                    echo.retained = false
                    _ = book.receive(echo, at: now)
                }
            }
        }
    }

    // MARK: Seeds

    static var documentSeeds: [[UInt8]] {
        let keys = wanted[0]
        let old = DiscoveryDocument.item(
            .init(id: "cat", name: "Cat"), rooms: [], tracker: .inZones(zone: "zone.home"), fusers: ["a", "b"],
            topics: topics)
        let payloads: [(String, [UInt8])] = [
            (place.device(keys), documents[keys]?.payload(at: place, keys) ?? []),
            (
                place.device(keys),
                documents[keys]?.payload(
                    at: place, keys, removing: ["moisture_percent": "sensor"], showing: ["silence": "button"])
                    ?? []
            ),
            (place.device(DiscoveryPlace.item("cat")), old.payload(at: place, DiscoveryPlace.item("cat"))),
        ]
        let texts: [(String, String)] = [
            (place.single("sensor", keys, "room"), #"{"unique_id":"x","state_topic":"whereabouts/items/keys/room"}"#),
            (place.single("device_tracker", "item_cat", "tracker"), #"{"migrate_discovery":true}"#),
            (
                place.device("item_dog"),
                #"{"device":{"ids":"x"},"components":{"a":{"platform":"sensor"},"b":{}},"avty":[{"t":"x"}]}"#
            ),
        ]
        return payloads.map { Array("\($0.0)\n".utf8) + $0.1 } + texts.map { Payloads.message($0.0, $0.1) }
    }

    static var rowSeeds: [[UInt8]] {
        [
            "at homeassistant\nitem_cat room:sensor tracker:device_tracker\nroom_attic count:sensor\nat ha\nitem_cat room:sensor",
            "item_keys room:sensor\nat x\n",
        ].map { Array($0.utf8) }
    }

    static var nameSeeds: [[UInt8]] {
        ["Anna's keys\nUnder the \"roof\"\nFloor 1", "{{ value }}\n'}}{% raw %}\n\\u007d", "\n\n"].map {
            Array($0.utf8)
        }
    }
}
