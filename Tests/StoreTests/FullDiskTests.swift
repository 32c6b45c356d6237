import Bytes
import Foundation
import Support
import Testing

@testable import Store

@Suite struct FullDiskTests {
    static let now = RoundTripTests.start

    static func seconds(_ seconds: Double) -> Timestamp { now.advanced(bySeconds: seconds) }

    /// A bulky event, so that a small disk fills up soon.
    static func bulky(_ number: Int) -> EventDraft {
        EventDraft(
            at: seconds(Double(number)), kind: "enter", payload: [UInt8](repeating: UInt8(number % 251), count: 3000))
    }

    @Test func aFullDiskKeepsTheNodeGoingAndNothingIsLostWhenRoomReturns() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        var told: [StoredEvent] = []
        var second = ""
        do {
            let store = try StateStore(path: path, at: Self.now)
            let first = store.epoch
            let connection = try #require(store.database).connection
            _ = try connection.values("PRAGMA max_page_count=60", "")
            var number = 0
            while store.problem == nil, number < 200 {
                number += 1
                told +=
                    store.transaction(at: Self.seconds(Double(number))) { batch in
                        batch.append(Self.bulky(number))
                        batch.set(.setting(key: "number", value: "\(number)"))
                    }.events
            }
            #expect(store.problem?.kind == .full)
            #expect(store.problem?.description.contains("make room") == true)
            // Its numbers go on in an epoch that the disk doesn't know yet.
            second = store.epoch
            #expect(second != first)
            for _ in 1...10 {
                number += 1
                let written = store.transaction(at: Self.seconds(Double(number))) { batch in
                    batch.append(Self.bulky(number))
                    batch.set(.setting(key: "number", value: "\(number)"))
                }
                told += written.events
                #expect(written.problem != nil)
                #expect(!written.hasRecovered)
            }
            #expect(try store.settings()["number"] == "\(number)")
            #expect(store.statistics.pendingEvents == 11)
            #expect(store.statistics.failures >= 2)
            #expect(try store.events(from: 1, limit: 100) == told.filter { $0.epoch == second })
            #expect(try store.extents().last == LedgerExtent(epoch: second, firstSeq: 1, lastSeq: 11))

            _ = try connection.values("PRAGMA max_page_count=100000", "")
            // Not before a try is due.
            #expect(store.heartbeat(at: Self.seconds(Double(number))).problem != nil)
            let written = store.heartbeat(at: Self.seconds(Double(number + 6)))
            #expect(written.hasRecovered)
            #expect(written.problem == nil)
            #expect(store.statistics.pendingEvents == 0)
            #expect(store.epoch == second)
            told += store.transaction(at: Self.seconds(300)) { $0.append(Self.bulky(300)) }.events
        }
        let store = try StateStore(path: path, at: Self.seconds(400))
        #expect(store.epoch == second)
        let kept = try store.extents().flatMap { try store.events(epoch: $0.epoch, from: 1, limit: 1000) }
        #expect(kept == told)
    }

    @Test func aCrashOnAFullDiskUsesNoNumberTwice() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        var told: Set<String> = []
        for round in 0..<4 {
            let store = try StateStore(path: path, at: Self.now)
            for number in 0..<6 {
                if number == 3 { _ = try store.database?.connection.values("PRAGMA query_only=1", "") }
                let written = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(number)) }
                if number >= 3 { #expect(written.problem?.kind == .readOnly) }
                for event in written.events {
                    #expect(told.insert("\(event.epoch) \(event.seq)").inserted, "round \(round)")
                }
            }
        }
    }

    @Test func whatTheMemoryQueueDropsIsCountedAndTheRestHasNoGap() throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.pendingEvents = 10
        limits.pendingChanges = 3
        let store = try StateStore(path: folder.file("agent.sqlite"), at: Self.now, limits: limits)
        let connection = try #require(store.database).connection
        _ = try connection.values("PRAGMA query_only=1", "")
        for number in 1...25 {
            _ = store.transaction(at: Self.now) { batch in
                batch.append(RoundTripTests.event(number))
                batch.set(.setting(key: "\(number)", value: ""))
            }
        }
        #expect(store.statistics.pendingEvents == 10)
        #expect(store.statistics.droppedEvents == 15)
        #expect(store.statistics.pendingChanges == 3)
        #expect(store.statistics.droppedChanges == 22)
        _ = try connection.values("PRAGMA query_only=0", "")
        #expect(store.heartbeat(at: Self.seconds(10)).hasRecovered)
        #expect(try store.events(from: 1, limit: 100).map(\.seq) == Array(16...25))
        #expect(try store.extents() == [LedgerExtent(epoch: store.epoch, firstSeq: 16, lastSeq: 25)])
    }

    @Test func aFailureWithoutEventsKeepsTheEpoch() throws {
        let folder = try TemporaryFolder()
        let store = try StateStore(path: folder.file("agent.sqlite"), at: Self.now)
        let epoch = store.epoch
        _ = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(1)) }
        let connection = try #require(store.database).connection
        _ = try connection.values("PRAGMA query_only=1", "")
        #expect(store.heartbeat(at: Self.now).problem != nil)
        _ = try connection.values("PRAGMA query_only=0", "")
        #expect(store.heartbeat(at: Self.seconds(5)).hasRecovered)
        #expect(store.transaction(at: Self.now) { $0.append(RoundTripTests.event(2)) }.events.map(\.seq) == [2])
        #expect(store.epoch == epoch)
    }

    /// A file system of 300 KB, where this user may mount one.
    @Test func aRealFullDiskIsSurvived() throws {
        let folder = try TemporaryFolder()
        guard getuid() == 0, let mount = Execution.find("mount"), let unmount = Execution.find("umount"),
            try Execution.run(mount, ["-t", "tmpfs", "-o", "size=300k", "tmpfs", folder.path]).status == 0
        else {
            print("aRealFullDiskIsSurvived: skipped, no file system can be mounted here")
            return
        }
        defer { _ = try? Execution.run(unmount, [folder.path]) }
        let path = folder.file("agent.sqlite")
        var told: [StoredEvent] = []
        do {
            let store = try StateStore(path: path, at: Self.now)
            var number = 0
            while store.problem == nil, number < 200 {
                number += 1
                told += store.transaction(at: Self.now) { $0.append(Self.bulky(number)) }.events
            }
            #expect(store.problem?.kind == .full, "\(String(describing: store.problem))")
            told += store.transaction(at: Self.now) { $0.append(Self.bulky(201)) }.events
            #expect(try Execution.run(mount, ["-o", "remount,size=8m", folder.path]).status == 0)
            #expect(store.heartbeat(at: Self.seconds(10)).hasRecovered)
            try store.close(at: Self.seconds(10))
        }
        let store = try StateStore(path: path, at: Self.seconds(20))
        let kept = try store.extents().flatMap { try store.events(epoch: $0.epoch, from: 1, limit: 1000) }
        #expect(kept == told)
    }

    @Test func aStartOnAFullDiskIsInMemoryUntilThereIsRoom() throws {
        let folder = try TemporaryFolder()
        guard getuid() == 0, let mount = Execution.find("mount"), let unmount = Execution.find("umount"),
            try Execution.run(mount, ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder.path]).status == 0
        else {
            print("aStartOnAFullDiskIsInMemoryUntilThereIsRoom: skipped, no file system can be mounted here")
            return
        }
        defer { _ = try? Execution.run(unmount, [folder.path]) }
        let path = folder.file("agent.sqlite")
        var told: [StoredEvent] = []
        do {
            let store = try StateStore(path: path, at: Self.now)
            #expect(store.problem?.kind == .full)
            let written = store.transaction(at: Self.now) { batch in
                for number in 1...3 { batch.append(Self.bulky(number)) }
                for change in RoundTripTests.changes { batch.set(change) }
            }
            #expect(written.problem?.kind == .full)
            told += written.events
            #expect(try store.events(from: 1, limit: 10) == told)
            #expect(!store.heartbeat(at: Self.seconds(6)).hasRecovered)
            #expect(try Execution.run(mount, ["-o", "remount,size=8m", folder.path]).status == 0)
            let recovered = store.transaction(at: Self.seconds(12)) { $0.append(Self.bulky(4)) }
            #expect(recovered.hasRecovered)
            #expect(recovered.problem == nil)
            told += recovered.events
        }
        let store = try StateStore(path: path, at: Self.seconds(20))
        #expect(store.problem == nil)
        #expect(try store.events(from: 1, limit: 10) == told)
        #expect(try RoundTripTests.records(store) == Set(RoundTripTests.changes))
    }
}
