public import Advertising
public import Bytes

/// Resolves the beacon that sent a report, by the earlier identities of the same address.
///
/// A transmitter may have several identities, one a frame: an item's identity precedes any other, then the order of
/// `BeaconID.rank`. Reports that carry another frame, or none, belong to the same beacon and don't count.
public struct IdentityResolver: Sendable {
    /// The beacon of a report.
    public struct Resolution: Hashable, Sendable {
        /// The identity that names the beacon.
        public var id: BeaconID
        /// The registered item that it is, as an index of the registry's items.
        public var item: Int32?
        /// A Boolean value that is true if a region watches that identity.
        public var isWatched: Bool
        /// A Boolean value that is true if the report carries the frame that gives the id. Other reports add telemetry,
        /// but neither a count nor a level.
        public var counts: Bool
    }

    private struct Shown: Sendable {
        var id: BeaconID
        var rank: Int
        var item: Int32?
        var isWatched: Bool
        var generation: UInt32
        var last: Timestamp

        /// A Boolean value that is true if no other identity can precede it: a key identifies the address in every
        /// packet.
        var isFinal: Bool { rank > Self.ofEveryKey }
        private static let ofEveryKey = 104
    }

    /// The maximum number of remembered addresses; the least recently received one is evicted first. Phones change
    /// theirs every quarter of an hour, so that there is room for a crowd of a thousand four times over.
    public static let addressCapacity = 4096
    /// The time after which a preceding identity expires that an address no longer sends.
    public static let memory: Duration = .minutes(15)

    private var addresses = RecencyTable<DeviceAddress, Shown>(capacity: addressCapacity)
    private var registry: Registry
    /// The keys' resolver; nil while there are none.
    var ring: KeyRing?
    /// The learned state of keys, including those that are currently absent.
    private var learnt: [String: KeyMemory]
    /// The count of registries, so that results of an earlier one are resolved again.
    private var generation: UInt32 = 0

    /// A resolver in its initial state.
    ///
    /// - Parameter memory: The state of keys learned by an earlier run, by item.
    public init(registry: Registry, remembering memory: [String: KeyMemory] = [:]) {
        self.registry = registry
        learnt = memory
        if !registry.keys.isEmpty { ring = KeyRing(registry.keys, remembering: memory) }
    }

    /// The registry in force.
    public var currentRegistry: Registry { registry }

    /// Replaces the registry.
    public mutating func use(_ registry: Registry) {
        if let memory = ring?.memory {
            for item in self.registry.keys.keys { learnt[item] = memory[item] }
        }
        self.registry = registry
        ring = registry.keys.isEmpty ? nil : KeyRing(registry.keys, remembering: learnt)
        generation &+= 1
    }

    /// The number of addresses evicted for lack of room.
    public var evicted: UInt64 { addresses.evicted }

    /// The beacon of a report that `address` sent with these identities in its frames (none, one, seldom two).
    public mutating func resolve(
        address: DeviceAddress, frames: (BeaconID?, BeaconID?), at time: Timestamp
    ) -> Resolution {
        Self.resolve(address, frames, at: time, &addresses, &ring, registry, generation)
    }

    /// A function of its own, so that its parts are lent separately.
    private static func resolve(
        _ address: DeviceAddress, _ frames: (BeaconID?, BeaconID?), at time: Timestamp,
        _ addresses: inout RecencyTable<DeviceAddress, Shown>, _ ring: inout KeyRing?, _ registry: Registry,
        _ generation: UInt32
    ) -> Resolution {
        addresses.withValue(
            forKey: address,
            initial: {
                // An entry of an earlier generation, so that the registry is consulted: the address itself may be
                // registered.
                Shown(
                    id: BeaconID(address), rank: .min, item: nil, isWatched: false, generation: generation &- 1,
                    last: time)
            }
        ) { shown in
            if shown.generation == generation,
                frames.1 == nil && shown.id == frames.0 ?? BeaconID(address) || shown.isFinal
            {
                shown.last = time
                return Resolution(id: shown.id, item: shown.item, isWatched: shown.isWatched, counts: true)
            }
            var best = Self.shown(ring?.identity(of: address) ?? BeaconID(address), registry, generation, time)
            if let first = frames.0 { best = Self.better(best, Self.shown(first, registry, generation, time)) }
            if let second = frames.1 { best = Self.better(best, Self.shown(second, registry, generation, time)) }
            if shown.generation != generation {
                // Other keys may resolve an address to another item.
                shown = shown.isFinal ? best : Self.shown(shown.id, registry, generation, shown.last)
            }
            if best.rank >= shown.rank || time.duration(since: shown.last).magnitude > Self.memory {
                shown = best
                return Resolution(id: best.id, item: best.item, isWatched: best.isWatched, counts: true)
            }
            return Resolution(id: shown.id, item: shown.item, isWatched: shown.isWatched, counts: false)
        }
    }

    private static func shown(
        _ id: BeaconID, _ registry: Registry, _ generation: UInt32, _ time: Timestamp
    ) -> Shown {
        let item = registry.item(showing: id)
        return Shown(
            id: id, rank: id.rank + (item == nil ? 0 : 100), item: item, isWatched: registry.isWatched(id),
            generation: generation, last: time)
    }

    private static func better(_ left: Shown, _ right: Shown) -> Shown {
        right.rank > left.rank ? right : left
    }
}
