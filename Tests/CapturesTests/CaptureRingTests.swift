import Bytes
import Captures
import Foundation
import Support
import Testing

@Suite struct CaptureRingTests {
    private static let bound: Int64 = 1 << 20

    @Test func aRecordingOfAnyLengthKeepsItsBoundAndItsLatestPackets() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("ring.btsnoop")
        var ring = try CaptureRing(path: path, bound: Self.bound)
        for index in 0..<20_000 { try Self.append(index, to: &ring) }
        try ring.flush()
        let sizes = try [path, CaptureRing.older(path)].map(Self.size)
        #expect(sizes.allSatisfy { $0 <= Self.bound / 2 })
        let packets = try [CaptureRing.older(path), path].flatMap(Self.times)
        let first = try #require(packets.first)
        #expect(first > 0)
        #expect(packets == Array(first..<20_000), "the two files follow on each other without a gap")
        #expect(packets.count > 3000)
    }

    @Test func aNewRecordingKeepsWhatTheLastOneLeft() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("ring.btsnoop")
        do {
            var ring = try CaptureRing(path: path, bound: Self.bound)
            try Self.append(1, to: &ring)
        }
        var ring = try CaptureRing(path: path, bound: Self.bound)
        try Self.append(2, to: &ring)
        try ring.flush()
        #expect(try Self.times(CaptureRing.older(path)) == [1])
        #expect(try Self.times(path) == [2])
    }

    @Test func whatIsFlushedSurvivesAKill() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("ring.btsnoop")
        var ring = try CaptureRing(path: path, bound: Self.bound)
        for index in 0..<10 { try Self.append(index, to: &ring) }
        try ring.flush()
        try Self.append(10, to: &ring)
        // The ring still lives, as in a program that is killed now.
        #expect(try Self.times(path) == Array(0..<10))
    }

    @Test func aFolderThatIsNotThereIsTold() throws {
        let folder = try TemporaryFolder()
        #expect(throws: CaptureError(.cannotOpen(ENOENT), at: 0)) {
            _ = try CaptureRing(path: folder.file("missing/ring.btsnoop"), bound: Self.bound)
        }
    }

    private static func append(_ index: Int, to ring: inout CaptureRing) throws {
        let event = [UInt8](repeating: 0x3E, count: 200)
        try ring.append(event.span, kind: .event, direction: .received, time: CaptureFixture.time(index))
    }

    private static func size(_ path: String) throws -> Int64 {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
    }

    /// The packets of a file, by their times.
    private static func times(_ path: String) throws -> [Int] {
        let (packets, fault) = readAll(try CaptureReader(path: path))
        #expect(fault == nil)
        let start = CaptureFixture.time(0)
        let step = CaptureFixture.time(1).microseconds(since: start)
        return packets.compactMap { $0.packet.time.map { Int($0.microseconds(since: start) / step) } }
    }
}
