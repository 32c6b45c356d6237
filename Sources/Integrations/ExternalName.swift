internal import BeaconFrames
internal import Bytes
public import Identity

/// The name of a beacon in another system.
public enum ExternalName: Hashable, Sendable {
    /// An identity that the beacon sends.
    case beacon(BeaconID)
    /// The identity resolving key of a private device, which must not be published: 16 bytes in the order in which they
    /// were written.
    case key([UInt8])
    /// A name that somebody chose, or that means a kind of device.
    case alias(String)

    /// A name in ESPresense's spelling; nil for an invalid one.
    ///
    /// Its Eddystone ids have a digit pair twice (``BeaconID/espresense``); both that and 20 digits are accepted.
    public init?(espresense text: String) {
        guard Plausible.isName(text) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            self = BeaconID(text).map { .beacon($0) } ?? .alias(text)
            return
        }
        switch parts[0] {
        case "iBeacon", "altBeacon", "eddystone":
            guard let id = BeaconID(text) else { return nil }
            self = .beacon(id)
        case "eddy":
            guard let id = Self.eddystone(parts[1]) else { return nil }
            self = .beacon(id)
        case "irk":
            guard let key = Hex.bytes(parts[1]), key.count == 16 else { return nil }
            self = .key(key)
        case "known":
            guard let id = Self.address(parts[1]) else { return nil }
            self = .beacon(id)
        default: self = Self.address(text).map { .beacon($0) } ?? .alias(text)
        }
    }

    /// An address of 12 digits, or with colons.
    static func address(_ text: some StringProtocol) -> BeaconID? {
        guard let id = BeaconID(text), case .address = id else { return nil }
        return id
    }

    private static func eddystone(_ text: Substring) -> BeaconID? {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 2, var namespace = Hex.bytes(fields[0]) else { return nil }
        if namespace.count == 11 {
            guard namespace[BeaconID.doubledByte] == namespace[BeaconID.doubledByte + 1] else { return nil }
            namespace.remove(at: BeaconID.doubledByte)
        }
        guard namespace.count == 10 else { return nil }
        return BeaconID("eddystone:\(Hex.text(namespace.span))-\(fields[1])")
    }

    /// A topic without the keys that ESPresense puts into it, for the log.
    public static func withoutKeys(_ topic: String) -> String {
        topic.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.lowercased().hasPrefix("irk:") ? "irk:…" : String($0) }.joined(separator: "/")
    }
}

extension BeaconID {
    /// The byte of an Eddystone namespace that ESPresense prints twice (src/BleFingerprint.cpp, service data byte 6).
    static let doubledByte = 4

    /// ESPresense's spelling: an Eddystone namespace has 22 digits, its fifth byte twice, as its nodes spell it. Nil
    /// for a beacon known by a key, which ESPresense would spell by the key itself.
    public var espresense: String? {
        switch self {
        case .irk, .eid, .fmdn: return nil
        case .iBeacon, .altBeacon, .address: return text
        case .eddystone(let namespace, let instance): return Self.espresense(namespace, instance)
        }
    }

    private static func espresense(_ namespace: EddystoneUID.Namespace, _ instance: UInt64) -> String {
        var digits = namespace.text
        let pair = digits.index(digits.startIndex, offsetBy: 2 * doubledByte)
        let end = digits.index(pair, offsetBy: 2)
        digits.insert(contentsOf: digits[pair..<end], at: end)
        return "eddy:\(digits)-\(Hex.text(instance, digits: 12))"
    }
}
