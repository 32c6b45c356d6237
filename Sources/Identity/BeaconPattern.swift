public import BeaconFrames

/// A set of beacons by their identities: one, or all that share its leading parts.
public enum BeaconPattern: Hashable, Sendable {
    /// All iBeacons of a UUID, of a UUID and major, or the one of UUID, major and minor.
    case iBeacon(uuid: BeaconUUID, major: UInt16?, minor: UInt16?)
    /// All AltBeacons of a UUID, of a UUID and major, or the one of UUID, major and minor.
    case altBeacon(uuid: BeaconUUID, major: UInt16?, minor: UInt16?)
    /// All Eddystone-UIDs of a namespace, or the one of namespace and instance.
    case eddystone(EddystoneUID.Namespace, UInt64?)
    /// One device address.
    case address(UInt64)
    /// The device with the identity resolving key of an item.
    case irk(String)
    /// The beacon with the identity key of an item.
    case eid(String)
    /// The Find Hub tag with the ephemeral identity key of an item.
    case fmdn(String)

    /// The set that holds just one identity.
    public init(_ id: BeaconID) {
        switch id {
        case .iBeacon(let uuid, let major, let minor): self = .iBeacon(uuid: uuid, major: major, minor: minor)
        case .altBeacon(let uuid, let major, let minor): self = .altBeacon(uuid: uuid, major: major, minor: minor)
        case .eddystone(let namespace, let instance): self = .eddystone(namespace, instance)
        case .address(let bits): self = .address(bits)
        case .irk(let name): self = .irk(name)
        case .eid(let name): self = .eid(name)
        case .fmdn(let name): self = .fmdn(name)
        }
    }

    /// The only identity in the set; nil if it holds more.
    public var exact: BeaconID? {
        switch self {
        case .iBeacon(let uuid, let major?, let minor?): .iBeacon(uuid: uuid, major: major, minor: minor)
        case .altBeacon(let uuid, let major?, let minor?): .altBeacon(uuid: uuid, major: major, minor: minor)
        case .eddystone(let namespace, let instance?): .eddystone(namespace, instance)
        case .address(let bits): .address(bits)
        case .irk(let name): .irk(name)
        case .eid(let name): .eid(name)
        case .fmdn(let name): .fmdn(name)
        case .iBeacon, .altBeacon, .eddystone: nil
        }
    }

    /// One text for each set: a beacon's canonical id, or its leading parts.
    public var text: String {
        switch self {
        case .iBeacon(let uuid, let major, let minor): "iBeacon:\(uuid)" + Self.text(major, minor)
        case .altBeacon(let uuid, let major, let minor): "altBeacon:\(uuid)" + Self.text(major, minor)
        case .eddystone(let namespace, let instance):
            instance.map { BeaconID.eddystone(namespace, $0).text } ?? "eddystone:\(namespace)"
        case .address(let bits): BeaconID.address(bits).text
        case .irk(let name): BeaconID.irk(name).text
        case .eid(let name): BeaconID.eid(name).text
        case .fmdn(let name): BeaconID.fmdn(name).text
        }
    }

    private static func text(_ major: UInt16?, _ minor: UInt16?) -> String {
        (major.map { "-\($0)" } ?? "") + (minor.map { "-\($0)" } ?? "")
    }
}

extension BeaconID {
    /// Returns true if `condition` holds for any pattern that contains this identity.
    ///
    /// There are at most three, so that a look-up in a table of any number of patterns has a constant cost.
    public func isInAnyPattern(where condition: (BeaconPattern) -> Bool) -> Bool {
        if condition(BeaconPattern(self)) { return true }
        switch self {
        case .iBeacon(let uuid, let major, _):
            return condition(.iBeacon(uuid: uuid, major: major, minor: nil))
                || condition(.iBeacon(uuid: uuid, major: nil, minor: nil))
        case .altBeacon(let uuid, let major, _):
            return condition(.altBeacon(uuid: uuid, major: major, minor: nil))
                || condition(.altBeacon(uuid: uuid, major: nil, minor: nil))
        case .eddystone(let namespace, _): return condition(.eddystone(namespace, nil))
        case .address, .irk, .eid, .fmdn: return false
        }
    }
}
