internal import Bytes

/// The changes of a node's settings by a `set` command; nil leaves one unchanged.
public struct NodeChanges: Hashable, Sendable {
    /// The change of one setting.
    public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
        /// It has this value from now on, which overrides the configuration file.
        case override(Value)
        /// Restores the value of the configuration file, requested by `null`.
        case restore
    }

    /// The length of an interval: 100 ms to 60 s in whole milliseconds.
    public var window: Change<Duration>?
    /// True to publish all beacons, false to publish registered ones only.
    public var publishesAll: Change<Bool>?
    /// The silence after which regions are left that have no exit time of their own: 1 s to a day.
    public var exitAfter: Change<Duration>?
    /// Decibels added to every level that the adapter reports: -40 to 40.
    public var offset: Change<Int>?

    /// No changes.
    public init() {}

    /// A Boolean value that is true if nothing changes.
    public var isEmpty: Bool { self == NodeChanges() }
}

/// Settings of a node that override its configuration file, as `set` commands have left them; nil for none.
public struct NodeOverrides: Hashable, Sendable {
    /// The length of an interval.
    public var window: Duration?
    /// True if all beacons are published, false for registered ones only.
    public var publishesAll: Bool?
    /// The silence after which regions are left that have no exit time of their own.
    public var exitAfter: Duration?
    /// Decibels added to every level that the adapter reports.
    public var offset: Int?

    /// None.
    public init() {}

    /// These with some changes.
    public func applying(_ changes: NodeChanges) -> NodeOverrides {
        var result = self
        Self.apply(changes.window, to: &result.window)
        Self.apply(changes.publishesAll, to: &result.publishesAll)
        Self.apply(changes.exitAfter, to: &result.exitAfter)
        Self.apply(changes.offset, to: &result.offset)
        return result
    }

    /// The command that creates these settings from none: the form in which they are stored over a restart.
    public var changes: NodeChanges {
        var changes = NodeChanges()
        changes.window = window.map { .override($0) }
        changes.publishesAll = publishesAll.map { .override($0) }
        changes.exitAfter = exitAfter.map { .override($0) }
        changes.offset = offset.map { .override($0) }
        return changes
    }

    /// The keys of the settings that are present, as `set` names them.
    public var keys: [String] {
        let all = [
            ("window", window != nil), ("publish", publishesAll != nil), ("exit_after", exitAfter != nil),
            ("offset_db", offset != nil),
        ]
        return all.filter(\.1).map(\.0)
    }

    private static func apply<Value>(_ change: NodeChanges.Change<Value>?, to value: inout Value?) {
        switch change {
        case .override(let new): value = new
        case .restore: value = nil
        case nil: break
        }
    }
}
