public import BeaconFrames

/// Finds the regions of a beacon at a cost that does not grow with the number of regions it isn't in.
///
/// Each kind of wildcard is a level of its own, looked up by hash: an identity is in at most three patterns, an address
/// in as many prefixes as there are different lengths (at most `URLPattern.maximumLength`).
public struct RegionIndex: Sendable {
    private var patterns: [BeaconPattern: [Int32]] = [:]
    private var items: [Int32: [Int32]] = [:]
    private var urls = URLIndex()
    /// A Boolean value that is true if any region watches addresses of devices. Most nodes have none and skip the
    /// look-up.
    public private(set) var watchesAddresses = false
    /// A Boolean value that is true if any region watches web addresses.
    public private(set) var watchesURLs = false

    /// An index of regions over items, both identified by their indices.
    init(regions: [Region], items: [Item]) {
        var byItem: [String: [Int32]] = [:]
        var byTag: [String: [Int32]] = [:]
        for (place, region) in regions.enumerated() {
            let place = Int32(place)
            switch region.members {
            case .beacons(let pattern):
                patterns[pattern, default: []].append(place)
                if case .address = pattern { watchesAddresses = true }
            case .item(let id): byItem[id, default: []].append(place)
            case .tag(let tag): byTag[tag, default: []].append(place)
            case .url(let pattern):
                urls.insert(pattern, place)
                watchesURLs = true
            }
        }
        guard !byItem.isEmpty || !byTag.isEmpty else { return }
        for (index, item) in items.enumerated() {
            var places = byItem[item.id] ?? []
            for tag in item.tags { places += byTag[tag] ?? [] }
            if !places.isEmpty { self.items[Int32(index)] = places }
        }
    }

    /// Passes the index of every region whose pattern holds an identity to `body`.
    public func forEachRegion(of id: BeaconID, _ body: (Int32) -> Void) {
        if patterns.isEmpty { return }
        if case .address = id, !watchesAddresses { return }
        _ = id.isInAnyPattern { pattern in
            if let places = patterns[pattern] {
                for place in places { body(place) }
            }
            return false
        }
    }

    /// Passes the index of every region that watches a registered item, by its id or one of its tags, to `body`.
    public func forEachRegion(ofItem item: Int32, _ body: (Int32) -> Void) {
        guard let places = items[item] else { return }
        for place in places { body(place) }
    }

    /// Passes the index of every region that watches a web address to `body`.
    public func forEachRegion(of url: EncodedURL, _ body: (Int32) -> Void) {
        if watchesURLs { urls.forEachRegion(of: url.text, body) }
    }

    /// Returns true if any region's pattern holds an identity.
    public func isWatched(_ id: BeaconID) -> Bool {
        if patterns.isEmpty { return false }
        if case .address = id, !watchesAddresses { return false }
        return id.isInAnyPattern { patterns[$0] != nil }
    }

    /// Returns true if any region watches a registered item.
    public func isWatched(item: Int32) -> Bool { !items.isEmpty && items[item] != nil }

    /// Returns true if any region watches a web address.
    public func isWatched(_ url: EncodedURL) -> Bool {
        var isWatched = false
        forEachRegion(of: url) { _ in isWatched = true }
        return isWatched
    }
}
