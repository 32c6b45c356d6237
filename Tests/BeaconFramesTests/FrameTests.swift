import Advertising
import BeaconFrames
import Support
import Testing

@Suite struct FrameTests {
    @Test(arguments: Fixture.all)
    func aFrameIsReadFromItsBytes(_ fixture: Fixture) {
        let (frames, fault) = frames(fixture.data)
        #expect(frames == [fixture.frame])
        #expect(fault == nil)
    }

    @Test(arguments: Fixture.all)
    func aFrameIsAdvertisedInTheBytesOfItsSpecification(_ fixture: Fixture) {
        #expect(fixture.frame.advertisingData == fixture.data)
        #expect(fixture.data.count <= 31)
    }

    @Test(arguments: Fixture.all)
    func aFrameIsPrintedWithTheAgreedKeys(_ fixture: Fixture) {
        #expect(json(fixture.frame) == fixture.json)
    }

    @Test func powersAreComparedAtOneMetre() {
        #expect(Fixture.iBeacon.frame.powerAtOneMetre == -59)
        #expect(Fixture.altBeacon.frame.powerAtOneMetre == -66)
        #expect(Fixture.uid.frame.powerAtOneMetre == -59)
        #expect(Fixture.url.frame.powerAtOneMetre == -51)
        #expect(Fixture.eid.frame.powerAtOneMetre == -62)
        #expect(Fixture.tlm.frame.powerAtOneMetre == nil)
        #expect(Fixture.etlm.frame.powerAtOneMetre == nil)
        #expect(Fixture.fmdn.frame.powerAtOneMetre == nil)
        #expect(Fixture.btHome.frame.powerAtOneMetre == nil)
        #expect(Fixture.ruuviTag5.frame.powerAtOneMetre == nil)
        // The lowest power must not overflow.
        #expect(EddystoneEID(eid: 0, rangingData: -128).powerAtOneMetre == -169)
    }

    @Test func anAdvertisementMayHoldSeveralFrames() {
        let data = Fixture.all.flatMap { Array($0.data.dropFirst(3)) }
        #expect(frames(data).frames == Fixture.all.map(\.frame))
    }

    @Test func framesBeforeAFaultAreHeard() {
        let data = Fixture.uid.data + bytes("1a ff 4c00 0215 00")
        let (frames, fault) = frames(data)
        #expect(frames == [Fixture.uid.frame])
        #expect(fault == AdvertisingFault(.structurePastEnd, at: 31))
    }

    @Test func paddingBehindTheDataIsNoFault() {
        #expect(frames(Fixture.iBeacon.data + [0, 0, 0xFF]) == ([Fixture.iBeacon.frame], nil))
    }

    @Test(arguments: Fixture.all)
    func aCutAdvertisementGivesNoFrame(_ fixture: Fixture) {
        for length in 0..<fixture.data.count {
            #expect(frames(Array(fixture.data[..<length])).frames.isEmpty)
        }
    }

    /// A frame of another length is no frame of the format.
    @Test(arguments: [Fixture.iBeacon, .altBeacon, .uid, .tlm, .etlm, .eid, .ruuviTag5])
    func aStructureThatIsTooLongOrTooShortIsNoFrame(_ fixture: Fixture) {
        let start = fixture.data.count - lastLength(fixture.data) - 1
        for change in [-3, 1, 3, 4] {
            var data = fixture.data
            if change > 0 { data += [UInt8](repeating: 0, count: change) } else { data.removeLast(-change) }
            data[start] = UInt8(data.count - start - 1)
            #expect(frames(data) == ([], nil), "\(change)")
        }
    }

    private func lastLength(_ data: [UInt8]) -> Int {
        var length = 0
        try? ADStructure.forEach(in: data.span) { _, payload in length = payload.count + 1 }
        return length
    }

    @Test(arguments: [
        // Apple's other messages, an iBeacon header with another length byte, another type, another company.
        "0a ff 4c00 1005 441cbd08c5", "1a ff 4c00 0214 00112233445566778899aabbccddeeff 0001 0002 c5",
        "1a ff 4c00 0315 00112233445566778899aabbccddeeff 0001 0002 c5",
        "1a ff 4d00 0215 00112233445566778899aabbccddeeff 0001 0002 c5",
        "1a ff 004c 0215 00112233445566778899aabbccddeeff 0001 0002 c5",
        // The bytes of an iBeacon as service data, of an AltBeacon with its code turned round.
        "1a 16 4c00 0215 00112233445566778899aabbccddeeff 0001 0002 c5",
        "1b ff 1801 acbe 00112233445566778899aabbccddeeff 0001 0002 c5 00",
        // Eddystone: no frame type, unknown ones, TLM of version 2, another service, 16-bit UUID cut.
        "03 16 aafe", "05 16 aafe 4000", "11 16 aafe 20 02 0bb8 1500 00000045 00000258",
        "11 16 abfe 20 00 0bb8 1500 00000045 00000258", "02 16 aa", "01 16", "01 ff", "02 ff 4c",
        "11 ff aafe 20 00 0bb8 1500 00000045 00000258",
    ])
    func whatOnlyLooksLikeABeaconIsNoFrame(_ hex: String) {
        #expect(frames(bytes(hex)) == ([], nil))
    }

    @Test func noMutationOfAnAdvertisementTraps() {
        let seed: UInt64 = 0xBEAC
        var random = SeededGenerator(seed: seed)
        var found = 0
        for _ in 0..<20_000 {
            guard var data = Fixture.all.randomElement(using: &random)?.data else { continue }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    data.insert(.random(in: 0...255, using: &random), at: .random(in: 0...data.count, using: &random))
                case 1 where !data.isEmpty: data.remove(at: .random(in: 0..<data.count, using: &random))
                default:
                    guard let index = data.indices.randomElement(using: &random) else { continue }
                    data[index] = .random(in: 0...255, using: &random)
                }
            }
            for frame in frames(data).frames {
                found += 1
                // Any frame that was read can be advertised, printed and read again.
                #expect(frames(frame.advertisingData).frames == [frame], "seed \(seed)")
                #expect(!json(frame).isEmpty)
            }
        }
        #expect(found > 1_000)
    }
}
