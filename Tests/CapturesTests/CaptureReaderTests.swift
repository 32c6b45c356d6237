import Captures
import Foundation
import Support
import Testing

@Suite struct CaptureReaderTests {
    @Test(arguments: CaptureFixture.all)
    func everyFormatGivesItsPackets(_ fixture: CaptureFixture) {
        let (packets, fault) = readAll(fixture.bytes)
        #expect(fault == nil)
        #expect(packets == fixture.packets)
        #expect(!packets.isEmpty)
    }

    @Test(arguments: CaptureFixture.all)
    func aFileCutAnywhereGivesItsWholePacketsAndSaysWhereItBroke(_ fixture: CaptureFixture) {
        for cut in 0..<fixture.bytes.count {
            let (packets, fault) = readAll(fixture.bytes.prefix(cut))
            let whole = fixture.packetEnds.count { $0 <= cut }
            #expect(packets == Array(fixture.packets.prefix(whole)), "cut at \(cut)")
            if fixture.cleanEnds.contains(cut) {
                // A pcapng file that has described Ethernet alone so far is told as such.
                #expect(fault == nil || whole == 0 && fault?.reason == .unsupportedLinkType(1), "cut at \(cut)")
            } else {
                #expect(fault?.offset == Int64(cut), "cut at \(cut)")
                guard case .cutShort(_, let missing) = fault?.reason, missing > 0 else {
                    Issue.record("cut at \(cut): \(String(describing: fault))")
                    continue
                }
                #expect(cut + missing <= fixture.bytes.count)
            }
        }
    }

    @Test(arguments: CaptureFixture.all)
    func changedBytesNeverTrapTheReader(_ fixture: CaptureFixture) {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Mutations.count(long: 500) {
            var bytes = fixture.bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator)!
            }
            let (packets, fault) = readAll(bytes)
            #expect(packets.allSatisfy { $0.bytes.count <= bytes.count }, "seed \(seed)")
            if let fault {
                #expect((0...Int64(bytes.count)).contains(fault.offset), "seed \(seed): \(fault)")
                #expect(!fault.description.isEmpty)
            }
        }
    }

    @Test func aPacketLargerThanTheBufferIsReadWhole() throws {
        let folder = try TemporaryFolder()
        let large = [UInt8](repeating: 0x5A, count: CaptureReader.maximumPacketSize - 1)
        var bytes = btsnoopHeader(dataLink: 1002)
        for size in [3, large.count, 70_000, 1] {
            bytes += btsnoopRecord([2] + large.prefix(size), flags: 0, stamp: btsnoopStamp(CaptureFixture.time(0)))
        }
        let path = try folder.write(bytes, to: "large.btsnoop")
        let (packets, fault) = readAll(try CaptureReader(path: path))
        #expect(fault == nil)
        #expect(packets.map(\.bytes.count) == [3, large.count, 70_000, 1])
    }

    @Test func aLargeBlockOfNoUseIsPassedOver() throws {
        let folder = try TemporaryFolder()
        let blocks = PcapngBlocks(big: false)
        var bytes = blocks.sectionHeader() + blocks.interface(187)
        bytes += blocks.block(0x0A, [UInt8](repeating: 7, count: 3 << 20))
        bytes += blocks.simple([4, 0xFF, 0])
        let path = try folder.write(bytes, to: "large.pcapng")
        let (packets, fault) = readAll(try CaptureReader(path: path))
        #expect(fault == nil)
        #expect(packets.map(\.bytes) == [[0xFF, 0]])
    }

    @Test func standardInputMayBeAPipeThatComesInDribbles() throws {
        let fixture = try #require(CaptureFixture.all.last)
        let pipe = Pipe()
        let writer = Thread {
            for byte in fixture.bytes { pipe.fileHandleForWriting.write(Data([byte])) }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        // The pipe closes its descriptors with its last owner, which may be the writer.
        let (packets, fault) = withExtendedLifetime(pipe) {
            readAll(CaptureReader(descriptor: pipe.fileHandleForReading.fileDescriptor))
        }
        #expect(fault == nil)
        #expect(packets == fixture.packets)
    }

    @Test func aReaderThatFailedSaysTheSameAgain() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("no capture at all".utf8), to: "note.txt")
        var reader = try CaptureReader(path: path)
        let expected = CaptureError(.unknownFormat, at: 0)
        for _ in 0..<2 {
            #expect(throws: expected) { _ = try reader.next() }
        }
    }

    @Test func packetsOfOtherInterfacesAreCounted() throws {
        let folder = try TemporaryFolder()
        let fixture = try #require(CaptureFixture.all.last)
        var reader = try CaptureReader(path: try folder.write(fixture.bytes, to: "two.pcapng"))
        while try reader.next() != nil {}
        #expect(reader.skippedPackets == 1)
    }

    @Test func aFileThatCannotBeOpenedIsAnErrorWithItsReason() throws {
        let folder = try TemporaryFolder()
        let missing = CaptureError(.cannotOpen(ENOENT), at: 0)
        #expect(throws: missing) { _ = readAll(try CaptureReader(path: folder.file("absent"))) }
        #expect(missing.description == "cannot open: No such file or directory")
        let (_, fault) = readAll(try CaptureReader(path: folder.path))
        #expect(fault?.reason == .cannotRead(EISDIR))
    }

    @Test(
        .enabled(if: SharedMaterial.path("captures") != nil, "the shared captures are not here"),
        arguments: [
            ("epfl-crowd-01.btsnoop", 0x0D, 15_041), ("epfl-crowd-15.btsnoop", 0x02, 20_346),
            ("epfl-crowd-18.btsnoop", 0x02, 19_078),
        ] as [(String, UInt8, Int)])
    func realCapturesGiveEveryAdvertisingEvent(_ name: String, _ subevent: UInt8, _ expected: Int) throws {
        var reader = try CaptureReader(path: try #require(SharedMaterial.path("captures/\(name)")))
        var count = 0
        while let packet = try reader.next() {
            guard packet.kind == .event else { continue }
            #expect(packet.direction == .received)
            if reader.withBytes({ $0.count > 2 && $0[0] == 0x3E && $0[2] == subevent }) { count += 1 }
        }
        #expect(count == expected)
    }
}
