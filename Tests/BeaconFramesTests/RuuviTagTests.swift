import BeaconFrames
import Bytes
import Testing

/// The test vectors of Ruuvi's data format 5; that of valid data is ``Fixture/ruuviTag5``.
@Suite struct RuuviTagTests {
    private func readings(_ hex: String) -> RuuviTag5? {
        RuuviTag5(manufacturerData: bytes("9904" + hex).span)
    }

    @Test func theHighestValues() throws {
        let hex = "057ffffffefffe7fff7fff7fffffdefefffecbb8334c884f"
        let tag = try #require(readings(hex))
        #expect(tag.celsius == 163.835)
        #expect(tag.humidityPercent == 163.835)
        #expect(tag.pascals == 115_534)
        #expect([tag.accelerationX, tag.accelerationY, tag.accelerationZ] == [32_767, 32_767, 32_767])
        #expect(tag.batteryMillivolts == 3_646 && tag.txPower == 20 && tag.movements == 254 && tag.sequence == 65_534)
        #expect(Hex.text(tag.manufacturerData.span) == "9904" + hex)
    }

    @Test func theLowestValues() throws {
        let hex = "058001000000008001800180010000000000cbb8334c884f"
        let tag = try #require(readings(hex))
        #expect(tag.celsius == -163.835 && tag.humidityPercent == 0 && tag.pascals == 50_000)
        #expect([tag.accelerationX, tag.accelerationY, tag.accelerationZ] == [-32_767, -32_767, -32_767])
        #expect(tag.batteryMillivolts == 1_600 && tag.txPower == -40 && tag.movements == 0 && tag.sequence == 0)
        #expect(Hex.text(tag.manufacturerData.span) == "9904" + hex)
    }

    @Test func whatATagDoesntTellIsAbsent() throws {
        let hex = "058000ffffffff800080008000ffffffffffffffffffffff"
        let tag = try #require(readings(hex))
        #expect(json(.ruuviTag5(tag)) == #"{"type":"ruuvi-5"}"#)
        #expect(Hex.text(tag.manufacturerData.span) == "9904" + hex)
    }

    @Test func otherFormatsOfTheMakerAreNone() {
        #expect(readings("03291a1ece1efc18f94202ca0b53") == nil)
        #expect(readings("c512fc5394c37cac364200cdcbb8334c884f") == nil)
        #expect(readings("0612fc5394c37c0004fffc040cac364200cdcbb8334c884f") == nil)
    }
}
