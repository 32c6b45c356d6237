public import Bytes
public import WireProtocol

/// The state of a node that its `info` describes beside the settings, maintained by the caller.
public struct NodeDescription: Sendable {
    /// The id of this run's counts.
    public internal(set) var epoch: String
    /// The program's start by the current setting of the wall clock.
    public var started: Timestamp
    /// Its clock in a replay or a simulation.
    public var clock: NodeClock?
    /// The state of its radio, if it has one.
    public var radio: RadioStatus?
    /// True if its status returns from the broker.
    public var isStatusReadBack = true
    /// The current problems, a sentence each.
    public var problems: [String] = []
    /// The last upgrade by command; nil if there is no helper for that.
    public var upgrade: UpgradeReport?
    /// The findings about the registry.
    private var findings = RegistryFindings()

    init(epoch: String, started: Timestamp) {
        self.epoch = epoch
        self.started = started
    }

    /// The published clock; nil for the wall clock.
    var publishedClock: NodeClock? { clock.flatMap { $0.isWall ? nil : $0 } }

    /// Sets the findings about the registry; returns true if they are new.
    public mutating func use(_ findings: RegistryFindings) -> Bool {
        defer { self.findings = findings }
        return findings != self.findings
    }

    /// The node's description with its settings and the digest of its registry.
    func info(_ settings: NodeSettings, registry digest: String) -> NodeInfo {
        var info = NodeInfo(
            version: settings.version, room: settings.room, adapter: settings.adapter, started: started, epoch: epoch,
            window: settings.window.seconds, publishesAll: settings.publishesAll, registry: digest)
        info.clock = publishedClock
        info.exitAfter = settings.exitAfter?.seconds
        info.offset = settings.offset
        info.overridden = settings.overridden
        info.espresense = settings.espresense
        info.area = settings.area
        info.isStatusReadBack = isStatusReadBack
        findings.describe(in: &info)
        info.problems = problems
        info.upgrade = upgrade
        if let radio {
            info.radio = radio
            info.adapter = radio.adapter ?? info.adapter
            (info.address, info.features) = (radio.address, radio.features)
        }
        return info
    }
}
