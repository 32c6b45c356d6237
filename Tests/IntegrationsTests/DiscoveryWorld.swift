import Bytes
import Integrations
import WireProtocol

extension DiscoveryBookTests {
    /// A publisher and the broker: what it publishes comes back to it, and what is retained stands.
    struct World {
        var book: DiscoveryBook
        var broker: [String: [UInt8]] = [:]
        var documents: [String: DiscoveryDocument] = [:]
        var owned: (String) -> Bool = { _ in true }
        var gone: (String) -> Bool = { _ in true }
        var looks: [Int] = []
        var now = MonotonicTime.start
        var log: [Message] = []
        var restated: [String] = []
        var rows: [String] = []

        init(kinds: [String] = ["item_"], name: String = "main", keeping row: String? = nil) {
            book = DiscoveryBook(place, kinds: kinds, name: name, keeping: row)
        }

        mutating func connect() {
            book.connected(at: now)
            for (topic, payload) in broker.sorted(by: { $0.key < $1.key }) {
                _ = book.receive(Message(topic: topic, payload: payload, retained: true), at: now)
            }
        }

        mutating func run(_ seconds: Int) {
            let end = now + .seconds(seconds)
            while now < end {
                now = now + .milliseconds(100)
                let steps = advance()
                restated += steps.restated
                if steps.isChanged { rows.append(book.row) }
                for message in steps.messages { publish(message) }
            }
        }

        mutating func advance() -> DiscoveryBook.Steps {
            let count = Count()
            defer { looks.append(count.value) }
            return book.advance(
                to: now, owns: owned, isGone: { [gone] object, _ in gone(object) },
                describe: { [documents] object in
                    count.value += 1
                    return documents[object]
                })
        }

        mutating func publish(_ message: Message) {
            log.append(message)
            if message.retained { broker[message.topic] = message.payload.isEmpty ? nil : message.payload }
            var echo = message
            echo.retained = false
            _ = book.receive(echo, at: now)
        }

        mutating func add(_ object: String, _ keys: [String] = ["room"]) {
            documents[object] = DiscoveryBookTests.document(object, keys)
            book.markWanted(object)
        }

        func count(_ object: String) -> Int { log.count { $0.topic == place.device(object) } }
        func text(_ object: String) -> String? {
            broker[place.device(object)].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    final class Count { var value = 0 }

    static func document(_ name: String, _ keys: [String]) -> DiscoveryDocument {
        DiscoveryDocument(
            name: name, model: "Item", availability: ["a"],
            components: keys.map { key in
                var component = DiscoveryComponent(key, .sensor, name: key)
                component.state = ("t", nil)
                return component
            })
    }
}
