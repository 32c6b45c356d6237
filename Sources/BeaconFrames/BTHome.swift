import Advertising
public import Bytes

/// A BTHome frame of version 2 (bthome.io, "Format"): service data of the UUID 0xFCD2 that holds readings, flags and
/// events of a sensor, plain or encrypted. Its service data is read and written here without the UUID.
public struct BTHome: Hashable, Sendable, BitwiseCopyable {
    /// The service UUID.
    public static let serviceUUID: UInt16 = 0xFCD2
    /// The bytes after an encrypted text: counter and check.
    public static let encryptionSize = 8

    private let content: ShortBytes
    /// The first byte: version in the bits 5...7, bit 2 for frames sent on an event, bit 0 for encrypted ones.
    public let deviceInformation: UInt8

    /// Reads service data; nil if it isn't version 2, has no room in a legacy advertisement, or is encrypted and too short.
    public init?(serviceData data: Span<UInt8>) {
        guard let information = data.byte(at: 0), information >> 5 == 2, let content = ShortBytes(data, from: 1)
        else { return nil }
        deviceInformation = information
        self.content = content
        if isEncrypted, content.count < Self.encryptionSize { return nil }
    }

    /// Reads service data that begins with the UUID; nil if it is another service's.
    @inline(never)  // Rare: the common path is to stay small.
    init?(service data: Span<UInt8>) {
        guard data.littleEndian(UInt16.self, at: 0) == Self.serviceUUID else { return nil }
        self.init(serviceData: data.extracting(2..<data.count))
    }

    /// A Boolean value that is true if the objects are encrypted.
    public var isEncrypted: Bool { deviceInformation & 0x01 != 0 }

    /// A Boolean value that is true if it is sent at an event, rather than at intervals.
    public var isTriggerBased: Bool { deviceInformation & 0x04 != 0 }

    /// An encrypted frame's parts; nil for a plain one.
    public var encryption: Encryption? {
        guard isEncrypted else { return nil }
        let bytes = content.bytes
        let end = bytes.count - Self.encryptionSize
        return Encryption(
            ciphertext: Array(bytes[..<end]), counter: bytes.span.littleEndian(UInt32.self, at: end) ?? 0,
            check: Array(bytes[(end + 4)...]))
    }

    /// The parts of an encrypted frame (bthome.io, "Encryption").
    public struct Encryption: Hashable, Sendable {
        /// The objects, ciphered.
        public var ciphertext: [UInt8]
        /// A counter that increases with each new text, which prevents replays.
        public var counter: UInt32
        /// The message integrity check: 4 bytes.
        public var check: [UInt8]
    }

    /// The same frame with its decrypted objects; nil if they are too long.
    public func opened(_ plaintext: [UInt8]) -> BTHome? {
        BTHome(serviceData: ([deviceInformation & ~0x01] + plaintext).span)
    }

    /// The contents of a plain frame, up to the first object that can't be read; empty for an encrypted one.
    public var contents: Contents {
        isEncrypted ? Contents() : Contents(content.bytes.span)
    }

    /// The service data.
    public var serviceData: [UInt8] { [deviceInformation] + content.bytes }

    /// The whole advertising data: flags and service data, at most 34 bytes. A legacy advertisement holds 31.
    public var advertisingData: [UInt8] {
        var bytes = AdvertisingPayload.flags
        ADStructure.append(type: ADType.serviceData16, ([0xD2, 0xFC] + serviceData).span, to: &bytes)
        return bytes
    }

    /// Writes `{"type":"bthome","version","encrypted","trigger_based",…}`.
    ///
    /// A plain frame's objects follow by the keys of ``BTHomeKind``; a further one of the same key has `_2`, `_3` … at
    /// its end. `unread_object` is the id of the object at which reading ended. An encrypted frame has `data`,
    /// `counter` and `mic`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "bthome")
        json.field("version", 2)
        json.field("encrypted", isEncrypted)
        json.field("trigger_based", isTriggerBased)
        if let encryption {
            json.field("data", hex: encryption.ciphertext.span)
            json.field("counter", encryption.counter)
            json.field("mic", hex: encryption.check.span)
        } else {
            let contents = contents
            var seen: [String: Int] = [:]
            for object in contents.objects {
                let number = seen[object.kind.key, default: 0] + 1
                seen[object.kind.key] = number
                object.write(number == 1 ? object.kind.key : "\(object.kind.key)_\(number)", to: &json)
            }
            json.field("unread_object", contents.unread)
        }
        json.endObject()
    }
}
