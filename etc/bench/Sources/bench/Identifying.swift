import Advertising
import BeaconFrames
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
        tags(&report)
    }

    /// Find Hub tags: identifiers of strangers, while the table is being made and when it is whole.
    private func tags(_ report: inout Report) {
        report.say("50 Find Hub tags, and 1,000 identifiers of strangers a second")
        var random = Random(state: 51)
        var (making, settled, look) = (Series(), Series(), Series())
        for _ in 0..<options.repetitions {
            var tags = FMDNResolver(
                (0..<Self.keys).map { _ in .init(key: FMDNKey(random.longKey()), origin: Timestamp(microseconds: 0)) })
            // The first 20 s: what is made at once, and a second's worth each second.
            making.add(random.seconds(1_000_000..<1_000_020, &tags))
            // The rest of what is made around the present time, then an hour in which identifiers change.
            for second in stride(from: Int64(1_000_020), to: 1_003_000, by: 1) { random.pass(second, &tags) }
            settled.add(random.seconds(1_003_000..<1_006_600, &tags))
            let strangers = (0..<1_000).map { _ in random.identifier() }
            let before = bench_cpu_seconds()
            for _ in 0..<200 {
                for stranger in strangers {
                    let match = tags.resolve(stranger, at: Timestamp(microseconds: 1_006_600_000_000))
                    precondition(match == nil, "a stranger was taken for somebody")
                }
            }
            look.add((bench_cpu_seconds() - before) / 200_000 * 1e9)
        }
        report.add("  after the start, while identifiers are made", "% of a core", making, atMost: 2)
        report.add("  from half an hour on", "% of a core", settled, atMost: 2)
        report.add("  an identifier in that table", "ns", look)
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

        mutating func longKey() -> AES256 {
            var bytes: [UInt8] = []
            for _ in 0..<4 { bytes.append(bigEndian: next()) }
            guard let key = AES256(bytes.span) else { preconditionFailure("32 bytes are no key") }
            return key
        }

        mutating func identifier() -> FMDNFrame.Identifier {
            var bytes: [UInt8] = []
            for _ in 0..<3 { bytes.append(bigEndian: next()) }
            guard let identifier = FMDNFrame.Identifier(bytes.span.extracting(0..<20)) else {
                preconditionFailure("20 bytes are no identifier")
            }
            return identifier
        }

        /// Lets a second pass in the fewest steps.
        mutating func pass(_ second: Int64, _ tags: inout FMDNResolver) {
            let match = tags.resolve(identifier(), at: Timestamp(microseconds: second * 1_000_000))
            precondition(match == nil, "a stranger was taken for somebody")
        }

        /// The share of a core, in percent, that 1,000 strangers a second take.
        mutating func seconds(_ range: Range<Int64>, _ tags: inout FMDNResolver) -> Double {
            let strangers = (0..<1_000).map { _ in identifier() }
            let begin = bench_cpu_seconds()
            for second in range {
                for (place, stranger) in strangers.enumerated() {
                    let time = Timestamp(microseconds: second * 1_000_000 + Int64(place) * 1_000)
                    precondition(tags.resolve(stranger, at: time) == nil, "a stranger was taken for somebody")
                }
            }
            return (bench_cpu_seconds() - begin) / Double(range.count) * 100
        }

        mutating func key() -> AES128 { AES128(AESBlock(high: next(), low: next())) }

        mutating func stranger() -> DeviceAddress {
            DeviceAddress(next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000, .random)
        }
    }
}
