internal import Bytes
internal import Identity
internal import WireProtocol

/// A monitor's state of a region. Times are on the monitor's line.
struct WatchedRegion: Sendable {
    let id: String
    let members: String
    let notifyOnEntry: Bool
    let notifyOnExit: Bool
    /// The exit time that the user configured, for it or for all regions.
    let exitAfter: Duration?
    /// The silence after which it is determined to be empty, while none of its beacons is known.
    let patience: Duration
    var state = RegionReport.State.unknown
    var since: Timestamp?
    var determinedAt: Timestamp?
    /// A Boolean value that is true until its state since the start was reported.
    var isAwaited = true
    /// The time at which it is determined to be empty.
    var deadline = ListeningTime.zero
    /// The slots of the beacons inside.
    var inside: [Int32] = []
    /// The last packet of those that have left, and its beacon.
    var lastLeft: (line: Timestamp, beacon: BeaconID, item: Int32?)?
    var isChanged = true
    var isDirty = true

    init(_ region: Region, exitAfter: Duration?, items: [String: Item]) {
        id = region.id
        members = region.members.text
        notifyOnEntry = region.notifyOnEntry
        notifyOnExit = region.notifyOnExit
        self.exitAfter = exitAfter
        if let given = exitAfter {
            patience = given
        } else if case .item(let item) = region.members, let expected = items[item]?.expectedInterval {
            patience = ExitRule(expectedInterval: expected).exitAfter
        } else {
            patience = ExitRule.unlearned
        }
    }
}
