public import Advertising

/// The state of a radio, as `info` and a doctor show it.
public struct RadioReport: Hashable, Sendable {
    /// The activity of a radio.
    public enum State: String, Sendable {
        /// It listens.
        case scanning
        /// It waits for its adapter.
        case waiting
        /// It is being set up, or taken back from another program.
        case starting
        /// A recovery step is being tried.
        case recovering
    }

    /// The activity.
    public var state = State.waiting
    /// The current fault; nil if there is none.
    public var problem: RadioFault?
    /// The adapter's name, such as `hci0`; nil if none is open.
    public var adapter: String?
    /// The adapter's address.
    public var address: DeviceAddress?
    /// The features of its controller: `extended`, `coded`.
    public var features: [String] = []
    /// The number of times that each rung was tried.
    public var tried: [RecoveryLadder.Rung: Int] = [:]
    /// The number of times that each rung helped.
    public var helped: [RecoveryLadder.Rung: Int] = [:]
    /// The number of times that a scan was resumed after a change by other programs.
    public var takenBack = 0

    /// A radio that hasn't begun.
    public init() {}
}
