import BrokerSession
import Bytes
import Foundation
import Store
import Support
import System
import Testing

@testable import Fuser

/// Marks of true rooms in a fuser's state.
@Suite struct TruthMemoryTests {
    private static func open(_ folder: TemporaryFolder) throws -> FuserMemory {
        try FuserMemory(
            path: folder.file("fuser.sqlite"), history: .seconds(86400), at: Fused.time(0),
            log: Log(level: .error, style: .plain, descriptor: 2))
    }

    private static func report(_ memory: FuserMemory, at seconds: Double) throws -> [String: Any] {
        let bytes = try memory.truthReport(of: "keys", at: Fused.time(seconds))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test("Have all marks after a restart, and measure the last walk by the stored visits")
    func restart() throws {
        let folder = try TemporaryFolder()
        do {
            let memory = try Self.open(folder)
            func visit(_ room: String, _ from: Double, _ to: Double?) -> VisitRecord {
                VisitRecord(
                    item: "keys", room: room, from: Fused.time(from), to: to.map { Fused.time($0) }, confidence: 1)
            }
            memory.state.commitBatch(at: Fused.time(40)) { batch in
                batch.set(.visit(visit("hall", -5, 25)))
                batch.set(.visit(visit("kitchen", 25, nil)))
            }
            try memory.markTruth("keys", in: "hall", from: Fused.time(0), by: "anna", at: Fused.time(0))
            try memory.markTruth("keys", in: "kitchen", from: Fused.time(20), by: "anna", at: Fused.time(21))
        }
        let memory = try Self.open(folder)
        let open = try Self.report(memory, at: 40)
        #expect((open["marks"] as? [[String: Any]])?.map { $0["room"] as? String } == ["hall", "kitchen"])
        let score = try #require(open["score"] as? [String: Double])
        #expect(score == ["accuracy": 0.875, "settled": 1, "flaps": 0, "lag_p50": 5, "seconds": 40])
        #expect((open["walk"] as? [String: Any])?["open"] as? Bool == true)
        try memory.markTruth("keys", in: nil, from: Fused.time(40), by: "anna", at: Fused.time(41))
        let ended = try Self.report(memory, at: 90)
        #expect((ended["score"] as? [String: Double])?["seconds"] == 40)
        #expect((ended["walk"] as? [String: Any])?["open"] as? Bool == false)
    }

    @Test("Take a mark that comes twice, or late, for what it says")
    func repeated() throws {
        let folder = try TemporaryFolder()
        let memory = try Self.open(folder)
        for (room, time) in [("hall", 0.0), ("hall", 1), ("bath", 20), ("kitchen", 10), (nil, 30), (nil, 31)] {
            try memory.markTruth("keys", in: room, from: Fused.time(time), by: "", at: Fused.time(40))
        }
        let marks = try memory.store.truth(of: "keys", limit: 10)
        #expect(marks.map(\.room) == ["hall", "kitchen", "bath", nil])
        #expect(try memory.forgetTruth("keys", at: Fused.time(50)) == 4)
        #expect(try memory.forgetTruth("keys", at: Fused.time(50)) == 0)
    }
}
