import Advertising
import BeaconFrames
import Bytes
import Crypto
import Identity
import Support
import Testing

/// Items that can't be resolved without their key.
@Suite("Items known by a key") struct KeyedItemsTests {
    private static let irk = AES128(AESBlock(high: 0xEC02_34A3_57C8_AD05, low: 0x3410_10A6_0A39_7D9B))
    private static let origin: Int64 = 1_700_000_000
    private static let beacon = EphemeralResolver.Beacon(
        AES128(AESBlock(high: 7, low: 9)), EphemeralClock(exponent: 10, origin: origin))!
    private static let bind = BTHomeKey(AES128(AESBlock(high: 3, low: 4)))
    private static let fridge = DeviceAddress(0xA4C1_3800_1122, .public)

    private static let items = [
        Item(id: "cat", key: .eid), Item(id: "fridge", identities: [.address(fridge.bits)], key: .bthome),
        Item(id: "keys", identities: [Beacons.keys]), Item(id: "phone", key: .irk),
    ]

    private func resolver(
        _ keys: [String: ItemKey] = ["phone": .irk(irk), "cat": .eid(beacon), "fridge": .bthome(bind)],
        remembering memory: [String: KeyMemory] = [:]
    ) -> IdentityResolver {
        IdentityResolver(registry: Registry(items: Self.items, keys: keys), remembering: memory)
    }

    private func at(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: (Self.origin + seconds) * 1_000_000) }

    private func rpa(_ random: UInt32) -> DeviceAddress { PrivateAddressResolver.address(random, Self.irk) }

    private func eid(_ seconds: Int64) -> BeaconFrame {
        .eddystoneEID(EddystoneEID(eid: Self.beacon.key.identifier(at: UInt32(seconds)), rangingData: -20))
    }

    private func name(_ found: IdentityResolver.Resolution) -> String? {
        found.item.map { Self.items[Int($0)].id }
    }

    @Test("Resolve all addresses of a phone to one item, several at a time, and strangers to none")
    func phone() {
        var resolver = resolver()
        for round in UInt32(0)..<200 {
            let found = resolver.resolve(address: rpa(round &* 77_777), frames: (nil, nil), at: at(Int64(round)))
            #expect(found.id == .irk("phone") && name(found) == "phone" && found.counts)
            let again = resolver.resolve(address: rpa(0), frames: (nil, nil), at: at(Int64(round)))
            #expect(name(again) == "phone" && again.counts)
        }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let address = DeviceAddress(random.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000, .random)
            #expect(resolver.resolve(address: address, frames: (nil, nil), at: at(0)).item == nil)
        }
    }

    @Test("Resolve a phone that also sends a registered iBeacon to the phone")
    func precedence() {
        var resolver = resolver()
        #expect(name(resolver.resolve(address: rpa(1), frames: (Beacons.keys, nil), at: at(0))) == "phone")
        #expect(name(resolver.resolve(address: rpa(1), frames: (Beacons.keys, .eid("cat")), at: at(1))) == "phone")
        let other = DeviceAddress(0xC000_0000_0001, .random)
        #expect(name(resolver.resolve(address: other, frames: (Beacons.keys, .eid("cat")), at: at(2))) == "cat")
        #expect(name(resolver.resolve(address: other, frames: (Beacons.keys, nil), at: at(3))) == "cat")
    }

    @Test("Apply another key immediately, also to addresses that were received before")
    func renewedKey() {
        var resolver = resolver()
        #expect(name(resolver.resolve(address: rpa(1), frames: (nil, nil), at: at(0))) == "phone")
        let other = AES128(AESBlock(high: 1, low: 1))
        resolver.use(Registry(items: Self.items, keys: ["phone": .irk(other)]))
        #expect(resolver.resolve(address: rpa(1), frames: (nil, nil), at: at(1)).item == nil)
        let mine = PrivateAddressResolver.address(1, other)
        #expect(name(resolver.resolve(address: mine, frames: (nil, nil), at: at(2))) == "phone")
        resolver.use(Registry(items: Self.items))
        #expect(resolver.resolve(address: mine, frames: (nil, nil), at: at(3)).item == nil)
    }

    @Test("Resolve all identifiers of an Eddystone-EID beacon to one item and open its telemetry")
    func ephemeral() throws {
        var resolver = resolver()
        let telemetry = EddystoneTLM(batteryMillivolts: 2900, temperature: 5_504, advertisements: 4, uptime: 50)
        for seconds in stride(from: Int64(0), to: 20_000, by: 500) {
            #expect(resolver.identity(of: eid(seconds), at: at(seconds)) == .eid("cat"))
            let sealed = try #require(Self.beacon.key.seal(telemetry, at: UInt32(seconds), salt: UInt16(seconds)))
            let opened = resolver.open(
                .eddystoneETLM(sealed), of: "cat", from: Self.fridge, at: at(seconds))
            #expect(opened == .eddystoneTLM(telemetry))
            #expect(resolver.open(.eddystoneETLM(sealed), of: "cat", from: Self.fridge, at: at(seconds + 9_000)) == nil)
        }
        #expect(resolver.takeKeyChanges().isEmpty && resolver.findings(at: at(20_000)).isEmpty)
    }

    @Test("Report a clock three days off and follow it only after three consecutive identifiers")
    func clockOff() {
        var resolver = resolver()
        let off: Int64 = -3 * 86_400
        // One old frame is replayed again and again.
        for seconds in stride(from: Int64(500_000), to: 505_000, by: 7) {
            #expect(resolver.identity(of: eid(500_000 + off), at: at(seconds)) == nil)
        }
        guard case .clockOff(let seconds)? = resolver.findings(at: at(500_010))["cat"] else {
            Issue.record("nothing was told")
            return
        }
        #expect((off - 1_024...off + 1_024).contains(seconds))
        #expect(resolver.takeKeyChanges().isEmpty)
        // The beacon itself, with a running clock.
        var heard: [Bool] = []
        for seconds in stride(from: Int64(600_000), to: 606_000, by: 60) {
            heard.append(resolver.identity(of: eid(seconds + off), at: at(seconds)) == .eid("cat"))
        }
        let first = heard.firstIndex(of: true) ?? heard.count
        #expect((15...40).contains(first) && heard[first...].allSatisfy { $0 })
        #expect(resolver.findings(at: at(606_000)).isEmpty)
        let memory = resolver.takeKeyChanges()
        #expect(memory.keys.sorted() == ["cat"])
        // A restart restores it.
        var next = self.resolver(remembering: memory.compactMapValues { KeyMemory($0.text) })
        #expect(next.identity(of: eid(607_000 + off), at: at(607_000)) == .eid("cat"))
    }

    @Test("Report a clock three days off among many beacons while its identifier is received")
    func clockOffAmongMany() {
        var random = SeededGenerator(seed: 11)
        var keys: [String: ItemKey] = [:]
        var beacons: [EphemeralResolver.Beacon] = []
        for number in 0..<50 {
            let key = AES128(AESBlock(high: random.next(), low: random.next()))
            beacons.append(.init(key, EphemeralClock(exponent: 9, origin: Self.origin))!)
            keys["b\(number)"] = .eid(beacons[number])
        }
        let items = keys.keys.map { Item(id: $0, key: .eid) }
        var ring = KeyRing(Registry(items: items, keys: keys).keys)
        for (place, off) in [(7, Int64(3 * 86_400)), (41, -3 * 86_400)] {
            let begin = 500_000 + off
            let frame = EddystoneEID(eid: beacons[place].key.identifier(at: UInt32(begin)), rangingData: 0)
            for second in 0..<100 { _ = ring.identity(of: frame, at: at(500_000 + Int64(second))) }
            guard case .clockOff(let seconds)? = ring.findings(at: at(500_100))["b\(place)"] else {
                Issue.record("nothing was told of \(off)")
                continue
            }
            #expect(abs(seconds - off) <= 512)
        }
    }

    @Test("Follow a clock that is off even if its identifiers change fast", arguments: [UInt8(0), 2, 3, 4, 8])
    func fastClockOff(exponent: UInt8) throws {
        let beacon = try #require(
            EphemeralResolver.Beacon(
                AES128(AESBlock(high: 7, low: 9)), EphemeralClock(exponent: exponent, origin: Self.origin)))
        var ring = KeyRing(["cat": .eid(beacon)])
        func frame(_ seconds: Int64) -> EddystoneEID {
            EddystoneEID(eid: beacon.key.identifier(at: UInt32(seconds)), rangingData: 0)
        }
        // A recorded identifier doesn't change.
        for second in Int64(0)..<200 { #expect(ring.identity(of: frame(96_400), at: at(100_000 + second)) == nil) }
        var first: Int64?
        for second in Int64(0)..<2_000 where first == nil {
            if ring.identity(of: frame(97_000 + second), at: at(101_000 + second)) != nil { first = second }
        }
        #expect((20...(60 + 4 << Int64(exponent))).contains(first ?? -1), "\(first ?? -1)")
    }

    @Test("Ignore an impossible stored clock and still resolve its beacon")
    func impossibleDrift() {
        for seconds in [Int64.max, .min, 400 * 86_400] {
            var resolver = resolver(remembering: ["cat": .drift(seconds, origin: Self.origin)])
            #expect(resolver.identity(of: eid(5_000), at: at(5_000)) == .eid("cat"))
        }
    }

    @Test("Bound the cost of strangers' identifiers to one search in ten seconds")
    func boundedSearch() {
        var random = SeededGenerator(seed: 9)
        var keys: [String: ItemKey] = [:]
        var items: [Item] = []
        for number in 0..<50 {
            let key = AES128(AESBlock(high: random.next(), low: random.next()))
            keys["b\(number)"] = .eid(.init(key, EphemeralClock(exponent: 0, origin: Self.origin))!)
            items.append(Item(id: "b\(number)", key: .eid))
        }
        var ring = KeyRing(Registry(items: items, keys: keys).keys)
        for number in 0..<1_000 {
            let frame = EddystoneEID(eid: random.next(), rangingData: 0)
            #expect(ring.identity(of: frame, at: at(100_000 + Int64(number) / 100)) == nil)
        }
        // One search, and the tables of ten seconds, each of which begins a slot here.
        #expect(ring.ciphers < 50 * 2 * 2 * 328 + 10 * 50 * 12)
    }

    // MARK: BTHome

    private func sealed(_ counter: UInt32, with key: BTHomeKey = bind) -> BeaconFrame {
        let plain = BTHome(serviceData: [0x40, 0x02, 0xCA, 0x09].span)!
        return .btHome(key.seal(plain, from: Self.fridge, counter: counter)!)
    }

    private func open(_ resolver: inout IdentityResolver, _ frame: BeaconFrame, _ seconds: Int64 = 0) -> Bool {
        resolver.open(frame, of: "fridge", from: Self.fridge, at: at(seconds)) != nil
    }

    @Test("Accept a BTHome device's frame once, and reject recorded ones over restarts")
    func counters() {
        var resolver = resolver()
        #expect(open(&resolver, sealed(100)) && !open(&resolver, sealed(100)) && open(&resolver, sealed(102)))
        #expect(resolver.findings(at: at(1)).isEmpty)
        let memory = resolver.takeKeyChanges().compactMapValues { KeyMemory($0.text) }
        #expect(resolver.takeKeyChanges().isEmpty)
        var next = self.resolver(remembering: memory)
        #expect(!open(&next, sealed(101)) && !open(&next, sealed(102)))
        #expect(next.findings(at: at(1)) == ["fridge": .replayed])
        #expect(open(&next, sealed(103)))
        // Another registry, the same device.
        next.use(Registry(items: Self.items, keys: ["fridge": .bthome(Self.bind)]))
        #expect(!open(&next, sealed(103)) && open(&next, sealed(104)))
        // Another key counts for itself.
        let renewed = BTHomeKey(AES128(AESBlock(high: 8, low: 8)))
        next.use(Registry(items: Self.items, keys: ["fridge": .bthome(renewed)]))
        #expect(open(&next, sealed(1, with: renewed)))
    }

    @Test("Accept a device again after a while if its counter restarted with a new battery")
    func restart() {
        var resolver = resolver()
        #expect(open(&resolver, sealed(5_000)))
        var heard: [Bool] = []
        for step in UInt32(0)..<40 { heard.append(open(&resolver, sealed(step), 60 + Int64(step) * 60)) }
        #expect(heard.firstIndex(of: true) == 16)
        // A loop of recorded frames is never accepted.
        var looped = self.resolver()
        #expect(open(&looped, sealed(5_000)))
        for step in UInt32(0)..<2_000 { #expect(!open(&looped, sealed(step % 10), Int64(step) * 10)) }
    }

    @Test("Report and ignore frames of another key, and plain readings of a device that has a key")
    func wrongKey() {
        var resolver = resolver()
        let other = BTHomeKey(AES128(AESBlock(high: 0, low: 1)))
        #expect(!open(&resolver, sealed(1, with: other)) && resolver.findings(at: at(1)).isEmpty)
        #expect(!open(&resolver, sealed(2, with: other)) && !open(&resolver, sealed(3, with: other)))
        #expect(resolver.findings(at: at(1)) == ["fridge": .wrongKey])
        let plain = BeaconFrame.btHome(BTHome(serviceData: [0x40, 0x02, 0xCA, 0x09].span)!)
        #expect(!open(&resolver, plain))
        #expect(resolver.findings(at: at(1)) == ["fridge": .plain])
        #expect(resolver.findings(at: at(601)).isEmpty)
        // Frames of a device without a key are accepted as they are.
        let items = [Item(id: "fridge", identities: [.address(Self.fridge.bits)])]
        var keyless = IdentityResolver(registry: Registry(items: items))
        #expect(open(&keyless, plain) && !open(&keyless, sealed(4)))
    }

    @Test("Ignore frames from a copied address of a device that has a key, in any form and on all nodes")
    func borrowed() throws {
        let ruuvi = try #require(Hex.bytes("99040512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F"))
        let frames: [BeaconFrame] = [
            .btHome(BTHome(serviceData: [0x40, 0x02, 0xCA, 0x09].span)!),
            .eddystoneTLM(EddystoneTLM(batteryMillivolts: 1, temperature: 5_504, advertisements: 4, uptime: 50)),
            .ruuviTag5(RuuviTag5(manufacturerData: ruuvi.span)!),
        ]
        // A node that lacks the key is aware that there is one.
        for keys in [["fridge": ItemKey.bthome(Self.bind)], [:], ["phone": .irk(Self.irk)]] {
            var resolver = resolver(keys)
            for frame in frames { #expect(!open(&resolver, frame), "\(frame)") }
            #expect(resolver.findings(at: at(1))["fridge"] == (keys["fridge"] == nil ? nil : .plain))
        }
    }

    @Test("Retain the state learned by a key while the key is absent")
    func away() {
        var resolver = resolver()
        #expect(open(&resolver, sealed(100)))
        for keys in [[:], ["phone": ItemKey.irk(Self.irk)]] {
            resolver.use(Registry(items: Self.items, keys: keys))
            resolver.use(Registry(items: Self.items, keys: ["fridge": .bthome(Self.bind)]))
            #expect(!open(&resolver, sealed(100)) && !open(&resolver, sealed(99)), "what was recorded is believed")
        }
        #expect(open(&resolver, sealed(101)))
    }

    @Test(
        "Read stored state back unchanged, and nothing else",
        arguments: ["", "eid", "eid 1", "bthome 1 2"])
    func memory(text: String) {
        #expect(KeyMemory(text) == nil)
        for memory in [KeyMemory.drift(-7, origin: 5), .counter(.max, check: 0x0A0B)] {
            #expect(KeyMemory(memory.text) == memory)
        }
    }

    @Test("Read ids of keys back, and reject an invalid one")
    func ids() {
        for id in [BeaconID.irk("phone"), .eid("a_b-9")] { #expect(BeaconID(id.text) == id) }
        for text in ["irk:", "irk:Phone", "eid:a b", "irk:" + String(repeating: "a", count: 65)] {
            #expect(BeaconID(text) == nil)
        }
        #expect(
            Registry(items: Self.items).digest == Registry(items: Self.items, keys: ["phone": .irk(Self.irk)]).digest)
    }

    // MARK: Find Hub tags

    private static let tag = FMDNKey(AES256([UInt8](repeating: 0x5A, count: 32).span)!)
    private static let bag = Item(id: "bag", key: .fmdn)

    private func bags(remembering memory: [String: KeyMemory] = [:]) -> IdentityResolver {
        let key = ItemKey.fmdn(.init(key: Self.tag, origin: at(0)))
        return IdentityResolver(registry: Registry(items: [Self.bag], keys: ["bag": key]), remembering: memory)
    }

    private func fmdn(_ seconds: Int64, _ battery: FMDNFrame.Battery = .normal, isLost: Bool = false) -> BeaconFrame {
        let curve: PrimeCurve = isLost ? .secp256r1 : .secp160r1
        return .fmdn(Self.tag.frame(at: UInt32(seconds), on: curve, battery: battery, isInProtectionMode: isLost)!)
    }

    @Test("Resolve all identifiers of a Find Hub tag, in both frame types, and report its battery's level")
    func findHubTag() {
        var resolver = bags()
        for seconds in stride(from: Int64(0), to: 10_000, by: 500) {
            let frame = fmdn(seconds, seconds < 5_000 ? .normal : .low, isLost: seconds % 1_000 == 0)
            #expect(resolver.identity(of: frame, at: at(seconds)) == .fmdn("bag"))
            guard case .fmdn(let opened)? = resolver.open(frame, of: "bag", from: Self.fridge, at: at(seconds)) else {
                Issue.record("not opened after \(seconds) s")
                continue
            }
            #expect(opened.battery == (seconds < 5_000 ? .normal : .low))
            #expect(resolver.open(frame, of: "other", from: Self.fridge, at: at(seconds)) == nil)
        }
        #expect(BeaconID("fmdn:bag") == .fmdn("bag") && BeaconID.fmdn("bag").text == "fmdn:bag")
        #expect(resolver.takeKeyChanges().isEmpty && resolver.findings(at: at(10_000)).isEmpty)
        #expect(IdentityResolver(registry: Registry(items: [Self.bag])).currentRegistry.keys.isEmpty)
    }

    @Test("Report a tag's clock that is days off, and follow it over a restart after three identifiers")
    func findHubTagOffClock() {
        var resolver = bags()
        let off: Int64 = -20_000
        // An old frame that is replayed again and again, in a tenth of the time in which all slots are computed.
        for seconds in stride(from: Int64(500_000), to: 500_200, by: 20) {
            #expect(resolver.identity(of: fmdn(500_000 + off), at: at(seconds)) == nil)
        }
        guard case .clockOff(let told)? = resolver.findings(at: at(500_200))["bag"] else {
            Issue.record("nothing was told")
            return
        }
        #expect((off - 1_300...off + 1_300).contains(told), "\(told)")
        #expect(resolver.takeKeyChanges().isEmpty)
        var heard: [Bool] = []
        for seconds in stride(from: Int64(600_000), to: 606_000, by: 60) {
            heard.append(resolver.identity(of: fmdn(seconds + off), at: at(seconds)) == .fmdn("bag"))
        }
        let first = heard.firstIndex(of: true) ?? heard.count
        #expect((15...60).contains(first) && heard[first...].allSatisfy { $0 }, "\(first)")
        #expect(resolver.findings(at: at(606_000)).isEmpty)
        let memory = resolver.takeKeyChanges()
        #expect(memory.keys.sorted() == ["bag"])
        var next = bags(remembering: memory.compactMapValues { KeyMemory($0.text) })
        #expect(next.identity(of: fmdn(607_000 + off), at: at(607_000)) == .fmdn("bag"))
    }
}
