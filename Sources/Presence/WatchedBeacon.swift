internal import Advertising
internal import BeaconFrames
internal import Bytes
internal import Identity

/// A monitor's state of a beacon that a region watches.
struct WatchedBeacon: Sendable {
    /// A beacon's membership in a region, and its presence inside.
    struct Membership: Sendable {
        var region: Int32
        var isInside = false
        /// The time of its last packet with the identity that the region watches, on the line and in listening time, if
        /// the beacon no longer sends it (another address, another web address).
        var lastShown: (line: Timestamp, listened: ListeningTime)?
    }

    let id: BeaconID
    var item: Int32?
    /// Its latest address, so that the regions are looked up only after a change.
    var address: DeviceAddress?
    var frames: (BeaconID?, BeaconID?) = (nil, nil)
    var url: EncodedURL?
    /// The time of its last packet, on the line and in listening time.
    var last: Timestamp
    var lastListened: ListeningTime
    /// The beginning of its last advertising event, which may have more than one packet.
    var eventListened: ListeningTime
    /// The valid deadline; the distant future for none.
    var deadline = ListeningTime.distantFuture
    var rule: ExitRule
    /// Its memberships, in the order of the regions.
    var memberships: [Membership] = []
    /// The number of regions that contain it.
    var insideCount: Int32 = 0
    /// A Boolean value that is true if the regions must be looked up again, for any report.
    var isUnasked = true
    var isDirty = false

    init(id: BeaconID, item: Int32?, line: Timestamp, listened: ListeningTime, rule: ExitRule) {
        self.id = id
        self.item = item
        last = line
        lastListened = listened
        eventListened = listened
        self.rule = rule
    }

    /// Returns true if a report has only identities for which the regions were looked up already.
    func hasShown(_ sighting: Sighting, addressesMatter: Bool, urlsMatter: Bool) -> Bool {
        if isUnasked || item != sighting.beacon.item { return false }
        if let frame = sighting.frames.0, frame != id, frame != frames.0, frame != frames.1 { return false }
        if let frame = sighting.frames.1, frame != id, frame != frames.0, frame != frames.1 { return false }
        if addressesMatter, let shown = sighting.address, shown != address { return false }
        if urlsMatter, let shown = sighting.url, shown != url { return false }
        return true
    }

    /// Records the identities of a report.
    mutating func show(_ sighting: Sighting) {
        isUnasked = false
        item = sighting.beacon.item
        for case let frame? in [sighting.frames.0, sighting.frames.1]
        where frame != id && frame != frames.0 && frame != frames.1 {
            frames = (frame, frames.0)
        }
        if let shown = sighting.address { address = shown }
        if let shown = sighting.url { url = shown }
    }

    /// Inherits the identities of the same transmitter under another name.
    mutating func adoptIdentities(_ other: WatchedBeacon) {
        url = other.url ?? url
        frames = other.id.rank > 0 ? (other.id, other.frames.0) : other.frames
    }

    /// The indices of all regions that watch its identities, in order.
    func regions(_ index: RegionIndex) -> [Int32] {
        var places: [Int32] = []
        index.forEachRegion(of: id) { places.append($0) }
        if let frame = frames.0 { index.forEachRegion(of: frame) { places.append($0) } }
        if let frame = frames.1 { index.forEachRegion(of: frame) { places.append($0) } }
        if let address, BeaconID(address) != id { index.forEachRegion(of: BeaconID(address)) { places.append($0) } }
        if let url { index.forEachRegion(of: url) { places.append($0) } }
        if let item { index.forEachRegion(ofItem: item) { places.append($0) } }
        guard places.count > 1 else { return places }
        places.sort()
        var different: [Int32] = []
        for place in places where different.last != place { different.append(place) }
        return different
    }
}
