internal import Advertising
internal import BeaconFrames
internal import Bytes
internal import Identity
internal import Presence
internal import WireProtocol

/// Makes windows of advertising reports: frames, identity, and the state of the current interval.
struct WindowBuilder: Sendable {
    var resolver: IdentityResolver
    private(set) var windows: WindowTable
    /// True if windows are made of every beacon; to be changed between two intervals only.
    var keepsAll: Bool
    /// The number of reports in the current interval.
    private(set) var reports = 0
    /// The number of different beacons in the current interval, with or without a window.
    private(set) var beacons = 0
    /// Items that are registered by a temporary address.
    private(set) var changing: Set<String> = []
    /// The interval of the last report of each beacon without a window; the window table has the others.
    private var heard = RecencyTable<BeaconID, UInt64>(capacity: WindowTable.beaconCapacity)

    init(
        registry: Registry, window: Duration, after seq: UInt64, keepsAll: Bool,
        remembering keys: [String: KeyMemory] = [:]
    ) {
        resolver = IdentityResolver(registry: registry, remembering: keys)
        windows = WindowTable(length: window, after: seq)
        self.keepsAll = keepsAll
    }

    mutating func beginInterval(at time: Timestamp) {
        windows.beginInterval(at: time)
        (reports, beacons) = (0, 0)
    }

    mutating func endInterval(node: String, epoch: String, _ body: (Window) -> Void) {
        windows.endInterval(node: node, epoch: epoch, items: resolver.currentRegistry.items, body)
    }

    /// The length of the intervals that are opened from now on.
    var length: Duration {
        get { windows.length }
        set { windows.length = newValue }
    }

    /// Applies another registry. Only between two intervals: a window's item is an index of the registry's items.
    mutating func use(_ registry: Registry) {
        resolver.use(registry)
        changing = []
    }

    /// Processes a report, and returns it in the form for presence: its beacon, its level, and its content.
    mutating func receive(_ report: AdvertisingReport, _ data: Span<UInt8>, at time: Timestamp) -> Sighting {
        reports += 1
        var frames: (BeaconID?, BeaconID?) = (nil, nil)
        var powers: (Int?, Int?) = (nil, nil)
        // Seldom more than one in a report; of several the last is used.
        var readings: BeaconFrame?
        var url: EncodedURL?
        var urlPower: Int?
        // A fault after complete frames doesn't invalidate them; `decode` shows it.
        BeaconFrame.decode(data: data) { frame in
            switch frame {
            case .eddystoneTLM, .eddystoneETLM, .fmdn, .btHome, .ruuviTag5: readings = frame
            case .eddystoneURL(let address): (url, urlPower) = (address.encoded, frame.powerAtOneMetre)
            case .iBeacon, .altBeacon, .eddystoneUID, .eddystoneEID: break
            }
            guard let id = BeaconID(frame) ?? resolver.identity(of: frame, at: time) else { return }
            if frames.0 == nil {
                (frames.0, powers.0) = (id, frame.powerAtOneMetre)
            } else if frames.1 == nil {
                (frames.1, powers.1) = (id, frame.powerAtOneMetre)
            }
        }
        let beacon = resolver.resolve(address: report.address, frames: frames, at: time)
        var sighting = Sighting(beacon: beacon, time: time)
        sighting.rssi = report.rssi
        sighting.power = beacon.id == frames.0 ? powers.0 : beacon.id == frames.1 ? powers.1 : urlPower
        sighting.url = url
        sighting.frames = frames
        sighting.address = report.address
        let isWatched = beacon.isWatched || (url.map { resolver.currentRegistry.isWatched($0) } ?? false)
        if beacon.item != nil || isWatched || keepsAll {
            if beacon.item == nil, case .address = beacon.id {
                sighting.transmitterClass = TransmitterClass(data: data)
            }
            if let readings { sighting.telemetry = telemetry(of: readings, beacon, report.address, at: time) }
            if windows.record(sighting) {
                beacons += 1
                if let item = beacon.item, case .address = beacon.id { recordAddress(report.address, of: item) }
            }
        } else if isFirstOfInterval(beacon.id) {
            beacons += 1
        }
        return sighting
    }

    /// Records a frame's telemetry after its beacon is identified.
    private mutating func telemetry(
        of frame: BeaconFrame, _ beacon: IdentityResolver.Resolution, _ address: DeviceAddress, at time: Timestamp
    ) -> Telemetry {
        guard let item = beacon.item else { return Telemetry(frame) }
        let name = name(of: item)
        return resolver.open(frame, of: name, from: address, at: time).map { Telemetry($0) } ?? Telemetry()
    }

    /// Records an item with a device that changes the address by which it is registered (Core Vol 6 Part B 1.3.2.2).
    private mutating func recordAddress(_ address: DeviceAddress, of item: Int32) {
        guard address.randomSubtype == .resolvable || address.randomSubtype == .nonResolvable,
            changing.count < NodePipeline.keyProblemBound
        else { return }
        changing.insert(name(of: item))
    }

    private func name(of item: Int32) -> String { resolver.currentRegistry.items[Int(item)].id }

    private mutating func isFirstOfInterval(_ stranger: BeaconID) -> Bool {
        let seq = windows.seq
        return heard.withValue(forKey: stranger, initial: { 0 }) { last in
            defer { last = seq }
            return last != seq
        }
    }
}
