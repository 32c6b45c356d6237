internal import Bytes

/// The changes of a node's settings by a `set` command; nil leaves one unchanged.
public struct NodeChanges: Hashable, Sendable {
    /// The length of an interval: 100 ms to 60 s in whole milliseconds.
    public var window: SettingChange<Duration>?
    /// True to publish all beacons, false to publish registered ones only.
    public var publishesAll: SettingChange<Bool>?
    /// The silence after which regions are left that have no exit time of their own: 1 s to a day.
    public var exitAfter: SettingChange<Duration>?
    /// Decibels added to every level that the adapter reports: -40 to 40.
    public var offset: SettingChange<Int>?

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
        SettingChange.apply(changes.window, to: &result.window)
        SettingChange.apply(changes.publishesAll, to: &result.publishesAll)
        SettingChange.apply(changes.exitAfter, to: &result.exitAfter)
        SettingChange.apply(changes.offset, to: &result.offset)
        return result
    }

    /// The changes that create these settings from none.
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
}
