internal import Configuration
internal import WireProtocol

/// The settings that the nodes of a fleet are to have. An absent one is not managed.
struct DesiredSettings: Hashable {
    /// Those of every node.
    var all = NodeChanges()
    /// Those of single nodes, which take precedence.
    var nodes: [String: NodeChanges] = [:]

    /// The settings that one node is to have.
    func settings(of node: String) -> NodeChanges {
        nodes[node]?.filled(from: all) ?? all
    }
}

extension NodeChanges {
    /// One changed setting in words.
    struct Line: Hashable {
        var key: String
        /// The value now, and the one after the change.
        var now: String, wanted: String
    }

    /// These changes, and those of others for the settings that these leave unchanged.
    func filled(from others: NodeChanges) -> NodeChanges {
        var result = self
        result.window = window ?? others.window
        result.publishesAll = publishesAll ?? others.publishesAll
        result.exitAfter = exitAfter ?? others.exitAfter
        result.offset = offset ?? others.offset
        return result
    }

    /// The changes that a node does not have yet, by its `info`.
    func missing(in info: NodeInfo) -> NodeChanges {
        var result = NodeChanges()
        result.window = Self.missing(window, info.windowLength, "window", info)
        result.publishesAll = Self.missing(publishesAll, info.publishesAll, "publish", info)
        result.exitAfter = Self.missing(exitAfter, info.exitTime, "exit_after", info)
        result.offset = Self.missing(offset, info.offset, "offset_db", info)
        return result
    }

    /// The changes that give a node back what it has now, of the settings that these change.
    func reversal(in info: NodeInfo) -> NodeChanges {
        var result = NodeChanges()
        result.window = window.map { _ in Self.present(info.windowLength, "window", info) }
        result.publishesAll = publishesAll.map { _ in Self.present(info.publishesAll, "publish", info) }
        result.exitAfter = exitAfter.map { _ in Self.present(info.exitTime, "exit_after", info) }
        result.offset = offset.map { _ in Self.present(info.offset, "offset_db", info) }
        return result
    }

    /// These changes of a node with this `info`, in the order of the keys.
    func lines(in info: NodeInfo) -> [Line] {
        [
            Self.line("window", window, info.windowLength, info, DurationText.text),
            Self.line("publish", publishesAll, info.publishesAll, info) { $0 ? "all" : "registered" },
            Self.line("exit_after", exitAfter, info.exitTime, info, DurationText.text),
            Self.line("offset_db", offset, info.offset, info) { "\($0)" },
        ].compactMap { $0 }
    }

    private static func missing<Value>(
        _ change: SettingChange<Value>?, _ value: Value?, _ key: String, _ info: NodeInfo
    ) -> SettingChange<Value>? {
        switch change {
        case nil: nil
        case .override(let wanted): wanted == value ? nil : change
        case .restore: info.overridden.contains(key) ? change : nil
        }
    }

    private static func present<Value>(_ value: Value?, _ key: String, _ info: NodeInfo) -> SettingChange<Value> {
        guard info.overridden.contains(key), let value else { return .restore }
        return .override(value)
    }

    private static func line<Value>(
        _ key: String, _ change: SettingChange<Value>?, _ value: Value?, _ info: NodeInfo, _ text: (Value) -> String
    ) -> Line? {
        guard let change else { return nil }
        let now = value.map(text) ?? "learned"
        let origin = info.overridden.contains(key) ? "" : " of its file"
        switch change {
        case .override(let wanted): return Line(key: key, now: now + origin, wanted: text(wanted))
        case .restore: return Line(key: key, now: now + origin, wanted: "that of its file")
        }
    }
}

extension NodeInfo {
    /// The length of its interval, in whole milliseconds as `set` takes it.
    fileprivate var windowLength: Duration { Self.milliseconds(window) }
    /// The silence after which it leaves regions; nil if it is learned.
    fileprivate var exitTime: Duration? { exitAfter.map(Self.milliseconds) }

    private static func milliseconds(_ seconds: Double) -> Duration {
        .milliseconds(Int64((min(max(seconds, 0), 1e6) * 1000).rounded()))
    }
}
