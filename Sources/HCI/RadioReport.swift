public import Advertising

/// How a radio does: what `info` and a doctor show of it.
public struct RadioReport: Hashable, Sendable {
    /// What it does.
    public enum State: String, Sendable {
        /// It listens.
        case scanning
        /// It waits for its adapter.
        case waiting
        /// It is being set up, or taken back from another program.
        case starting
        /// Something is being tried to make it hear again.
        case recovering
    }

    /// What it does.
    public var state = State.waiting
    /// What is wrong; nil while nothing is.
    public var problem: RadioFault?
    /// The adapter's name, such as `hci0`; nil where none is open.
    public var adapter: String?
    /// The adapter's address.
    public var address: DeviceAddress?
    /// What its controller offers: `extended`, `coded`.
    public var features: [String] = []
    /// How often each rung of the ladder was tried, by its name.
    public var tried: [RecoveryLadder.Rung: Int] = [:]
    /// How often each rung helped.
    public var helped: [RecoveryLadder.Rung: Int] = [:]
    /// How often a scan was taken back from other programs.
    public var takenBack = 0

    /// A radio that hasn't begun.
    public init() {}
}
