public import Bytes
public import Identity
public import WireProtocol

/// What happened to a region: it was determined, or a beacon crossed its border.
public struct Transition: Hashable, Sendable {
    /// What happened.
    public var kind: NodeEvent.Kind
    /// Where that leaves the region.
    public var state: RegionReport.State
    /// The region, as an index of the registry's regions.
    public var region: Int32
    /// The region's id.
    public var regionID: String
    /// The beacon by which it happened; nil where there is none, as for a region found empty.
    public var beacon: BeaconID?
    /// The item that the beacon is, as an index of the registry's items.
    public var item: Int32?
    /// When it was so decided: an exit's last packet and exit time, and what of that time was not scanned.
    public var at: Timestamp
    /// The earliest that it can have happened: an exit's last packet; for an arrival after time not scanned, its begin.
    public var notBefore: Timestamp
    /// Whether the region asks that it be told as an event. A determination always is.
    public var isNotified: Bool
}
