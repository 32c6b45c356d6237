public import BeaconFrames
internal import Crypto

/// The items and regions that a node knows.
public struct Registry: Sendable {
    /// The items, in order of their ids.
    public let items: [Item]
    /// The regions, in order of their ids.
    public let regions: [Region]
    /// Tells one set of items from another: 16 hexadecimal digits over ids and identities, the same on every node.
    public let digest: String
    private let itemByIdentity: [BeaconID: Int32]
    /// The regions of a beacon.
    public let regionIndex: RegionIndex

    /// A registry of these items and regions. Where two items show one identity, the first id has it.
    public init(items: [Item] = [], regions: [Region] = []) {
        self.items = items.sorted { $0.id < $1.id }
        self.regions = regions.sorted { $0.id < $1.id }
        var itemByIdentity: [BeaconID: Int32] = [:]
        var lines = ""
        for (index, item) in self.items.enumerated() {
            for identity in item.identities where itemByIdentity[identity] == nil {
                itemByIdentity[identity] = Int32(index)
            }
            lines += "\(item.id)=\(item.identities.map(\.text).sorted().joined(separator: ","))\n"
        }
        self.itemByIdentity = itemByIdentity
        regionIndex = RegionIndex(regions: self.regions, items: self.items)
        digest = SHA256.hex(lines, digits: 16)
    }

    /// The item that shows an identity, as an index of `items`.
    public func item(showing id: BeaconID) -> Int32? {
        itemByIdentity.isEmpty ? nil : itemByIdentity[id]
    }

    /// Whether any region watches an identity; the cost does not grow with the number of regions.
    public func isWatched(_ id: BeaconID) -> Bool { regionIndex.isWatched(id) }

    /// Whether any region watches a web address.
    public func isWatched(_ url: EncodedURL) -> Bool {
        regionIndex.isWatched(url)
    }
}
