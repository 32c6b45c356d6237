internal import Identity
internal import WireProtocol

/// What a monitor knows of a region. Moments lie on its line of time.
struct WatchedRegion: Sendable {
    let id: String
    let members: String
    let notifyOnEntry: Bool
    let notifyOnExit: Bool
    /// The exit time that the user gave, for it or for all regions, in microseconds.
    let exitAfter: Int64?
    /// Silence after which it is found empty, in microseconds, while none of its beacons is known.
    let patience: Int64
    var state = RegionReport.State.unknown
    var since: Int64?
    var determinedAt: Int64?
    /// Whether its state since the start must still be told.
    var isAwaited = true
    /// When it is found empty, in microseconds listened.
    var deadline: Int64 = 0
    /// The slots of the beacons inside.
    var inside: [Int32] = []
    /// The last packet of those that have left, and whose it was.
    var lastLeft: (line: Int64, beacon: BeaconID, item: Int32?)?
    var isChanged = true
    var isDirty = true

    init(_ region: Region, exitAfter: Int64?, items: [String: Item]) {
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
