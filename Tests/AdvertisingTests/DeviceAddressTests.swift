import Advertising
import Testing

@Suite struct DeviceAddressTests {
    @Test func anAddressReadsBackAsItIsPrinted() throws {
        let address = try #require(DeviceAddress("Aa:bb:0c:Dd:ee:ff", .random))
        #expect(address.bits == 0xAABB_0CDD_EEFF)
        #expect(address.text == "aa:bb:0c:dd:ee:ff")
        #expect("\(address)" == address.text)
        #expect(address.hex == "aabb0cddeeff")
        #expect(DeviceAddress(address.hex, .random) == address)
        #expect(DeviceAddress("000000000001")?.text == "00:00:00:00:00:01")
    }

    @Test(arguments: [
        "", "aa", "aa:bb:cc:dd:ee", "aa:bb:cc:dd:ee:fg", "aa-bb-cc-dd-ee-ff", "aabbccddeef", "aabbccddeeff0",
        "a:abb:cc:dd:ee:ff", "aa:bb:cc:dd:ee:f:", "ä:bb:cc:dd:ee:ff",
    ])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(DeviceAddress(text) == nil)
    }

    @Test func oneAddressOfTwoKindsIsTwoDevices() {
        #expect(DeviceAddress(1, .public) != DeviceAddress(1, .random))
        #expect(Set(DeviceAddress.Kind.allCases.map { DeviceAddress(1, $0) }).count == 5)
        #expect(DeviceAddress(0xFFFF_0000_0000_0001, .public) == DeviceAddress(1, .public))
    }

    @Test func aRandomAddressTellsWhetherItCanBeResolved() {
        #expect(DeviceAddress(0xC000_0000_0000, .random).randomSubtype == .static)
        #expect(DeviceAddress(0x7FFF_0000_0000, .random).randomSubtype == .resolvable)
        #expect(DeviceAddress(0x3FFF_0000_0000, .random).randomSubtype == .nonResolvable)
        #expect(DeviceAddress(0x8000_0000_0000, .random).randomSubtype == .reserved)
        #expect(DeviceAddress(0xC000_0000_0000, .randomIdentity).randomSubtype == .static)
        #expect(DeviceAddress(0xC000_0000_0000, .public).randomSubtype == nil)
        #expect(DeviceAddress.anonymous.randomSubtype == nil)
    }
}
