import Bytes
import Foundation
import Support
import Testing

@testable import Store

/// Somebody tidies up `/var/lib` while the program runs.
@Suite struct RemovedFileTests {
    static let now = RoundTripTests.start

    static func seconds(_ seconds: Double) -> Timestamp { now.advanced(bySeconds: seconds) }

    @Test(arguments: [false, true])
    func aDatabaseThatIsRemovedWhileItIsUsedIsMadeAnewAndLosesNothing(withFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let place = folder.file("state")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let path = place + "/agent.sqlite"
        var told: [StoredEvent] = []
        let epoch: String
        do {
            let store = try StateStore(path: path, at: Self.now)
            epoch = store.epoch
            told +=
                store.transaction(at: Self.now) { batch in
                    batch.append(RoundTripTests.event(1))
                    for change in RoundTripTests.changes { batch.set(change) }
                }.events
            if withFolder {
                try FileManager.default.removeItem(atPath: place)
            } else {
                for name in try StoreFiles.names(place) where name != "agent.sqlite.lock" {
                    try FileManager.default.removeItem(atPath: "\(place)/\(name)")
                }
            }
            let written = store.transaction(at: Self.seconds(1)) { $0.append(RoundTripTests.event(2)) }
            #expect(written.problem?.description.contains("removed") == true)
            told += written.events
            if withFolder {
                #expect(store.heartbeat(at: Self.seconds(7)).problem?.kind == .folderMissing)
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            }
            let recovered = store.transaction(at: Self.seconds(14)) { $0.append(RoundTripTests.event(3)) }
            #expect(recovered.hasRecovered)
            #expect(recovered.problem == nil)
            told += recovered.events
        }
        #expect(told.map(\.seq) == [1, 2, 3])
        let store = try StateStore(path: path, at: Self.seconds(20))
        #expect(store.opening.epochReason == nil)
        #expect(store.epoch == epoch)
        #expect(try store.events(from: 1, limit: 10) == told)
        #expect(try RoundTripTests.records(store) == Set(RoundTripTests.changes))
    }

    @Test func aDatabaseThatIsRemovedBeforeTheEndIsThereAtTheNextStart() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        let store = try StateStore(path: path, at: Self.now)
        let told = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(1)) }.events
        for name in try StoreFiles.names(folder.path) { try FileManager.default.removeItem(atPath: folder.file(name)) }
        try store.close(at: Self.seconds(1))
        let next = try StateStore(path: path, at: Self.seconds(2))
        #expect(try next.events(epoch: told[0].epoch, from: 1, limit: 10) == told)
    }
}
