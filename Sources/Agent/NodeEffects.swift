public import Identity
public import Presence
public import WireProtocol

/// What came of a stretch of time, to be kept and told.
public struct NodeEffects: Sendable {
    /// Events in their order; the ledger gives them epoch and seq.
    public var events: [NodeEvent] = []
    /// The number of the interval in which it came.
    public var interval: UInt64 = 0
    /// Regions that stand otherwise than before, retained.
    public var regions: [(region: String, report: RegionReport)] = []
    /// What is to be remembered over a restart.
    public var record: PresenceRecord
    /// What alerts and offers remember from now on; nil where that is nothing new.
    public var memory: String?
    /// What is remembered of the radio's alert from now on, nothing where it is empty; nil where that is nothing new.
    var radio: String?
    /// What is to be known again of keys, by item.
    public var keys: [String: KeyMemory] = [:]
    /// What is to be done, once all of this is kept.
    var actions: [NodeAction] = []

    /// Whether nothing is to be kept or told.
    public var isEmpty: Bool {
        events.isEmpty && regions.isEmpty && record.regions.isEmpty && record.beacons.isEmpty
            && record.removedRegions.isEmpty && record.removedBeacons.isEmpty && memory == nil && radio == nil
            && keys.isEmpty && actions.isEmpty
    }
}
