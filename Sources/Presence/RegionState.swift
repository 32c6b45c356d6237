public import Bytes
public import Identity
public import WireProtocol

/// A transition of a region: it was determined, or a beacon crossed its border.
public struct Transition: Hashable, Sendable {
    /// The kind of transition.
    public var kind: NodeEvent.Kind
    /// The region's state after it.
    public var state: RegionReport.State
    /// The region, as an index of the registry's regions.
    public var region: Int32
    /// The region's id.
    public var regionID: String
    /// The beacon that caused it; nil if there is none, as for a region found empty.
    public var beacon: BeaconID?
    /// The beacon's item, as an index of the registry's items.
    public var item: Int32?
    /// The time of the decision: for an exit, its last packet and exit time, and the gaps in listening in between.
    public var at: Timestamp
    /// The earliest possible time: for an exit, its last packet; for an arrival after a gap in listening, the beginning
    /// of the gap.
    public var notBefore: Timestamp
    /// A Boolean value that is true if it is to be published as an event by the region's settings. A determination
    /// always is.
    public var isNotified: Bool
}
