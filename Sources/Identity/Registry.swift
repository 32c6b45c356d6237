public import BeaconFrames
internal import Bytes
internal import Crypto

/// The items and regions of a node.
public struct Registry: Sendable {
    /// The items, in order of their ids.
    public let items: [Item]
    /// The regions, in order of their ids.
    public let regions: [Region]
    /// A digest of the items: 16 hexadecimal digits over ids and identities, the same on every node.
    public let digest: String
    /// The keys on this node, by the ids of their items.
    public let keys: [String: ItemKey]
    private let itemByIdentity: [BeaconID: Int32]
    /// The regions of a beacon.
    public let regionIndex: RegionIndex

    /// A registry of these items and regions. An identity of two items belongs to the first id.
    ///
    /// - Parameter keys: The keys by the ids of items. Those without an item, or of another kind than its item's, are
    ///   ignored.
    public init(items: [Item] = [], regions: [Region] = [], keys: [String: ItemKey] = [:]) {
        self.items = items.sorted { $0.id < $1.id }
        self.regions = regions.sorted { $0.id < $1.id }
        var itemByIdentity: [BeaconID: Int32] = [:]
        var lines = ""
        var known: [String: ItemKey] = [:]
        for (index, item) in self.items.enumerated() {
            // The identity given by a key is the same on every node, with or without the key.
            let identities = item.identities + [item.keyIdentity].compactMap { $0 }
            for identity in identities where itemByIdentity[identity] == nil {
                itemByIdentity[identity] = Int32(index)
            }
            if let key = keys[item.id], key.kind == item.key { known[item.id] = key }
            lines += "\(item.id)=\(identities.map(\.text).sorted().joined(separator: ","))\n"
        }
        self.itemByIdentity = itemByIdentity
        self.keys = known
        regionIndex = RegionIndex(regions: self.regions, items: self.items)
        digest = SHA256.hex(lines, digits: 16)
    }

    /// The item of an id, as an index of `items`.
    func place(ofItem id: String) -> Int32? {
        let place = items.partitionPoint(where: { $0.id < id })
        return place < items.count && items[place].id == id ? Int32(place) : nil
    }

    /// The item with an identity, as an index of `items`.
    public func item(showing id: BeaconID) -> Int32? {
        itemByIdentity.isEmpty ? nil : itemByIdentity[id]
    }

    /// Returns true if any region watches an identity; the cost does not grow with the number of regions.
    public func isWatched(_ id: BeaconID) -> Bool { regionIndex.isWatched(id) }

    /// Returns true if any region watches a web address.
    public func isWatched(_ url: EncodedURL) -> Bool {
        regionIndex.isWatched(url)
    }
}
