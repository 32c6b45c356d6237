import Bytes
import Support
import Testing

@testable import Store

@Suite struct LedgerTests {
    static let now = RoundTripTests.start

    @Test func theLedgerKeepsToItsCountAndTellsItsFirst() throws {
        var limits = StoreLimits()
        limits.events = 200
        let store = try StateStore(inMemoryAt: Self.now, limits: limits)
        for number in 1...1000 {
            let at = Self.now.advanced(bySeconds: Double(number))
            _ = store.transaction(at: at) { batch in
                for part in 0..<(number % 4) { batch.append(RoundTripTests.event(number + part)) }
            }
            let extent = try #require(try store.extents().last)
            let events = try store.events(from: 0, limit: 10_000)
            #expect(events.count <= 200)
            #expect(events.count >= min(Int(store.lastSeq), 190))
            #expect(events.first?.seq == extent.firstSeq)
            #expect(extent.lastSeq == store.lastSeq)
        }
        #expect(store.statistics.prunedEvents == store.lastSeq - UInt64(try store.events(from: 0, limit: 10_000).count))
    }

    @Test func eventsGoAfterTheirAgeAndTheCountGoesOn() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        let day = 86_400.0
        do {
            let store = try StateStore(path: path, at: Self.now)
            for number in 0..<10 {
                let at = Self.now.advanced(bySeconds: Double(number) * day)
                _ = store.transaction(at: at) { $0.append(EventDraft(at: at, kind: "exit", payload: [])) }
            }
            #expect(try store.events(from: 1, limit: 100).map(\.seq) == [3, 4, 5, 6, 7, 8, 9, 10])
            _ = store.heartbeat(at: Self.now.advanced(bySeconds: 100 * day))
            #expect(try store.events(from: 1, limit: 100).isEmpty)
            #expect(try store.extents() == [LedgerExtent(epoch: store.epoch, firstSeq: nil, lastSeq: 10)])
        }
        let store = try StateStore(path: path, at: Self.now.advanced(bySeconds: 101 * day))
        #expect(store.lastSeq == 10)
        #expect(store.opening.epochReason == nil)
    }

    /// 1,000 seeded operations beside a model that can't be wrong, with restarts and a disk that fails now and then.
    @Test(arguments: 1...(LongProofs.areRequested ? 4 : 2) as ClosedRange<UInt64>)
    func theStoreDoesWhatASimpleModelDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        var store: StateStore? = try StateStore(path: path, at: Self.now)
        var model: [StoreChange.Key: StoreChange] = [:]
        var told: [StoredEvent] = []
        var isFailing = false
        var time = Self.now
        for step in 1...1000 {
            time = time.advanced(bySeconds: Double.random(in: 0...4, using: &random))
            let place = "seed \(seed) step \(step)"
            let open = try #require(store)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<80:
                let written = open.transaction(at: time) { batch in
                    for _ in 0..<Int.random(in: 0...3, using: &random) {
                        batch.append(RoundTripTests.event(Int.random(in: 0...99, using: &random)))
                    }
                    for _ in 0..<Int.random(in: 0...4, using: &random) {
                        let change = Self.change(&random)
                        batch.set(change)
                        model[change.key] = change
                    }
                }
                told += written.events
                #expect((written.problem == nil) || isFailing || open.problem != nil, "\(place)")
            case 80..<90:
                isFailing.toggle()
                _ = try open.database?.connection.values("PRAGMA query_only=\(isFailing ? 1 : 0)", "")
            case 90..<95:
                // A restart; one that loses what the disk didn't take is tested elsewhere.
                _ = try open.database?.connection.values("PRAGMA query_only=0", "")
                isFailing = false
                try open.close(at: time)
                store = nil
                store = try StateStore(path: path, at: time)
                #expect(store?.opening.epochReason == nil, "\(place)")
            default:
                #expect(try RoundTripTests.records(open) == Set(model.values.filter { !$0.isForgetting }), "\(place)")
                let kept = try open.extents().flatMap { try open.events(epoch: $0.epoch, from: 1, limit: 10_000) }
                #expect(kept == told, "\(place)")
            }
        }
    }

    static func change(_ random: inout SeededGenerator) -> StoreChange {
        let id = "\(Int.random(in: 0...9, using: &random))"
        let isForgetting = Int.random(in: 0...3, using: &random) == 0
        let detail = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return isForgetting
                ? .forgetRegion(id) : .region(RegionRecord(id: id, state: "inside", since: now, detail: detail))
        case 1: return isForgetting ? .forgetCadence(id) : .cadence(CadenceRecord(beacon: id, bytes: detail, at: now))
        case 2:
            return isForgetting ? .forgetItem(id) : .item(ItemRecord(id: id, config: detail, source: "topic", at: now))
        case 3:
            return isForgetting ? .forgetOffer(id) : .offer(OfferRecord(region: id, visit: "\(detail.count)", at: now))
        default: return isForgetting ? .forgetSetting(id) : .setting(key: id, value: "\(detail.count)")
        }
    }
}

extension StoreChange {
    var isForgetting: Bool {
        switch self {
        case .forgetRegion, .forgetCadence, .forgetAlert, .forgetOffer, .forgetSetting, .forgetItem, .forgetTopic,
            .forgetPosition:
            true
        default: false
        }
    }
}
