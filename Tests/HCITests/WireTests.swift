import Advertising
import Bytes
import Support
import Testing

@testable import HCI

@Suite struct WireTests {
    private static func message(_ hex: String) -> ManagementMessage? {
        let bytes = Hex.bytes(hex) ?? []
        for length in 0..<bytes.count where ManagementMessage(bytes.span.extracting(0..<length)) != nil { return nil }
        return ManagementMessage(bytes.span)
    }

    @Test("Read the messages of the management interface by the kernel's description")
    func management() {
        #expect(Self.message("040001000000") == .added(1))
        #expect(Self.message("050002000000") == .removed(2))
        #expect(Self.message("06000000040001020000") == .settings(0, isPowered: true))
        #expect(Self.message("06000000040080020000") == .settings(0, isPowered: false))
        #expect(Self.message("0100ffff0900" + "030000" + "0200" + "00000300") == .indices([0, 3]))
        #expect(Self.message("010000000700" + "050000" + "d1020000") == .powerSet(0, status: 0))
        #expect(Self.message("020000000300" + "050014") == .powerSet(0, status: 0x14))
        // Discovering, and one that nobody knows.
        #expect(Self.message("130000000200" + "0701") == nil)
        #expect(Self.message("420000000000") == nil)
    }

    @Test("Write the requests of the management interface")
    func questions() {
        #expect(ManagementMessage.askForIndices == Hex.bytes("0300ffff0000"))
        #expect(ManagementMessage.askForSettings(2) == Hex.bytes("040002000000"))
        #expect(ManagementMessage.setPowered(1, true) == Hex.bytes("05000100010001"))
        #expect(ManagementMessage.setPowered(1, false) == Hex.bytes("05000100010000"))
    }

    @Test("Never trap on a socket's data", arguments: [1, 2, 3])
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            var bytes = (0..<Int.random(in: 0...258, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random), bytes.count > 3 {
                (bytes[0], bytes[2]) = (0x3E, Bool.random(using: &random) ? 0x02 : 0x0D)
            }
            _ = ManagementMessage(bytes.span)
            _ = AdvertisingMessage(bytes.span)
            _ = ControllerReply(bytes.span)
        }
    }
}

@Suite struct StallTests {
    @Test("Find the gap of a stalled process between the retained and the later events")
    func overrun() {
        var stall = Stall()
        #expect(stall.hole(until: .at(100)) == nil, "it was run all the time")
        stall.begin(.at(100))
        for second in 101...125 { #expect(stall.hole(until: .at(Double(second))) == nil) }
        #expect(stall.hole(until: .at(140)).map { [$0.from, $0.to] } == [.at(125), .at(140)])
        #expect(stall.hole(until: .at(140.1)) == nil)
        stall.end()
        #expect(stall.hole(until: .at(200)) == nil)
    }

    @Test("Count the whole suspension of the machine as missed")
    func frozen() {
        var stall = Stall()
        stall.begin(.at(100))
        #expect(stall.hole(until: .at(148)).map { [$0.from, $0.to] } == [.at(100), .at(148)])
    }

    @Test("Report a gap found afterwards once, and none during a known gap")
    func told() {
        var listening = Listening(from: .at(0))
        listening.leaveOut(from: .at(1), to: .at(2))
        listening.resume(at: .at(3))
        listening.leaveOut(from: .at(10), to: .at(20))
        var changes: [ScanChange] = []
        while let change = listening.takeChange() { changes.append(change) }
        #expect(changes == [.stopped(.at(0)), .resumed(.at(3)), .stopped(.at(10)), .resumed(.at(20))])
        #expect(listening.isOn)
    }
}

@Suite struct ListeningTests {
    @Test("Merge gaps that nobody reads, without losing one, and keep the last state correct")
    func bounded() {
        var listening = Listening(from: .at(0))
        for second in 0..<1000 {
            listening.resume(at: .at(Double(second) + 0.4))
            listening.stop(at: .at(Double(second) + 0.9))
        }
        var changes: [ScanChange] = []
        while let change = listening.takeChange() { changes.append(change) }
        #expect(changes.count <= Listening.capacity + 1 && changes.first == .stopped(.at(0)))
        for (index, change) in changes.enumerated() {
            if case .stopped = change { #expect(index.isMultiple(of: 2)) } else { #expect(!index.isMultiple(of: 2)) }
        }
        if case .stopped = changes.last {} else { Issue.record("it doesn't listen") }
    }
}
