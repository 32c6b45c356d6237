import Advertising
import BeaconFrames
import Bytes
import Crypto
import Identity
import Testing

/// Encrypted BTHome frames, by the example that other projects' decoders agree on.
@Suite struct BTHomeKeyTests {
    private static let address = DeviceAddress(0x5448_E68F_80A5, .public)

    private func key(_ hex: String = "231d39c1d7cc1ab1aee224cd096db932") -> BTHomeKey {
        BTHomeKey(AES128(block(hex)))
    }

    private func block(_ hex: String) -> AESBlock {
        let bytes = Hex.bytes(hex) ?? []
        return AESBlock(bytes.span)
    }

    private func frame(_ hex: String) -> BTHome {
        let bytes = Hex.bytes(hex) ?? []
        guard let frame = BTHome(serviceData: bytes.span) else { fatalError("no BTHome frame: \(hex)") }
        return frame
    }

    private var sealed: BTHome { frame("41a47266c95f730011223378237214") }
    private var plain: BTHome { frame("4002ca0903bf13") }
    private static let counter: UInt32 = 0x3322_1100

    @Test func theRightKeyOpensAFrameAndWritesIt() {
        #expect(key().open(sealed, from: Self.address, after: nil) == .opened(plain, counter: Self.counter))
        #expect(
            key().open(sealed, from: Self.address, after: Self.counter - 1) == .opened(plain, counter: Self.counter))
        #expect(key().seal(plain, from: Self.address, counter: Self.counter) == sealed)
        #expect(key().open(plain, from: Self.address, after: nil) == .notEncrypted)
        #expect(key().seal(sealed, from: Self.address, counter: 1) == nil)
    }

    @Test func whatWasRecordedIsNotTakenAgain() {
        #expect(key().open(sealed, from: Self.address, after: Self.counter) == .repeated)
        #expect(
            key().open(sealed, from: Self.address, after: Self.counter + 1) == .replayed(counter: Self.counter))
    }

    @Test func otherKeysAddressesAndBytesAreToldApart() {
        #expect(key("231d39c1d7cc1ab1aee224cd096db933").open(sealed, from: Self.address, after: nil) == .wrongKey)
        let other = DeviceAddress(0x5448_E68F_80A6, .public)
        #expect(key().open(sealed, from: other, after: nil) == .wrongKey)
        // A wrong key is reported before a counter, which anybody can write.
        #expect(key().open(sealed, from: other, after: .max) == .wrongKey)
        let bytes = sealed.serviceData
        for place in 1..<bytes.count {
            var changed = bytes
            changed[place] ^= 0x10
            guard let frame = BTHome(serviceData: changed.span) else { continue }
            #expect(key().open(frame, from: Self.address, after: nil) == .wrongKey, "byte \(place)")
        }
        // The trigger flag is protected, too.
        let triggered = frame("45" + Hex.text(bytes.span).dropFirst(2))
        #expect(key().open(triggered, from: Self.address, after: nil) == .wrongKey)
    }

    @Test func aFrameWithoutObjectsIsOpenedToNone() throws {
        let empty = frame("44")
        let sealed = try #require(key().seal(empty, from: Self.address, counter: 7))
        #expect(key().open(sealed, from: Self.address, after: 6) == .opened(empty, counter: 7))
    }

    @Test func aKeyIsNeverPrinted() {
        #expect("\(key())" == "BTHomeKey(key: an AES-128 key)")
    }
}
