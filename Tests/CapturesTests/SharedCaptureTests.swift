import Captures
import Support
import Testing

@Suite struct SharedCaptureTests {
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
