import Advertising
import Bytes
import CBench
import Crypto
import Identity

/// Whose the addresses and identifiers of strangers are: what a gateway in a crowd pays for 50 keys.
struct Identifying {
    let options: Options

    private static let keys = 50
    private static let perSecond = 1_000

    func run(_ report: inout Report) {
        report.begin("50 keys against strangers (processor time)")
        report.say("1,000 resolvable private addresses a second, each heard for the first time, the table being full")
        var fresh = Series()
        var share = Series()
        var again = Series()
        var ephemeral = Series()
        var allocations = Series()
        var random = Random(state: 50)
        var addresses = PrivateAddressResolver((0..<Self.keys).map { _ in random.key() })
        var identifiers = EphemeralResolver(
            (0..<Self.keys).compactMap { _ in
                EphemeralKey(random.key(), exponent: 10).map {
                    .init(key: $0, counter: 65_280, reference: Timestamp(microseconds: 0))
                }
            })
        // Fills the tables.
        _ = Self.time(5_000) { addresses.resolve(random.stranger()) != nil }
        _ = Self.time(1) { identifiers.resolve(random.next(), at: Timestamp(microseconds: 0)) != nil }
        for _ in 0..<options.repetitions {
            let before = bench_allocations()
            let nanoseconds = Self.time(20_000) { addresses.resolve(random.stranger()) != nil }
            allocations.add(Double(bench_allocations() - before) / 20_000)
            fresh.add(nanoseconds)
            share.add(nanoseconds * Double(Self.perSecond) / 1e9 * 100)
            let known = random.stranger()
            again.add(Self.time(200_000) { addresses.resolve(known) != nil })
            ephemeral.add(
                Self.time(200_000) {
                    identifiers.resolve(random.next(), at: Timestamp(microseconds: 0)) != nil
                })
        }
        report.add("an address that is new", "ns", fresh)
        report.add("  1,000 of them a second", "% of a core", share, atMost: 2)
        report.add("an address that was heard before", "ns", again)
        report.add("an Eddystone-EID identifier, in a table of 50 beacons", "ns", ephemeral)
        report.add("allocations", "an address", allocations)
    }

    /// Nanoseconds of processor time a call; none of the calls finds anybody, or one in many thousands.
    private static func time(_ count: Int, _ call: () -> Bool) -> Double {
        var found = 0
        let begin = bench_cpu_seconds()
        for _ in 0..<count where call() { found += 1 }
        let seconds = bench_cpu_seconds() - begin
        precondition(found * 1_000 <= count, "strangers were taken for somebody")
        return seconds / Double(count) * 1e9
    }

    /// SplitMix64: the same strangers in each run.
    private struct Random {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }

        mutating func key() -> AES128 { AES128(AESBlock(high: next(), low: next())) }

        mutating func stranger() -> DeviceAddress {
            DeviceAddress(next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000, .random)
        }
    }
}
