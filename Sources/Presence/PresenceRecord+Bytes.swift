internal import BeaconFrames
internal import Bytes
public import Identity
internal import WireProtocol

extension PresenceRecord.Beacon {
    /// Its values except the id, which is the row's key, for a column of a store.
    public var bytes: [UInt8] {
        var row = RowWriter()
        row.append(lastHeard.microseconds)
        row.append(listened.microseconds)
        return row.bytes + rule.bytes
    }

    /// Reads such a row; nil if it is invalid.
    public init?(id: BeaconID, bytes: Span<UInt8>) {
        var row = RowReader()
        guard let lastHeard = row.next(Int64.self, bytes), let listened = row.next(Int64.self, bytes),
            let rule = ExitRule.Record(bytes: bytes.extracting(row.offset..<bytes.count))
        else { return nil }
        self.init(
            id: id, lastHeard: Timestamp(microseconds: lastHeard), listened: ListeningTime(microseconds: listened),
            rule: rule)
    }
}

extension PresenceRecord.Region {
    /// The version of the form; another one is not read.
    private static let version: UInt8 = 1

    /// Its values except the id, which is the row's key, for a column of a store.
    public var bytes: [UInt8] {
        var row = RowWriter()
        row.append(Self.version)
        row.append(state == .inside ? UInt8(1) : state == .outside ? 2 : 0)
        for time in [since, determinedAt, lastLeftAt] { row.append(time?.microseconds ?? .min) }
        row.append(lastLeft)
        row.append(UInt32(clamping: inside.count))
        for beacon in inside { row.append(beacon) }
        return row.bytes + Array(members.utf8)
    }

    /// Reads such a row; nil if it is invalid.
    public init?(id: String, bytes: Span<UInt8>) {
        var row = RowReader()
        guard row.next(UInt8.self, bytes) == Self.version, let state = row.next(UInt8.self, bytes), state <= 2,
            let since = row.next(Int64.self, bytes), let determined = row.next(Int64.self, bytes),
            let left = row.next(Int64.self, bytes), let lastLeft = row.nextBeacon(bytes),
            let count = row.next(UInt32.self, bytes), count <= RegionMonitor.beaconCapacity
        else { return nil }
        var inside: [BeaconID] = []
        for _ in 0..<count {
            guard let beacon = row.nextBeacon(bytes), let beacon else { return nil }
            inside.append(beacon)
        }
        guard let members = try? UTF8Span(validating: bytes.extracting(row.offset..<bytes.count)) else { return nil }
        let time = { (microseconds: Int64) in microseconds == .min ? nil : Timestamp(microseconds: microseconds) }
        self.init(
            id: id, members: String(copying: members), state: state == 1 ? .inside : state == 2 ? .outside : .unknown,
            since: time(since), determinedAt: time(determined), inside: inside)
        (self.lastLeft, lastLeftAt) = (lastLeft, time(left))
    }
}

extension RowWriter {
    /// Appends a kind (0 for none) and 20 bytes, followed by the name of a key's item.
    mutating func append(_ beacon: BeaconID?) {
        let values: (kind: UInt8, high: UInt64, low: UInt64, rest: UInt32) =
            switch beacon {
            case nil: (0, 0, 0, 0)
            case .iBeacon(let uuid, let major, let minor)?:
                (1, uuid.high, uuid.low, UInt32(major) << 16 | UInt32(minor))
            case .altBeacon(let uuid, let major, let minor)?:
                (2, uuid.high, uuid.low, UInt32(major) << 16 | UInt32(minor))
            case .eddystone(let namespace, let instance)?: (3, namespace.high, instance, UInt32(namespace.low))
            case .address(let bits)?: (4, bits, 0, 0)
            case .irk?: (5, 0, 0, 0)
            case .eid?: (6, 0, 0, 0)
            case .fmdn?: (7, 0, 0, 0)
            }
        append(values.kind)
        append(values.high)
        append(values.low)
        append(values.rest)
        switch beacon {
        case .irk(let name)?, .eid(let name)?, .fmdn(let name)?: append(name)
        case .iBeacon, .altBeacon, .eddystone, .address, nil: break
        }
    }
}

extension RowReader {
    /// The next beacon. Nil at the end, or for an unknown kind; an inner nil represents none.
    mutating func nextBeacon(_ bytes: Span<UInt8>) -> BeaconID?? {
        guard let kind = next(UInt8.self, bytes), let high = next(UInt64.self, bytes),
            let low = next(UInt64.self, bytes),
            let rest = next(UInt32.self, bytes)
        else { return nil }
        let (major, minor) = (UInt16(truncatingIfNeeded: rest >> 16), UInt16(truncatingIfNeeded: rest))
        switch kind {
        case 0: return .some(nil)
        case 1: return .iBeacon(uuid: BeaconUUID(high: high, low: low), major: major, minor: minor)
        case 2: return .altBeacon(uuid: BeaconUUID(high: high, low: low), major: major, minor: minor)
        case 3: return .eddystone(EddystoneUID.Namespace(high: high, low: minor), low)
        case 4: return .address(high)
        case 5: return nextText(bytes).flatMap { BeaconID("irk:\($0)") }
        case 6: return nextText(bytes).flatMap { BeaconID("eid:\($0)") }
        case 7: return nextText(bytes).flatMap { BeaconID("fmdn:\($0)") }
        default: return nil
        }
    }
}
