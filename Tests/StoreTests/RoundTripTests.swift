import Bytes
import Support
import Testing

@testable import Store

@Suite struct RoundTripTests {
    static let start = Timestamp(microseconds: 1_700_000_000_000_000)

    static func event(_ number: Int) -> EventDraft {
        EventDraft(
            at: start.advanced(byMicroseconds: Int64(number) * 1_000_000), kind: "enter",
            payload: Array("{\"n\":\(number)}".utf8))
    }

    /// One record of each kind, empty values among them.
    static let changes: [StoreChange] = [
        .region(
            RegionRecord(
                id: "office", state: "inside", since: start, determinedAt: start,
                beacons: [.init(id: "keys", lastHeard: start.advanced(byMicroseconds: 7))], detail: [0, 1, 255])),
        .region(RegionRecord(id: "", state: "", since: Timestamp(microseconds: .min))),
        .cadence(CadenceRecord(beacon: "iBeacon:1-2-3", bytes: [], at: start)),
        .alert(AlertRecord(id: "left", openedAt: start)),
        .alert(
            AlertRecord(id: "gone", openedAt: start, toldAt: start, told: 3, silencedUntil: start, detail: [9])),
        .offer(OfferRecord(region: "office", visit: "v1", at: start)),
        .setting(key: "window", value: "2s"), .setting(key: "empty", value: ""),
        .item(ItemRecord(id: "keys", config: Array("{\"name\":\"Schlüssel 🔑\"}".utf8), source: "topic", at: start)),
        .item(ItemRecord(id: "cat", config: [], source: "items.yaml", at: start, removedAt: start)),
        .topic(TopicRecord(topic: "whereabouts/nodes/kitchen/regions/office", at: start)),
        .position(PositionRecord(source: "kitchen", epoch: "5f1c09aa", seq: .max / 2)),
    ]

    /// All that a store holds beside its events, as the changes that would set it.
    static func records(_ store: StateStore) throws -> Set<StoreChange> {
        var all: Set<StoreChange> = []
        all.formUnion(try store.regions().map { .region($0) })
        all.formUnion(try store.cadences().map { .cadence($0) })
        all.formUnion(try store.alerts().map { .alert($0) })
        all.formUnion(try store.offers().map { .offer($0) })
        all.formUnion(try store.settings().map { .setting(key: $0.key, value: $0.value) })
        all.formUnion(try store.items().map { .item($0) })
        all.formUnion(try store.topics().map { .topic($0) })
        all.formUnion(try store.positions().map { .position($0) })
        return all
    }

    @Test func whatWasKeptIsThereAfterARestart() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        var epoch = ""
        do {
            let store = try StateStore(path: path, at: Self.start)
            #expect(store.opening.isNew)
            #expect(store.opening.previous == nil)
            epoch = store.epoch
            let written = store.transaction(at: Self.start) { batch in
                for number in 1...3 { batch.append(Self.event(number)) }
                for change in Self.changes { batch.set(change) }
            }
            #expect(written.problem == nil)
            #expect(written.events.map(\.seq) == [1, 2, 3])
            try store.close(at: Self.start.advanced(bySeconds: 10))
        }
        let store = try StateStore(path: path, at: Self.start.advanced(bySeconds: 20))
        #expect(!store.opening.isNew)
        #expect(store.opening.created == Self.start)
        #expect(store.opening.previous == .init(lastAlive: Self.start.advanced(bySeconds: 10), wasClean: true))
        #expect(store.epoch == epoch)
        #expect(store.lastSeq == 3)
        #expect(try Self.records(store) == Set(Self.changes))
        let events = try store.events(from: 2, limit: 10)
        #expect(events.map(\.seq) == [2, 3])
        #expect(events.map(\.event) == [Self.event(2), Self.event(3)])
        #expect(try store.extents() == [LedgerExtent(epoch: epoch, firstSeq: 1, lastSeq: 3)])
    }

    @Test func anOutagesBeginIsKnownUntilItHasBeenDealtWith() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do {
            let store = try StateStore(path: path, at: Self.start)
            _ = store.heartbeat(at: Self.start.advanced(bySeconds: 5))
        }
        // It ends again before it has written anything: the outage is still the first one.
        for _ in 0..<2 {
            let store = try StateStore(path: path, at: Self.start.advanced(bySeconds: 100))
            #expect(
                store.opening.previous == .init(lastAlive: Self.start.advanced(bySeconds: 5), wasClean: false))
        }
    }

    @Test func aForgottenRecordStaysForgotten() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do {
            let store = try StateStore(path: path, at: Self.start)
            _ = store.transaction(at: Self.start) { batch in for change in Self.changes { batch.set(change) } }
            _ = store.transaction(at: Self.start) { batch in
                batch.set(.forgetRegion("office"))
                batch.set(.forgetRegion(""))
                batch.set(.forgetCadence("iBeacon:1-2-3"))
                batch.set(.forgetAlert("left"))
                batch.set(.forgetAlert("gone"))
                batch.set(.forgetOffer("office"))
                batch.set(.forgetSetting("window"))
                batch.set(.forgetSetting("empty"))
                batch.set(.forgetItem("keys"))
                batch.set(.forgetItem("cat"))
                batch.set(.forgetTopic("whereabouts/nodes/kitchen/regions/office"))
                batch.set(.forgetPosition("kitchen"))
            }
        }
        #expect(try Self.records(StateStore(path: path, at: Self.start)).isEmpty)
    }

    @Test func aNodeWithoutAStateFileCountsInAnEpochOfItsOwn() throws {
        let first = try StateStore(inMemoryAt: Self.start)
        let second = try StateStore(inMemoryAt: Self.start)
        #expect(first.epoch != second.epoch)
        let written = first.transaction(at: Self.start) { $0.append(Self.event(1)) }
        #expect(written.events == [StoredEvent(epoch: first.epoch, seq: 1, event: Self.event(1))])
        #expect(try first.events(from: 1, limit: 10) == written.events)
    }

    @Test func onlyTheOwnerReadsTheState() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        _ = try folder.write([], to: "agent.sqlite")
        let store = try StateStore(path: path, at: Self.start)
        _ = store.heartbeat(at: Self.start)
        for suffix in ["", "-wal", ".lock"] {
            #expect(try StoreFiles.mode(path + suffix) == 0o600, "\(suffix)")
        }
    }
}
