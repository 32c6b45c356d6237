import Bytes
import Identity
import WireProtocol
import Support
import Testing

@Suite("Following the registry")
struct RegistryFollowerTests {
    static let topics = Topics()
    static func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
    static func entry(_ id: String, _ address: UInt64, _ at: Int64) -> ItemEntry {
        ItemEntry(Item(id: id, identities: [.address(address)]), at: time(at))
    }

    /// Programs that follow one broker; the first of them repairs it.
    struct Fleet {
        var broker = InMemoryBroker()
        var followers: [String: RegistryFollower] = [:]

        mutating func connect(_ id: String, at seconds: Int64) {
            broker.connect(id)
            var follower = followers[id] ?? RegistryFollower(topics: topics)
            follower.connected(at: time(seconds))
            followers[id] = follower
            broker.subscribe(id, to: follower.filter, qos: .atMostOnce)
            deliver(at: seconds)
        }

        mutating func publish(_ entry: ItemEntry, at seconds: Int64) {
            broker.publish(RegistryFollower(topics: topics).message(entry))
            deliver(at: seconds)
        }

        mutating func deliver(at seconds: Int64) {
            for id in followers.keys.sorted() {
                for message in broker.takeMessages(for: id) { followers[id]?.receive(message, at: time(seconds)) }
            }
        }

        mutating func repair(by id: String, at seconds: Int64) -> Int {
            let messages = followers[id]?.takeRepairs(at: time(seconds)) ?? []
            for message in messages { broker.publish(message) }
            deliver(at: seconds)
            return messages.count
        }

        func items(_ id: String) -> [String] { followers[id]?.book.checkEntries().items.map(\.id) ?? [] }
    }

    @Test("Restore the right registry on a node that was away and on a broker that lost its store")
    func lostStore() {
        var fleet = Fleet()
        for id in ["fuser", "hall", "kitchen"] { fleet.connect(id, at: 1) }
        fleet.publish(Self.entry("keys", 1, 2), at: 2)
        fleet.publish(Self.entry("cat", 2, 2), at: 2)
        #expect(fleet.items("hall") == ["cat", "keys"])
        // The hall's node is away while an item is removed, and then the broker loses its store.
        fleet.broker.disconnect("hall")
        fleet.publish(ItemEntry(removed: "keys", at: Self.time(5)), at: 5)
        #expect(fleet.items("kitchen") == ["cat"])
        fleet.broker.restart(keepingRetained: false)
        for id in ["fuser", "kitchen"] { fleet.connect(id, at: 10) }
        #expect(fleet.items("kitchen") == ["cat"])
        #expect(fleet.repair(by: "fuser", at: 12) == 0)
        #expect(fleet.repair(by: "fuser", at: 13) == 2)
        fleet.connect("hall", at: 20)
        #expect(fleet.items("hall") == ["cat"])
        #expect(fleet.repair(by: "fuser", at: 30) == 0)
        #expect(Set(fleet.followers.values.map { $0.book.registry().digest }).count == 1)
    }

    @Test("Apply an edited items file at a fuser's start to its own entries, not to those that somebody wrote")
    func editedFile() {
        func named(_ id: String, _ address: UInt64, _ name: String) -> Item {
            Item(id: id, name: name, identities: [.address(address)])
        }
        var fleet = Fleet()
        let first = [named("cat", 1, "Cat"), named("keys", 2, "Anna's keys"), named("tab", 3, "Tablet")]
        fleet.followers["fuser"] = RegistryFollower(topics: Self.topics)
        fleet.followers["fuser"]?.book.apply(file: first)
        for id in ["fuser", "hall"] { fleet.connect(id, at: 1) }
        #expect(fleet.repair(by: "fuser", at: 5) == 3)
        fleet.publish(ItemEntry(named("tab", 3, "The tablet"), at: Self.time(100_000)), at: 8)
        fleet.publish(ItemEntry(removed: "cat", at: Self.time(100_000)), at: 9)

        // The fuser and a standby start again with the edited file, and a third one with the first.
        let edited = [named("cat", 1, "The cat"), named("keys", 2, "Schlüssel"), named("tab", 3, "Slate")]
        for (id, file, puts, name) in [
            ("fuser", edited, 1, "Schlüssel"), ("standby", edited, 0, "Schlüssel"), ("third", first, 1, "Anna's keys"),
        ] {
            fleet.broker.disconnect(id)
            fleet.followers[id] = RegistryFollower(topics: Self.topics)
            fleet.followers[id]?.book.apply(file: file)
            fleet.connect(id, at: 20)
            #expect(fleet.repair(by: id, at: 25) == puts, "\(id)")
            for follower in fleet.followers.values {
                #expect(follower.book.checkEntries().items.map(\.name) == [name, "The tablet"], "\(id)")
            }
        }
        for id in ["fuser", "standby", "third"] { #expect(fleet.repair(by: id, at: 40) == 0, "nobody contradicts") }
        let differences = fleet.followers["fuser"]?.book.takeDifferences() ?? []
        #expect(differences.map(\.id) == ["cat", "keys", "tab"])
        #expect(differences.allSatisfy { "\($0)".contains("items import") || "\($0)".contains("add it again") })
    }

    @Test("Correct a broker that returned to an older store")
    func olderStore() {
        var fleet = Fleet()
        fleet.connect("fuser", at: 1)
        fleet.publish(Self.entry("keys", 1, 2), at: 2)
        let old = fleet.broker
        fleet.publish(Self.entry("keys", 7, 5), at: 5)
        fleet.broker = old
        fleet.broker.restart(keepingRetained: true)
        fleet.connect("fuser", at: 10)
        #expect(fleet.followers["fuser"]?.book.entry("keys") == Self.entry("keys", 7, 5))
        #expect(fleet.repair(by: "fuser", at: 13) == 1)
        #expect(
            fleet.broker.retainedMessage("whereabouts/items/keys/config")?.payload
                == ItemChange(Self.entry("keys", 7, 5)).payload)
        #expect(fleet.repair(by: "fuser", at: 20) == 0)
    }

    @Test("Reject an entry under an invalid id with the reason, and drop it as soon as it is cleared")
    func names() {
        var follower = RegistryFollower(topics: Self.topics)
        for (name, words) in [("away", "reserved"), ("Big Dog", "of a-z, 0-9"), ("", "of a-z, 0-9")] {
            let topic = "whereabouts/items/\(name)/config"
            guard case .refused(let refusal) = follower.receive(Message(topic: topic, text: "{}"), at: Self.time(1))
            else {
                Issue.record("taken")
                continue
            }
            #expect("\(refusal)".contains(words), "\(refusal)")
            #expect(follower.refusals.count == 1)
            #expect(follower.receive(Message(topic: topic, text: ""), at: Self.time(2)) == .nothing)
            #expect(follower.refusals.isEmpty)
        }
        #expect(
            follower.receive(Message(topic: "whereabouts/items/away/room", text: "x"), at: Self.time(3)) == .nothing)
    }

    @Test("Retain the earlier entry if a config is malformed, count it, and replace it by a valid one")
    func malformed() {
        var follower = RegistryFollower(topics: Self.topics)
        follower.connected(at: Self.time(1))
        let good = follower.message(Self.entry("keys", 1, 2))
        #expect(follower.receive(good, at: Self.time(2)) == .changed("keys"))
        #expect(follower.receive(good, at: Self.time(2)) == .nothing)
        for number in 0..<1100 {
            let topic = number == 0 ? good.topic : Self.topics.itemConfig("i\(number)")
            guard case .refused = follower.receive(Message(topic: topic, text: "{}"), at: Self.time(3)) else {
                Issue.record("taken")
                return
            }
        }
        #expect(follower.refused == 1100)
        #expect(follower.refusals.count == RegistryFollower.refusalBound)
        #expect(follower.book.checkEntries().items.map(\.id) == ["keys"])
        #expect(follower.nextDeadline == Self.time(6))
        #expect(follower.takeRepairs(at: Self.time(6)) == [good])
        #expect(follower.nextDeadline == nil)
    }
}
