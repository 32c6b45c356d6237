import Advertising
import Bytes
import Radio
import Testing

/// What a listener would be told wrongly of a neighbour that advertises.
@Suite struct AdvertisingTests {
    private var air = Air(seed: 1)
    private var now: Nanoseconds = 1_000_000_000
    private static let data: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0xFF, 0x12, 0x34]

    init() {
        air.add(.init(kind: .legacy, address: DeviceAddress("aa:bb:cc:00:00:01")!), as: "old")
        air.add(.init(kind: .extended, address: DeviceAddress("aa:bb:cc:00:00:02")!), as: "new")
        air.add(.init(kind: .extended, address: DeviceAddress("aa:bb:cc:00:00:03")!), as: "ear")
        for name in ["old", "new", "ear"] {
            command(name, 0x0C01, [UInt8](repeating: 0xFF, count: 8))
            command(name, 0x2001, [UInt8](repeating: 0xFF, count: 8))
        }
        command("ear", 0x2041, ControllerTests.extendedParameters)
        command("ear", 0x2042, ControllerTests.extendedEnable)
    }

    @Test mutating func `legacy advertising is heard byte for byte until it is switched off`() {
        #expect(command("old", 0x2006, [0xA0, 0, 0xA0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]) == 0)
        #expect(command("old", 0x2008, [7] + Self.data + [UInt8](repeating: 0, count: 24)) == 0)
        #expect(heard().isEmpty)
        #expect(command("old", 0x200A, [1]) == 0)
        let reports = heard()
        #expect((9...11).contains(reports.count))
        #expect(reports.allSatisfy { $0.data == Self.data && $0.sender == "aa:bb:cc:00:00:01" })
        #expect(command("old", 0x2006, [0xA0, 0, 0xA0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]) == 0x0C)
        #expect(command("old", 0x200A, [0]) == 0)
        #expect(heard().isEmpty)
    }

    @Test mutating func `a set ends by its duration, and its host is told`() {
        #expect(command("new", 0x2036, Self.set(1, properties: 0x10)) == 0)
        #expect(command("new", 0x2037, [1, 3, 0, 7] + Self.data) == 0)
        #expect(command("new", 0x2039, [1, 1, 1, 50, 0, 0]) == 0)
        let reports = heard()
        #expect((4...6).contains(reports.count))
        #expect(reports.allSatisfy { $0.data == Self.data })
        #expect(told("new") == [0x12, 0x3C, 1, 0, 0])
        #expect(heard().isEmpty)
    }

    @Test mutating func `long data arrives whole, in several reports`() {
        let long = [0xFE, 0xFF] + (0..<400).map { UInt8($0 % 251) }
        #expect(command("new", 0x2036, Self.set(2, properties: 0)) == 0)
        #expect(command("new", 0x2037, [2, 1, 0, 201] + long.prefix(201)) == 0)
        #expect(command("new", 0x2037, [2, 2, 0, 201] + long.suffix(201)) == 0)
        #expect(command("new", 0x2039, [1, 1, 2, 0, 0, 1]) == 0)
        let reports = heard()
        #expect(reports.count == 2)
        #expect(reports.flatMap(\.data) == long)
        #expect(told("new") == [0x12, 0x43, 2, 0, 0])
    }

    @Test mutating func `sets are refused that don't exist, don't fit or are on`() {
        #expect(command("new", 0x2037, [9, 3, 0, 0]) == 0x42)
        #expect(command("new", 0x2039, [1, 1, 9, 0, 0, 0]) == 0x42)
        for handle in UInt8(0)..<4 { #expect(command("new", 0x2036, Self.set(handle, properties: 0x10)) == 0) }
        #expect(command("new", 0x2036, Self.set(4, properties: 0x10)) == 0x07)
        #expect(command("new", 0x2039, [1, 1, 0, 0, 0, 0]) == 0)
        #expect(command("new", 0x2036, Self.set(0, properties: 0x10)) == 0x0C)
        #expect(command("new", 0x203D) == 0x0C)
        #expect(command("new", 0x203C, [0]) == 0x0C)
        #expect(command("new", 0x203C, [3]) == 0)
    }

    @Test mutating func `a random address must be there before it is used`() {
        var set = Self.set(1, properties: 0x10)
        set[10] = 1
        #expect(command("new", 0x2036, set) == 0)
        #expect(command("new", 0x2039, [1, 1, 1, 0, 0, 0]) == 0x12)
        #expect(command("new", 0x2035, [1, 6, 5, 4, 3, 2, 0xC1]) == 0)
        #expect(command("new", 0x2039, [1, 1, 1, 0, 0, 0]) == 0)
        #expect(heard().first?.sender == "c1:02:03:04:05:06")
    }

    /// 100 ms, one megabit, identifier 5.
    private static func set(_ handle: UInt8, properties: UInt8) -> [UInt8] {
        [handle, properties, 0, 0xA0, 0, 0, 0xA0, 0, 0, 7, 0, 0] + [0, 0, 0, 0, 0, 0] + [0, 0x7F, 1, 0, 1, 5, 0]
    }

    @discardableResult private mutating func command(
        _ name: String, _ opcode: UInt16, _ parameters: [UInt8] = []
    ) -> UInt8? {
        var packet: [UInt8] = [0x01]
        packet.append(littleEndian: opcode)
        packet.append(UInt8(parameters.count))
        for happening in air.receive((packet + parameters).span, by: name, at: now) {
            if case .packet(let event, _) = happening.effect { return event[1] == 0x0E ? event[6] : event[3] }
        }
        return nil
    }

    private var events: [(name: String, event: [UInt8])] = []

    /// What "ear" hears in a second.
    private mutating func heard() -> [(sender: String, data: [UInt8])] {
        events = []
        for _ in 0..<1000 {
            now += 1_000_000
            for happening in air.advance(to: now) {
                if case .packet(let event, _) = happening.effect { events.append((happening.name, event)) }
            }
        }
        return events.compactMap { name, event in
            guard name == "ear", event[3] == 0x0D else { return nil }
            let address = event[8..<14].reversed().map { Hex.text($0, digits: 2) }.joined(separator: ":")
            return (address, Array(event[29...]))
        }
    }

    /// The last LE event of a controller in that second, without its head; the count of events, last, as 0.
    private func told(_ name: String) -> [UInt8]? {
        events.last { $0.name == name }.map { Array($0.event[3...].dropLast()) + [0] }
            .map { Array($0.prefix(5)) }
    }
}
