public import Advertising
public import BeaconFrames
internal import Bytes

/// A stable identity of a transmitter, given by one of its frames or by its address.
public enum BeaconID: Hashable, Sendable {
    /// An iBeacon's proximity UUID, major and minor.
    case iBeacon(uuid: BeaconUUID, major: UInt16, minor: UInt16)
    /// An AltBeacon's id, read as UUID, major and minor.
    case altBeacon(uuid: BeaconUUID, major: UInt16, minor: UInt16)
    /// An Eddystone-UID's namespace and instance; of the latter the low 48 bits.
    case eddystone(EddystoneUID.Namespace, UInt64)
    /// A device address of any type.
    case address(UInt64)
    /// The device with the identity resolving key of this item.
    case irk(String)
    /// The Eddystone-EID beacon with the identity key of this item.
    case eid(String)
    /// The Find Hub tag with the ephemeral identity key of this item.
    case fmdn(String)

    /// The identity of an address.
    public init(_ address: DeviceAddress) {
        self = .address(address.bits)
    }

    /// The identity that a frame gives; nil for frames that belong to the address that sent them.
    public init?(_ frame: BeaconFrame) {
        switch frame {
        case .iBeacon(let beacon): self = .iBeacon(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor)
        case .altBeacon(let beacon): self = .altBeacon(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor)
        case .eddystoneUID(let beacon): self = .eddystone(beacon.namespace, beacon.instance)
        case .eddystoneURL, .eddystoneTLM, .eddystoneETLM, .eddystoneEID, .fmdn, .btHome, .ruuviTag5: return nil
        }
    }

    /// The priority of this kind of identity: the highest one names the transmitter. A registered item precedes all of
    /// them.
    public var rank: Int {
        switch self {
        case .irk: 5
        case .eid, .fmdn: 4
        case .iBeacon: 3
        case .altBeacon: 2
        case .eddystone: 1
        case .address: 0
        }
    }

    /// True if its transmitters change their addresses, of which several may send at a time.
    public var rotatesAddress: Bool {
        switch self {
        case .irk, .eid, .fmdn: true
        case .iBeacon, .altBeacon, .eddystone, .address: false
        }
    }

    /// The canonical id, which is safe as a topic level: such as `iBeacon:<uuid>-<major>-<minor>`, or 12 digits.
    public var text: String {
        switch self {
        case .iBeacon(let uuid, let major, let minor): "iBeacon:\(uuid)-\(major)-\(minor)"
        case .altBeacon(let uuid, let major, let minor): "altBeacon:\(uuid)-\(major)-\(minor)"
        case .eddystone(let namespace, let instance): "eddystone:\(namespace)-\(Hex.text(instance, digits: 12))"
        case .address(let bits): Hex.text(bits, digits: 12)
        case .irk(let name): "irk:\(name)"
        case .eid(let name): "eid:\(name)"
        case .fmdn(let name): "fmdn:\(name)"
        }
    }

    /// Reads a canonical id as ``text`` writes it, or an address with colons; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = parts.first, kind.utf8.count > 2 else {
            guard let address = DeviceAddress(text) else { return nil }
            self = .address(address.bits)
            return
        }
        let fields = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        switch kind {
        case "iBeacon", "altBeacon":
            guard fields.count == 7, let uuid = BeaconUUID(fields[..<5].joined(separator: "-")),
                let major = Self.decimal(fields[5]), let minor = Self.decimal(fields[6])
            else { return nil }
            self =
                kind == "iBeacon"
                ? .iBeacon(uuid: uuid, major: major, minor: minor)
                : .altBeacon(uuid: uuid, major: major, minor: minor)
        case "eddystone":
            guard fields.count == 2, let namespace = EddystoneUID.Namespace(fields[0]),
                let instance = Hex.bytes(fields[1]), instance.count == 6
            else { return nil }
            self = .eddystone(namespace, instance.reduce(0) { $0 << 8 | UInt64($1) })
        case "irk", "eid", "fmdn":
            guard Self.isName(parts[1].utf8) else { return nil }
            let name = String(parts[1])
            self = kind == "irk" ? .irk(name) : kind == "eid" ? .eid(name) : .fmdn(name)
        default: return nil
        }
    }

    /// Returns true if an item may have this id.
    private static func isName(_ name: some Collection<UInt8>) -> Bool {
        (1...64).contains(name.count)
            && name.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
    }

    /// A 16-bit number in plain digits.
    private static func decimal(_ text: some StringProtocol) -> UInt16? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
    }
}
