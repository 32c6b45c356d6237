import Advertising
import Radio
import Testing

/// What a host would be told wrongly.
@Suite struct ControllerTests {
    var host = Host(.init(kind: .extended, coded: true, address: DeviceAddress("aa:bb:cc:00:00:01")!))
    var legacy = Host(.init(kind: .legacy, address: DeviceAddress("aa:bb:cc:00:00:02")!))

    static let extendedParameters: [UInt8] = [0, 0, 1, 0, 0x10, 0, 0x10, 0]
    static let codedParameters: [UInt8] = [0, 0, 5, 0, 0x10, 0, 0x10, 0, 0, 0x10, 0, 0x10, 0]
    static let extendedEnable: [UInt8] = [1, 0, 0, 0, 0, 0]
    static let parameters: [UInt8] = [0, 0x10, 0, 0x10, 0, 0, 0]

    @Test mutating func `reports come at the ordered rate while scanning is on, and are counted`() {
        legacy.allowEvents()
        #expect(legacy.command(0x200B, Self.parameters) == 0)
        legacy.controller.setBeacons(count: 10, rate: 1000, reportsPerEvent: 1, level: -40)
        #expect(legacy.run(milliseconds: 100).isEmpty)
        #expect(legacy.command(0x200C, [1, 0]) == 0)
        let events = legacy.run(milliseconds: 1000)
        #expect((1000...1001).contains(events.count))
        #expect(UInt64(events.count) == legacy.controller.reports)
        #expect(legacy.command(0x200C, [0, 0]) == 0)
        #expect(legacy.run(milliseconds: 100).isEmpty)
    }

    @Test mutating func `several reports share an event, in the form of the command that began the scan`() {
        host.allowEvents()
        host.controller.setBeacons(count: 10, rate: 1000, reportsPerEvent: 4, level: -40)
        #expect(host.command(0x2041, Self.extendedParameters) == 0)
        #expect(host.command(0x2042, Self.extendedEnable) == 0)
        let events = host.run(milliseconds: 1000)
        #expect((250...251).contains(events.count))
        #expect(events.allSatisfy { $0[3] == 0x0D && $0[4] == 4 })
        #expect(Int(host.controller.reports) == 4 * events.count)
    }

    @Test mutating func `the duplicate filter lets each advertiser through once a scan`() {
        legacy.allowEvents()
        legacy.controller.setBeacons(count: 10, rate: 1000, reportsPerEvent: 1, level: -40)
        #expect(legacy.command(0x200C, [1, 1]) == 0)
        #expect(legacy.run(milliseconds: 500).count == 10)
        #expect(legacy.command(0x200C, [1, 1]) == 0)
        #expect(legacy.run(milliseconds: 500).count == 10)
    }

    @Test mutating func `parameters are refused while scanning`() {
        #expect(legacy.command(0x200C, [1, 0]) == 0)
        #expect(legacy.command(0x200B, Self.parameters) == 0x0C)
        #expect(host.command(0x2041, Self.extendedParameters) == 0)
        #expect(host.command(0x2042, Self.extendedEnable) == 0)
        #expect(host.command(0x2041, Self.extendedParameters) == 0x0C)
    }

    @Test mutating func `the two families of commands don't mix between resets`() {
        #expect(host.command(0x2041, Self.extendedParameters) == 0)
        #expect(host.command(0x200B, Self.parameters) == 0x0C)
        #expect(host.command(0x0C03) == 0)
        #expect(host.command(0x200B, Self.parameters) == 0)
        #expect(host.command(0x2041, Self.extendedParameters) == 0x0C)
    }

    @Test mutating func `a legacy controller doesn't know extended commands`() {
        #expect(legacy.command(0x2041, Self.extendedParameters) == 0x01)
        #expect(legacy.command(0x2036, [UInt8](repeating: 0, count: 25)) == 0x01)
    }

    @Test mutating func `Coded PHY is refused where it isn't offered`() {
        #expect(host.command(0x2041, Self.codedParameters) == 0)
        var plain = Host(.init(kind: .extended, address: DeviceAddress("aa:bb:cc:00:00:03")!))
        #expect(plain.command(0x2041, Self.codedParameters) == 0x11)
    }

    @Test mutating func `what is sent on the Coded PHY is heard where that is listened on, and reported with it`() {
        host.allowEvents()
        host.controller.setBeacons(count: 10, rate: 1000, reportsPerEvent: 1, level: -40, halfCoded: true)
        for (parameters, share) in [(Self.codedParameters, 1000), (Self.extendedParameters, 500)] {
            #expect(host.command(0x2041, parameters) == 0)
            #expect(host.command(0x2042, Self.extendedEnable) == 0)
            let events = host.run(milliseconds: 1000)
            #expect((share...share + 1).contains(events.count))
            // Event type, primary and secondary PHY (Core Vol 4 Part E 7.7.65.13).
            let forms = Set(events.map { [$0[5], $0[14], $0[15]] })
            #expect(forms == (share == 1000 ? [[0x10, 1, 0], [0, 3, 3]] : [[0x10, 1, 0]]))
            #expect(host.command(0x2042, [0, 0, 0, 0, 0, 0]) == 0)
        }
    }

    @Test mutating func `a reset ends the scan and forgets the masks`() {
        legacy.allowEvents()
        legacy.controller.setBeacons(count: 1, rate: 100, reportsPerEvent: 1, level: -40)
        #expect(legacy.command(0x200C, [1, 0]) == 0)
        #expect(!legacy.run(milliseconds: 100).isEmpty)
        #expect(legacy.command(0x0C03) == 0)
        #expect(legacy.run(milliseconds: 100).isEmpty)
        #expect(legacy.command(0x200C, [1, 0]) == 0)
        #expect(legacy.run(milliseconds: 100).isEmpty, "LE Meta is masked after a reset")
    }

    @Test mutating func `a hung controller is silent, a mute one answers`() {
        legacy.allowEvents()
        legacy.controller.setBeacons(count: 1, rate: 100, reportsPerEvent: 1, level: -40)
        #expect(legacy.command(0x200C, [1, 0]) == 0)
        legacy.controller.isMute = true
        #expect(legacy.run(milliseconds: 100).isEmpty)
        #expect(legacy.command(0x200C, [1, 0]) == 0)
        legacy.controller.isHung = true
        #expect(legacy.command(0x200C, [1, 0]) == nil)
        (legacy.controller.isHung, legacy.controller.isMute) = (false, false)
        #expect(!legacy.run(milliseconds: 100).isEmpty)
    }

    @Test mutating func `what a reset cures is cured by a reset alone`() {
        legacy.controller.isHung = true
        legacy.controller.isCuredByReset = true
        #expect(legacy.command(0x200C, [0, 0]) == nil)
        #expect(legacy.command(0x0C03) == 0)
        #expect(legacy.command(0x200C, [0, 0]) == 0)
        legacy.controller.isHung = true
        #expect(legacy.command(0x0C03) == nil)
    }

    @Test mutating func `short commands are refused, and noise is passed over`() {
        for opcode in UInt16(0x2000)...0x2050 { _ = host.command(opcode) }
        for length in 0..<4 {
            let packet = [UInt8](repeating: 1, count: length)
            #expect(host.controller.receive(packet.span, at: 0).isEmpty)
        }
        #expect(host.command(0x200B) == 0x12)
    }

    @Test func `malformed events are the same of the same seed`() {
        let one = host.controller.malformedEvents(200, seed: 7)
        #expect(one == host.controller.malformedEvents(200, seed: 7))
        #expect(one != host.controller.malformedEvents(200, seed: 8))
        #expect(one.allSatisfy { $0[0] == 0x04 && $0[1] == 0x3E && Int($0[2]) == $0.count - 3 })
    }
}
