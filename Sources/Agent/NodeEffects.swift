public import Identity
public import Presence
public import WireProtocol

/// The results of a period of time, to be stored and published.
public struct NodeEffects: Sendable {
    /// Events in their order; the ledger assigns their epoch and seq.
    public var events: [NodeEvent] = []
    /// The number of the interval in which they occurred.
    public var interval: UInt64 = 0
    /// Regions with a changed state, retained.
    public var regions: [(region: String, report: RegionReport)] = []
    /// The state to be restored after a restart.
    public var record: PresenceRecord
    /// The new state of alerts and offers; nil if it is unchanged.
    public var memory: String?
    /// The new state of the radio's alert, empty for none; nil if it is unchanged.
    var radio: String?
    /// The state of keys to persist, by item.
    public var keys: [String: KeyMemory] = [:]
    /// The actions, after all of this is stored.
    var actions: [NodeAction] = []

    /// True if there is nothing to store or to publish.
    public var isEmpty: Bool {
        events.isEmpty && regions.isEmpty && record.regions.isEmpty && record.beacons.isEmpty
            && record.removedRegions.isEmpty && record.removedBeacons.isEmpty && memory == nil && radio == nil
            && keys.isEmpty && actions.isEmpty
    }
}
