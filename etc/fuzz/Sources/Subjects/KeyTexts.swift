import BeaconFrames
import Bytes
import Configuration
import Identity
import System

/// Keys as people write them into files, and what is kept of keys in a store.
enum KeyTexts {
    /// A line of a key's file, read as a key of each kind.
    static func file(_ bytes: Span<UInt8>) -> Bool {
        let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        var isKey = false
        for kind in Item.KeyKind.allCases {
            for clock in kind == .eid || kind == .fmdn ? [nil, Keyed.clock] : [nil] {
                do throws(ItemKeyText.Fault) {
                    let (key, bytes) = try ItemKeyText.key(Secret(text), kind, clock: clock)
                    precondition(
                        key.kind == kind && bytes.count == (kind == .fmdn ? 32 : 16), "a key of another kind or size")
                    check(bytes, kind)
                    isKey = true
                } catch {
                    precondition((1...200).contains(error.words.utf8.count), "a fault that can't be told in a line")
                    let isSecret = (16...100).contains(text.utf8.count)
                    precondition(!isSecret || !error.words.contains(text), "a fault tells the key")
                }
            }
        }
        return isKey
    }

    /// The same bytes in every spelling are the same key.
    private static func check(_ bytes: [UInt8], _ kind: Item.KeyKind) {
        let plain = Hex.text(bytes.span)
        let turned: [UInt8] = bytes.reversed()
        for spelling in [plain, "irk:" + plain.uppercased(), "0x" + plain, "reversed:" + Hex.text(turned.span)] {
            let again = try? ItemKeyText.key(Secret(spelling), kind, clock: Keyed.clock)
            precondition(again?.bytes == bytes, "a key is another one when it is spelled again")
        }
    }

    /// What is kept of a tag's clock and of a sensor's counter: a node goes on with it or without it.
    static func memory(_ bytes: Span<UInt8>) -> Bool {
        let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        guard let memory = KeyMemory(text) else { return false }
        precondition(KeyMemory(memory.text) == memory, "what is known of a key changes by being kept")
        let kept = ["tag": memory, "fridge": memory, "nobody": memory]
        var resolver = IdentityResolver(registry: Keyed.registry, remembering: kept)
        for report in Keyed.seeds[1...2] {
            var offset = 0
            while let report = Keyed.Report(report.span, at: &offset) {
                hear(report, by: &resolver)
            }
        }
        resolver.rememberAllKeys()
        let learnt = resolver.takeKeyChanges()
        precondition(KeyRing(Keyed.keys, remembering: learnt).memory == learnt, "what was learnt is forgotten")
        return true
    }

    private static func hear(_ report: Keyed.Report, by resolver: inout IdentityResolver) {
        let time = Timestamp(microseconds: Keyed.origin * 1_000_000)
        BeaconFrame.decode(data: report.data.span) { frame in
            let found = resolver.identity(of: frame, at: time)
            let whose = resolver.resolve(address: report.advertiser, frames: (found, nil), at: time)
            guard let item = whose.item else { return }
            let id = resolver.currentRegistry.items[Int(item)].id
            _ = resolver.open(frame, of: id, from: report.advertiser, at: time)
        }
    }

    // MARK: Seeds

    static var fileSeeds: [[UInt8]] {
        let digits = "00112233445566778899aabbccddeeff"
        return [
            digits, "irk:" + digits.uppercased(), "reversed:" + digits, "0x" + digits,
            "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF", "00-11,22-33,44-55-66-77-88-99-aa-bb-cc-dd-ee-ff",
            "ABEiM0RVZneImaq7zN3u/w==", digits + " 10 1753862400", "0X" + digits + "  15 0",
            digits + digits, digits + digits + " 1753862400",
            "ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8= 1753862400",
        ].map { Array($0.utf8) }
    }

    static var memorySeeds: [[UInt8]] {
        let check: UInt16
        if case .counter(_, let found)? = sensorMemory { check = found } else { check = 0 }
        return [
            KeyMemory.drift(-3_600, origin: Keyed.clock.origin), .drift(200_000, origin: Keyed.clock.origin),
            .drift(5, origin: 0), .drift(.max, origin: Keyed.clock.origin), .drift(.min, origin: Keyed.clock.origin),
            .counter(12, check: check), .counter(.max, check: check), .counter(0, check: 1),
        ].map { Array($0.text.utf8) }
    }

    /// What a node knows of the sensor once it was heard.
    private static var sensorMemory: KeyMemory? {
        var resolver = IdentityResolver(registry: Keyed.registry)
        var offset = 0
        let seed = Keyed.seeds[2]
        guard let report = Keyed.Report(seed.span, at: &offset) else { return nil }
        hear(report, by: &resolver)
        return resolver.takeKeyChanges()["fridge"]
    }
}
