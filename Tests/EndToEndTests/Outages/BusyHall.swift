import Advertising
import BeaconFrames
import Bytes
import Identity
import Support

/// A hall full of beacons that come, go and fade, as one adapter receives it: several hundred reports a second, drawn
/// by a seed. No two reports come in the same millisecond.
struct BusyHall {
    struct Packet {
        var time: Timestamp
        var beacon: Int
        var rssi: Int8
        /// The index of the beacon's frame that it carries.
        var frame: Int
    }

    /// A transmitter and its frames.
    struct Transmitter {
        var address: DeviceAddress
        var ids: [BeaconID]
        var data: [[UInt8]]
    }

    private struct Life {
        var interval: Int64
        var level: Double
        var next: Int64
        var isPresent: Bool
        /// The time at which it comes or goes.
        var turn: Int64
        /// True if its level falls before it goes.
        var recedes: Bool
        /// Silence at a level.
        var fade: Range<Int64>
        var sent = 0
    }

    static let uuid = BeaconUUID("48534442-4C45-4144-80C0-1800FFFFFFF0")!
    static let namespace = EddystoneUID.Namespace("00112233445566778899")!
    static let count = 80

    let transmitters = (0..<count).map(transmitter)
    private var random: SeededGenerator
    private var lives: [Life] = []
    private(set) var now: Int64
    private var last: Int64 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        now = 1_795_248_000_000_000
        for _ in 0..<Self.count {
            let interval = [100_000, 200_000, 300_000, 500_000, 1_000_000, 2_000_000].randomElement(using: &random)!
            var life = Life(
                interval: Int64(interval), level: .random(in: -80 ... -55, using: &random),
                next: now + .random(in: 0..<Int64(interval), using: &random), isPresent: .random(using: &random),
                turn: 0, recedes: false, fade: 0..<0)
            plan(&life)
            lives.append(life)
        }
    }

    /// Most have one frame; each tenth sends an Eddystone-UID beside its iBeacon.
    private static func transmitter(_ number: Int) -> Transmitter {
        let minor = UInt16(number)
        let instance = 0x0100_0000_0000 + UInt64(number)
        let beacon = IBeacon(uuid: uuid, major: minor / 20, minor: minor, measuredPower: -59)
        let eddystone = EddystoneUID(namespace: namespace, instance: instance, rangingData: -20)
        let frames: [(BeaconID, [UInt8])] =
            switch number % 10 {
            case 0: [(.eddystone(namespace, instance), eddystone.advertisingData)]
            case 1:
                [
                    (.iBeacon(uuid: uuid, major: minor / 20, minor: minor), beacon.advertisingData),
                    (.eddystone(namespace, instance), eddystone.advertisingData),
                ]
            default: [(.iBeacon(uuid: uuid, major: minor / 20, minor: minor), beacon.advertisingData)]
            }
        return Transmitter(
            address: DeviceAddress(0xC0FF_EE00_0000 + UInt64(number), .random), ids: frames.map(\.0),
            data: frames.map(\.1))
    }

    /// Lets time pass without a listener.
    mutating func pass(microseconds: Int64) {
        let end = now + microseconds
        while now < end { tick { _ in } }
    }

    /// The reports of the next so many microseconds, in the order of their time.
    mutating func hear(microseconds: Int64) -> [Packet] {
        var packets: [Packet] = []
        let end = now + microseconds
        while now < end { tick { packets.append($0) } }
        return packets
    }

    /// A tenth of a second.
    private mutating func tick(_ body: (Packet) -> Void) {
        let end = now + 100_000
        var heard: [Packet] = []
        for index in lives.indices {
            if lives[index].turn <= now {
                var life = lives[index]
                plan(&life)
                lives[index] = life
            }
            while lives[index].next < end {
                if let packet = send(index) { heard.append(packet) }
            }
        }
        for var packet in heard.sorted(by: { ($0.time, $0.beacon) < ($1.time, $1.beacon) }) {
            last = max(packet.time.microseconds / 1000 * 1000, last + 1000)
            packet.time = Timestamp(microseconds: last)
            body(packet)
        }
        now = end
    }

    private mutating func send(_ index: Int) -> Packet? {
        let time = lives[index].next
        let delay = Int64.random(in: 0...10_000, using: &random)
        lives[index].next += lives[index].interval + delay
        lives[index].sent += 1
        let isLost = Int.random(in: 0..<5, using: &random) == 0
        guard lives[index].isPresent, !isLost, !lives[index].fade.contains(time) else { return nil }
        let toTurn = Double(lives[index].turn - time) / 1e6
        let fall = lives[index].recedes ? max(0, 8 - toTurn) * 3 : 0
        let level = max(-100, lives[index].level - fall + .random(in: -4...4, using: &random))
        let frames = transmitters[index].ids.count
        return Packet(
            time: Timestamp(microseconds: time), beacon: index, rssi: Int8(level.rounded()),
            frame: lives[index].sent % frames)
    }

    /// Comes or goes.
    private mutating func plan(_ life: inout Life) {
        let length = Int64.random(in: 15_000_000...150_000_000, using: &random)
        life.isPresent.toggle()
        life.turn = now + length
        life.recedes = .random(using: &random)
        life.fade = 0..<0
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        let start = now + .random(in: 0..<length, using: &random)
        life.fade = start..<start + .random(in: 8_000_000...25_000_000, using: &random)
    }
}
