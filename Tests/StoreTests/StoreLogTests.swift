import Foundation
import Support
import Testing

@testable import Store

/// The write-ahead log on small disks.
@Suite struct StoreLogTests {
    @Test("Give the log a part of the free space, within bounds")
    func bounds() {
        #expect(StoreLog.pages(free: nil) == 1000)
        #expect(StoreLog.pages(free: 1 << 40) == 1000)
        #expect(StoreLog.pages(free: 4 << 20) == 64)
        #expect(StoreLog.pages(free: 0) == 16)
    }

    private static func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }

    /// A small batch as a program writes each second: one record changes.
    private static func small(_ store: StateStore, _ number: Int) -> StoreWritten {
        store.transaction(at: FullDiskTests.seconds(Double(number))) { batch in
            batch.append(RoundTripTests.event(number))
            batch.set(.setting(key: "number \(number % 50)", value: "\(number)"))
        }
    }

    @Test(
        "Keep the log below a tenth of a 4 MB disk, continue on a full disk, and recover")
    func smallDisk() throws {
        let folder = try TemporaryFolder()
        guard getuid() == 0, let mount = Execution.find("mount"), let unmount = Execution.find("umount"),
            try Execution.run(mount, ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder.path]).status == 0
        else {
            print("StoreLogTests.smallDisk: skipped, no file system can be mounted here")
            return
        }
        defer { _ = try? Execution.run(unmount, [folder.path]) }
        let path = folder.file("agent.sqlite")
        var limits = StoreLimits()
        limits.events = 200
        var told: [StoredEvent] = []
        do {
            let store = try StateStore(path: path, at: FullDiskTests.now, limits: limits)
            var largest = 0
            for number in 1...2000 {
                let written = Self.small(store, number)
                #expect(written.problem == nil)
                told += written.events
                largest = max(largest, Self.size(path + "-wal"))
            }
            print("largest write-ahead log on a disk of 4 MB: \(largest) bytes")
            #expect(largest > 0 && largest < 400_000, "\(largest) bytes")

            // Somebody else fills the disk.
            try folder.fillDisk()
            var number = 2000
            while store.problem == nil, number < 4000 {
                number += 1
                told +=
                    store.transaction(at: FullDiskTests.seconds(Double(number))) { batch in
                        for _ in 0..<10 { batch.append(FullDiskTests.bulky(number)) }
                    }.events
            }
            #expect(store.problem?.kind == .full)
            let during = Self.small(store, number + 1)
            told += during.events
            #expect(during.problem != nil && during.events.count == 1)
            folder.emptyDisk()
            #expect(store.heartbeat(at: FullDiskTests.seconds(Double(number + 10))).hasRecovered)
            try store.close(at: FullDiskTests.seconds(Double(number + 10)))
        }
        let store = try StateStore(path: path, at: FullDiskTests.seconds(5000), limits: limits)
        #expect(store.problem == nil)
        let kept = try store.extents().flatMap { try store.events(epoch: $0.epoch, from: 1, limit: 10_000) }
        #expect(!kept.isEmpty && kept == Array(told.suffix(kept.count)))
    }

    @Test("Return the log's room to a full disk before a write fails")
    func roomOfTheLog() throws {
        let folder = try TemporaryFolder()
        guard getuid() == 0, let mount = Execution.find("mount"), let unmount = Execution.find("umount"),
            try Execution.run(mount, ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder.path]).status == 0
        else {
            print("StoreLogTests.roomOfTheLog: skipped, no file system can be mounted here")
            return
        }
        defer { _ = try? Execution.run(unmount, [folder.path]) }
        let path = folder.file("agent.sqlite")
        let store = try StateStore(path: path, at: FullDiskTests.now)
        _ = store.heartbeat(at: FullDiskTests.now)
        try StoreLog.truncate(try #require(store.database).connection)
        // On a large disk the log grows; the same few pages change.
        for number in 1...300 {
            _ = store.transaction(at: FullDiskTests.seconds(Double(number))) {
                $0.set(.setting(key: "k", value: "\(number)"))
            }
        }
        let before = Self.size(path + "-wal")
        #expect(before > 500_000, "\(before) bytes")
        // Then the disk has no more room than what is used.
        let used = before + Self.size(path) + 16384
        #expect(try Execution.run(mount, ["-o", "remount,size=\(used)", folder.path]).status == 0)
        for number in 301...400 {
            let written = store.transaction(at: FullDiskTests.seconds(Double(number))) {
                $0.set(.setting(key: "k", value: "\(number)"))
            }
            #expect(written.problem == nil, "\(number): \(String(describing: written.problem))")
        }
        print("write-ahead log before and after the disk was full: \(before), \(Self.size(path + "-wal")) bytes")
        #expect(Self.size(path + "-wal") < before / 2)
    }
}
