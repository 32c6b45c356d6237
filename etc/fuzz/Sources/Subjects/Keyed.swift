import Advertising
import BeaconFrames
import Bytes
import Crypto
import Identity

/// What is heard of items that only their keys tell: phones, a tag and a sensor. Nothing passes for one of them that its key
/// didn't make, and nothing is believed twice.
enum Keyed {
    static let origin: Int64 = 1_795_248_000
    static let irks = [AESBlock(high: 0xEC02_34A3, low: 0x57C8_AD05), AESBlock(high: 0x3410_10A6, low: 0x0A39_7D9B)]
        .map { AES128($0) }
    static let phones = ["phone", "watch"]
    static let clock = EphemeralClock(exponent: 13, origin: origin - 86_400)
    static let sensor = BTHomeKey(AES128(AESBlock(high: 3, low: 4)))
    static let sensorAddress = DeviceAddress(0xA4C1_3800_1122, .public)
    static let tag: EphemeralResolver.Beacon = {
        guard let tag = EphemeralResolver.Beacon(AES128(AESBlock(high: 7, low: 9)), clock) else {
            fatalError("no such exponent")
        }
        return tag
    }()

    static let bagKey: FMDNKey = {
        let bytes = [UInt8](repeating: 0x5A, count: 32)
        guard let key = AES256(bytes.span) else { fatalError("32 bytes are no key") }
        return FMDNKey(key)
    }()
    static let bag = FMDNResolver.Beacon(key: bagKey, origin: Timestamp(microseconds: clock.origin * 1_000_000))
    /// Frames of the Find Hub tag that a house is played at most: each costs point multiplications.
    private static let bagFrames = 4

    static let keys: [String: ItemKey] = [
        phones[0]: .irk(irks[0]), phones[1]: .irk(irks[1]), "tag": .eid(tag), "fridge": .bthome(sensor),
        "bag": .fmdn(bag),
    ]
    static let registry = Registry(
        items: [
            Item(id: phones[0], key: .irk), Item(id: phones[1], key: .irk), Item(id: "tag", key: .eid),
            Item(id: "bag", key: .fmdn),
            Item(id: "fridge", identities: [.address(sensorAddress.bits)], key: .bthome),
            Item(id: "keys", identities: [.address(0xC000_0000_0001)]),
        ], keys: keys)

    /// An address that the phone shows.
    static func irkAddress(_ random: UInt32) -> DeviceAddress { PrivateAddressResolver.address(random, irks[0]) }

    /// All identifiers that the tag has within the time that is played, whatever its clock, and a month around it.
    private static let identifiers: Set<UInt64> = {
        let month: Int64 = 31 * 86_400
        let counters = stride(from: origin - clock.origin - 2 * month, to: origin - clock.origin + 2 * month, by: 8192)
        return Set(counters.map { tag.key.identifier(at: UInt32(truncatingIfNeeded: $0)) })
    }()

    /// Reports, one behind the other: units of 64 s since the one before (or a jump of days, forward for 255 and back for
    /// 254), kind of address, the address, a count of bytes, and so many bytes of advertising data.
    static func reports(_ bytes: Span<UInt8>) -> Bool {
        var house = House()
        var (offset, told) = (0, 0)
        while let report = Report(bytes, at: &offset), told < 64 {
            house.take(report)
            told += 1
        }
        house.end()
        return house.believed > 0
    }

    struct Report {
        var units: UInt8
        var kind: UInt8
        var address: UInt64
        var data: [UInt8]

        init(_ units: UInt8, _ address: DeviceAddress, _ data: [UInt8]) {
            (self.units, kind, self.address, self.data) = (units, address.kind.rawValue, address.bits, data)
        }

        init?(_ bytes: Span<UInt8>, at offset: inout Int) {
            guard bytes.count - offset >= 9 else { return nil }
            (units, kind) = (bytes[offset], bytes[offset + 1])
            address = (2..<8).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
            let start = offset + 9
            let end = min(bytes.count, start + Int(bytes[offset + 8]))
            data = [UInt8](copying: bytes.extracting(start..<end))
            offset = end
        }

        var bytes: [UInt8] {
            [units, kind] + (0..<6).map { UInt8(truncatingIfNeeded: address >> (40 - 8 * $0)) } + [UInt8(data.count)]
                + data
        }

        var advertiser: DeviceAddress { DeviceAddress(address, DeviceAddress.Kind(rawValue: kind & 1) ?? .random) }
        /// Seconds since the report before.
        var elapsed: Int64 {
            switch units {
            case 255: 3 * 86_400
            case 254: -3 * 86_400
            default: Int64(units) * 64
            }
        }
    }

    /// A node with these keys, and what may be believed by rules of our own.
    struct House {
        private var resolver = IdentityResolver(registry: Keyed.registry)
        private var time = Timestamp(microseconds: Keyed.origin * 1_000_000)
        /// Addresses that have shown an identifier of the tag's.
        private var shown: Set<UInt64> = []
        private var memory: [String: KeyMemory] = [:]
        private var bagFrames = 0
        /// Reports and frames that were taken for an item's.
        private(set) var believed = 0

        mutating func take(_ report: Report) {
            let month: Int64 = 31 * 86_400_000_000
            let start = Timestamp(microseconds: Keyed.origin * 1_000_000)
            let next = time.advanced(byMicroseconds: report.elapsed * 1_000_000)
            if abs(next.microseconds(since: start)) < month { time = next }
            let address = report.advertiser
            var names: [BeaconID?] = []
            var frames: [BeaconFrame] = []
            BeaconFrame.decode(data: report.data.span) { frame in
                if case .fmdn = frame {
                    bagFrames += 1
                    guard bagFrames <= Keyed.bagFrames else { return }
                }
                frames.append(frame)
                let found = resolver.identity(of: frame, at: time)
                if let found { check(found, of: frame, from: address) }
                names.append(BeaconID(frame) ?? found)
            }
            names = names.filter { $0 != nil } + [nil, nil]
            let whose = resolver.resolve(address: address, frames: (names[0], names[1]), at: time)
            guard let item = whose.item else { return }
            let id = resolver.currentRegistry.items[Int(item)].id
            check(whose.id, of: id, from: address)
            believed += 1
            for frame in frames { open(frame, of: id, from: address) }
            check(resolver.findings(at: time))
        }

        private mutating func check(_ found: BeaconID, of frame: BeaconFrame, from address: DeviceAddress) {
            if case .fmdn(let frame) = frame {
                precondition(found == .fmdn("bag"), "the bag is taken for another item")
                precondition(Keyed.bagIdentifiers.contains(frame.identifier.prefix), "a stranger is taken for the bag")
                shown.insert(address.bits)
                return
            }
            guard case .eddystoneEID(let frame) = frame else {
                preconditionFailure("another frame passes for the tag's")
            }
            precondition(found == .eid("tag"), "the tag is taken for another item")
            precondition(Keyed.identifiers.contains(frame.eid), "a stranger's identifier is taken for the tag's")
            shown.insert(address.bits)
        }

        private func check(_ found: BeaconID, of item: String, from address: DeviceAddress) {
            switch found {
            case .irk(let name):
                precondition(
                    name == item && address.randomSubtype == .resolvable, "another address passes for a phone's")
                let random = UInt32(truncatingIfNeeded: address.bits >> 24)
                let hash = UInt32(truncatingIfNeeded: address.bits & 0xFF_FFFF)
                let owners = Keyed.irks.indices.filter { PrivateAddressResolver.hash(random, Keyed.irks[$0]) == hash }
                precondition(owners.map { Keyed.phones[$0] } == [item], "a stranger's address is taken for a phone's")
            case .eid(let name):
                precondition(name == item && shown.contains(address.bits), "a stranger is taken for the tag")
            case .fmdn(let name):
                precondition(name == item && shown.contains(address.bits), "a stranger is taken for the bag")
            case .address(let bits): precondition(bits == address.bits, "a report of another address")
            default: preconditionFailure("an item that nobody has registered so")
            }
        }

        private mutating func open(_ frame: BeaconFrame, of item: String, from address: DeviceAddress) {
            let opened = resolver.open(frame, of: item, from: address, at: time)
            let changes = resolver.takeKeyChanges()
            switch (frame, opened) {
            case (.btHome(let sent), .btHome(let plain)?):
                guard item == "fridge" else {
                    precondition(plain == sent && !sent.isEncrypted, "a frame is opened without its key")
                    break
                }
                guard let counter = sent.encryption?.counter else { preconditionFailure("a plain frame is believed") }
                precondition(Keyed.sensor.seal(plain, from: address, counter: counter) == sent, "another key's frame")
                if case .counter(let last, _)? = memory[item] {
                    precondition(counter > last, "a frame is believed twice")
                }
                guard case .counter(counter, _)? = changes[item] else { preconditionFailure("a counter is forgotten") }
                believed += 1
            case (.eddystoneETLM, .eddystoneTLM?):
                precondition(item == "tag", "telemetry of who has no key")
                believed += 1
            case (.fmdn, let opened):
                precondition(opened == nil || item == "bag", "flags of who has no key")
            case (.eddystoneETLM, let opened), (.btHome, let opened):
                precondition(opened == nil, "a frame becomes another kind of frame")
            default:
                // Anybody may send one from the address of a device that encrypts its own.
                precondition(opened == (item == "fridge" ? nil : frame), "a frame in the clear changes, or is believed")
            }
            memory.merge(changes) { _, new in new }
        }

        private func check(_ findings: [String: KeyFinding]) {
            precondition(
                findings.keys.allSatisfy { ["tag", "bag", "fridge"].contains($0) }, "told of who can't be wrong")
            for finding in findings.values { precondition(!finding.words.isEmpty, "a finding without words") }
        }

        /// What was learnt is known again after a restart, and by no other key.
        mutating func end() {
            resolver.rememberAllKeys()
            let memory = resolver.takeKeyChanges()
            for value in memory.values {
                precondition(KeyMemory(value.text) == value, "a memory changes by being kept")
            }
            precondition(KeyRing(Keyed.keys, remembering: memory).memory == memory, "what was learnt is forgotten")
        }
    }
}
