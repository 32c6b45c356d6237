import Advertising
import Crypto
import Identity
import Support
import Testing

/// Resolution of private addresses.
@Suite struct PrivateAddressTests {
    /// The identity resolving key of the specification's sample data (Core Vol 3 Part H, appendix D.7).
    private static let sample = AES128(AESBlock(high: 0xEC02_34A3_57C8_AD05, low: 0x3410_10A6_0A39_7D9B))

    private func keys(_ count: Int, _ random: inout SeededGenerator) -> [AES128] {
        (0..<count).map { _ in AES128(AESBlock(high: random.next(), low: random.next())) }
    }

    private func stranger(_ random: inout SeededGenerator) -> DeviceAddress {
        DeviceAddress(random.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000, .random)
    }

    @Test func theHashIsThatOfTheSpecificationsSample() {
        #expect(PrivateAddressResolver.hash(0x708194, Self.sample) == 0x0DFBAA)
        #expect(PrivateAddressResolver.address(0x308194, Self.sample) == DeviceAddress(0x7081_940D_FBAA, .random))
        var resolver = PrivateAddressResolver([Self.sample])
        #expect(resolver.resolve(DeviceAddress(0x7081_940D_FBAA, .random)) == 0)
        #expect(resolver.resolve(DeviceAddress(0x7081_940D_FBAB, .random)) == nil)
    }

    @Test func anyNumberOfAddressesMayBeOneKeysAtATime() {
        var random = SeededGenerator(seed: 6)
        let keys = keys(50, &random)
        var resolver = PrivateAddressResolver(keys)
        for round in 0..<20 {
            for (place, key) in keys.enumerated() {
                let address = PrivateAddressResolver.address(.random(in: 0 ... .max, using: &random), key)
                #expect(address.randomSubtype == .resolvable)
                #expect(resolver.resolve(address) == place, "round \(round)")
            }
        }
    }

    @Test func strangersAreNobody() {
        var random = SeededGenerator(seed: 7)
        var resolver = PrivateAddressResolver(keys(50, &random))
        // 20,000 addresses and 50 keys: 0.06 mistakes are to be expected, and with this seed there is none.
        for _ in 0..<20_000 { #expect(resolver.resolve(stranger(&random)) == nil) }
        #expect(resolver.ciphers == 1_000_000)
        #expect(resolver.evicted == 20_000 - UInt64(PrivateAddressResolver.defaultCapacity))
    }

    @Test func anAddressCostsItsCiphersOnce() {
        var random = SeededGenerator(seed: 8)
        var resolver = PrivateAddressResolver(keys(50, &random))
        let address = stranger(&random)
        for _ in 0..<1_000 { #expect(resolver.resolve(address) == nil) }
        #expect(resolver.ciphers == 50)
    }

    @Test func addressesOfOtherKindsCostNothing() {
        var resolver = PrivateAddressResolver([Self.sample])
        let bits: UInt64 = 0x7081_940D_FBAA
        for address in [
            DeviceAddress(bits, .public), DeviceAddress(bits, .publicIdentity),
            DeviceAddress(bits | 0xC000_0000_0000, .random),
            DeviceAddress(bits & 0x3FFF_FFFF_FFFF, .random), .anonymous,
        ] {
            #expect(resolver.resolve(address) == nil)
        }
        #expect(resolver.ciphers == 0)
    }

    @Test func anAddressThatFitsTwoKeysIsNobodys() {
        var resolver = PrivateAddressResolver([Self.sample, Self.sample])
        #expect(resolver.resolve(DeviceAddress(0x7081_940D_FBAA, .random)) == nil)
    }

    @Test func aResolverIsPrintedWithoutItsKeys() {
        #expect("\(PrivateAddressResolver([Self.sample]))".contains("keys: [an AES-128 key]"))
    }
}
