public import Advertising
internal import BeaconFrames
public import Bytes
public import Identity
public import WireProtocol

/// The unregistered beacons received while a `nearby` request is open.
///
/// A transmitter with only a private address (Core Vol 6 Part B 1.3.2.2), as phones have, or with a class that changes
/// its identity, can't be registered. Those are counted by their classes.
///
///     var table = NearbyTable(from: now, for: .seconds(5))
///     table.take(report, data, of: beacon, at: time)      // each report, registered beacons' too
///     if table.isDue(at: now) { answer(table.strongest()) }
public struct NearbyTable: Sendable {
    fileprivate struct Heard: Sendable {
        /// The permanent identities in its frames, those of higher rank first.
        var ids: [BeaconID] = []
        /// Its address if that isn't a private one.
        var address: BeaconID?
        var transmitterClass: TransmitterClass?
        var name: String?
        var isNameComplete = false
        var url: String?
        var power: Int?
        var count = 0
        var sum = 0
        var last = 0
    }

    /// The maximum number of remembered transmitters of one request; the least recently received one is evicted first.
    public static let capacity = 1024
    /// The maximum number of beacons in an answer.
    public static let limit = 20
    /// The maximum length of a published name, in bytes.
    static let nameLimit = 64

    /// The beginning of the request.
    public private(set) var begin: Timestamp
    /// The time at which the answer is due.
    public private(set) var end: Timestamp
    private var heard = RecencyTable<DeviceAddress, Heard>(capacity: capacity)

    /// A table for a request that begins at a moment and lasts so long.
    public init(from begin: Timestamp, for duration: Duration) {
        self.begin = begin
        end = begin.advanced(by: duration)
    }

    /// Returns true if the answer is due. A clock that was set back to before the request ends it as well.
    public func isDue(at now: Timestamp) -> Bool { now >= end || now < begin }

    /// Adjusts to a clock that was set forward by `step`, or back if it is negative.
    mutating func clockStepped(by step: Duration) {
        begin = begin.advanced(by: step)
        end = end.advanced(by: step)
    }

    /// The number of transmitters evicted for lack of room.
    public var evicted: UInt64 { heard.evicted }

    /// Records a report, with its advertising data and its beacon.
    public mutating func receive(
        _ report: AdvertisingReport, _ data: Span<UInt8>, of beacon: IdentityResolver.Resolution, at time: Timestamp
    ) {
        // Anonymous advertisers can't be distinguished.
        guard beacon.item == nil, report.address.kind != .anonymous, time >= begin, time < end else { return }
        heard.withValue(forKey: report.address, initial: { Heard() }) { entry in
            if !report.address.isPrivate { entry.address = BeaconID(report.address) }
            if let found = TransmitterClass(data: data), entry.transmitterClass?.isRegistrable ?? true {
                entry.transmitterClass = found
            }
            if beacon.id.rank > 0 { entry.addIdentity(beacon.id) }
            BeaconFrame.decode(data: data) { frame in
                if case .eddystoneURL(let frame) = frame { entry.url = frame.url }
                guard let id = BeaconID(frame) else { return }
                entry.addIdentity(id)
                entry.power = frame.powerAtOneMetre ?? entry.power
            }
            entry.noteName(data)
            guard let level = report.rssi else { return }
            entry.count += 1
            entry.sum += Int(level)
            entry.last = Int(level)
        }
    }

    /// The strongest beacons by the mean of their levels, the nearest first; at most 20.
    ///
    /// Several addresses of one beacon (rotating ones, or two radios) are reported as one.
    public func strongest() -> [NearbyBeacon] {
        var found: [BeaconID: NearbyBeacon] = [:]
        var table = heard
        table.forEachValue { _, entry in
            let ids = entry.lastingIDs
            guard entry.count > 0, let id = ids.first else { return }
            let mean = Double(entry.sum) / Double(entry.count)
            guard var beacon = found[id] else {
                var beacon = NearbyBeacon(
                    id: id, ids: ids, mean: mean, last: entry.last, count: entry.count)
                (beacon.name, beacon.url, beacon.power) = (entry.name, entry.url, entry.power)
                beacon.transmitterClass = entry.transmitterClass
                found[id] = beacon
                return
            }
            let count = beacon.count + entry.count
            beacon.mean = (beacon.mean * Double(beacon.count) + Double(entry.sum)) / Double(count)
            beacon.count = count
            beacon.last = max(beacon.last, entry.last)
            beacon.ids += ids.filter { !beacon.ids.contains($0) }
            beacon.name = beacon.name ?? entry.name
            beacon.url = beacon.url ?? entry.url
            beacon.power = beacon.power ?? entry.power
            beacon.transmitterClass = beacon.transmitterClass ?? entry.transmitterClass
            found[id] = beacon
        }
        let order = found.values.sorted { left, right in
            left.mean != right.mean ? left.mean > right.mean : left.id.text < right.id.text
        }
        return Array(order.prefix(Self.limit))
    }

    /// The transmitters that can't be registered, one entry a class: the class with the loudest transmitter first.
    public func others() -> [NearbyStranger] {
        var found: [TransmitterClass?: NearbyStranger] = [:]
        var table = heard
        table.forEachValue { _, entry in
            guard entry.count > 0, entry.lastingIDs.isEmpty else { return }
            let mean = Double(entry.sum) / Double(entry.count)
            let kind = entry.transmitterClass
            var other = found[kind] ?? NearbyStranger(transmitterClass: kind, addresses: 0, mean: mean)
            other.addresses += 1
            other.mean = max(other.mean, mean)
            found[kind] = other
        }
        return found.values.sorted { left, right in
            left.mean != right.mean
                ? left.mean > right.mean
                : (left.transmitterClass?.rawValue ?? "") < (right.transmitterClass?.rawValue ?? "")
        }
    }
}

extension NearbyTable.Heard {
    /// The maximum number of reported identities of one transmitter.
    private static let idBound = 8

    /// The identities by which it may be registered, those of higher rank first. The address is last, and present only
    /// if its class has a permanent one.
    fileprivate var lastingIDs: [BeaconID] {
        guard let address, transmitterClass?.isRegistrable ?? true else { return ids }
        return ids + [address]
    }

    fileprivate mutating func addIdentity(_ id: BeaconID) {
        guard !ids.contains(id), ids.count < Self.idBound else { return }
        let place = ids.firstIndex { $0.rank < id.rank } ?? ids.count
        ids.insert(id, at: place)
    }

    /// Records the local name, preferably the complete one (Core Supplement Part A 1.2).
    fileprivate mutating func noteName(_ data: Span<UInt8>) {
        var found: (text: String, isComplete: Bool)?
        // A fault after whole structures does not invalidate them.
        try? ADStructure.forEach(in: data) { type, payload in
            let isComplete = type == ADType.completeLocalName
            guard isComplete || type == ADType.shortenedLocalName, payload.count <= NearbyTable.nameLimit else {
                return
            }
            let text = String(decoding: [UInt8](copying: payload), as: UTF8.self)
            let plain = String(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init))
            if !plain.isEmpty { found = (plain, isComplete) }
        }
        guard let found, found.isComplete || !isNameComplete else { return }
        (name, isNameComplete) = found
    }
}

extension DeviceAddress {
    /// A Boolean value that is true for a changing random address, resolvable or not.
    var isPrivate: Bool {
        switch randomSubtype {
        case .resolvable, .nonResolvable: true
        case .static, .reserved, nil: false
        }
    }
}
