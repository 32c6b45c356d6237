public import Advertising
public import BeaconFrames
internal import Bytes
public import Crypto

/// A sensor's key to its encrypted BTHome frames (bthome.io, "Encryption").
public struct BTHomeKey: Sendable {
    /// The result of opening an encrypted frame with a key.
    public enum Opening: Hashable, Sendable {
        /// The decrypted frame. Its counter is higher than all before it, and is to be remembered.
        case opened(BTHome, counter: UInt32)
        /// A repetition of the frame with the last counter. Sensors send each frame a few times, but its events
        /// happened once.
        case repeated
        /// The key is right and the counter is lower than the last: either a recording is replayed, or the sensor's
        /// counter restarted after a change of its battery.
        case replayed(counter: UInt32)
        /// The frame isn't encrypted by this key, or was changed on its way. Another key's frame passes once in 2³²
        /// times.
        case wrongKey
        /// The frame is plain.
        case notEncrypted
    }

    private let key: AES128

    /// A bind key with this AES key.
    public init(_ key: AES128) {
        self.key = key
    }

    /// A check that distinguishes this key from most others: 16 bits of an encrypted block, which don't reveal the key.
    var check: UInt16 { UInt16(truncatingIfNeeded: key.encrypt(AESBlock(high: .max, low: .max)).low) }

    /// Opens a frame from the sensor of this address; `lastCounter` is that of the last one opened, if any.
    public func open(_ frame: BTHome, from address: DeviceAddress, after lastCounter: UInt32?) -> Opening {
        guard let parts = frame.encryption else { return .notEncrypted }
        let nonce = Self.nonce(address, frame.deviceInformation, parts.counter)
        let plaintext = AESCCM.open(
            parts.ciphertext.span, tag: parts.check.span, nonce: nonce.span, associatedData: [UInt8]().span, key: key)
        guard let plaintext, let opened = frame.opened(plaintext) else { return .wrongKey }
        if let lastCounter, parts.counter <= lastCounter {
            return parts.counter == lastCounter ? .repeated : .replayed(counter: parts.counter)
        }
        return .opened(opened, counter: parts.counter)
    }

    /// The encrypted form of a plain frame from a sensor of this address; nil if it is encrypted already or too long.
    public func seal(_ frame: BTHome, from address: DeviceAddress, counter: UInt32) -> BTHome? {
        guard !frame.isEncrypted else { return nil }
        let information = frame.deviceInformation | 0x01
        let nonce = Self.nonce(address, information, counter)
        let plaintext = Array(frame.serviceData.dropFirst())
        let sealed = AESCCM.seal(
            plaintext.span, tagSize: 4, nonce: nonce.span, associatedData: [UInt8]().span, key: key)
        guard let sealed else { return nil }
        var bytes = [information] + sealed.prefix(plaintext.count)
        bytes.append(bigEndian: counter.byteSwapped)
        bytes += sealed.suffix(4)
        return BTHome(serviceData: bytes.span)
    }

    /// Address, service UUID, device information and counter: 13 bytes, as they are sent except the address.
    private static func nonce(_ address: DeviceAddress, _ information: UInt8, _ counter: UInt32) -> [UInt8] {
        var nonce: [UInt8] = []
        for shift in stride(from: 40, through: 0, by: -8) {
            nonce.append(UInt8(truncatingIfNeeded: address.bits >> UInt64(shift)))
        }
        nonce += [0xD2, 0xFC, information]
        nonce.append(bigEndian: counter.byteSwapped)
        return nonce
    }
}
