internal import Advertising
internal import BeaconFrames
internal import Identity

/// What a monitor knows of a beacon that a region watches.
struct WatchedBeacon: Sendable {
    /// That a beacon belongs to a region, and whether it is inside now.
    struct Membership: Sendable {
        var region: Int32
        var isInside = false
        /// Where the beacon doesn't show what the region watches any more (another address, another web address): when
        /// it did last, on the line and in microseconds listened.
        var lastShown: (line: Int64, listened: Int64)?
    }

    let id: BeaconID
    var item: Int32?
    /// What it showed last, so that the regions are asked only when it shows something else.
    var address: DeviceAddress?
    var frames: (BeaconID?, BeaconID?) = (nil, nil)
    var url: EncodedURL?
    /// When it was heard last, on the line and in microseconds listened.
    var last: Int64
    var lastListened: Int64
    /// When its last advertising event began, of which it may have sent more than one packet; in microseconds listened.
    var eventListened: Int64
    /// The deadline that counts, in microseconds listened; `.max` for none.
    var deadline = Int64.max
    var rule: ExitRule
    var memberships: [Membership] = []
    /// How many regions it is inside of.
    var insideCount: Int32 = 0
    /// Whether the regions must be asked again, whatever it shows.
    var isUnasked = true
    var isDirty = false

    init(id: BeaconID, item: Int32?, line: Int64, listened: Int64, rule: ExitRule) {
        self.id = id
        self.item = item
        last = line
        lastListened = listened
        eventListened = listened
        self.rule = rule
    }

    /// Whether a report shows nothing but what the regions were asked for already.
    func hasShown(_ hearing: Hearing, addressesMatter: Bool, urlsMatter: Bool) -> Bool {
        if isUnasked || item != hearing.beacon.item { return false }
        if let frame = hearing.frames.0, frame != id, frame != frames.0, frame != frames.1 { return false }
        if let frame = hearing.frames.1, frame != id, frame != frames.0, frame != frames.1 { return false }
        if addressesMatter, let shown = hearing.address, shown != address { return false }
        if urlsMatter, let shown = hearing.url, shown != url { return false }
        return true
    }

    /// Remembers what a report shows.
    mutating func show(_ hearing: Hearing) {
        isUnasked = false
        item = hearing.beacon.item
        for case let frame? in [hearing.frames.0, hearing.frames.1]
        where frame != id && frame != frames.0 && frame != frames.1 {
            frames = (frame, frames.0)
        }
        if let shown = hearing.address { address = shown }
        if let shown = hearing.url { url = shown }
    }

    /// Takes over what the same transmitter has shown by another identity.
    mutating func inherit(_ other: WatchedBeacon) {
        url = other.url ?? url
        frames = other.id.rank > 0 ? (other.id, other.frames.0) : other.frames
    }

    /// The places of all regions that watch what it shows, in order.
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
