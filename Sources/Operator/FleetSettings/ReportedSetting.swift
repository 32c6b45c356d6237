internal import Configuration
internal import WireProtocol

/// One changed setting in words.
struct SettingLine: Hashable {
    var key: String
    /// The value now, and the one after the change.
    var now: String, wanted: String
}

/// A setting that a `set` command can change, as its program reports it.
struct ReportedSetting<Value: Hashable & Sendable> {
    /// Its key in the file and in the command.
    let key: String
    /// Its value; nil if it has none, as a time that is learned.
    let value: Value?
    /// True if a command gave it its value, false if the program's file did.
    let isOverridden: Bool

    init(_ key: String, _ value: Value?, overridden: [String]) {
        (self.key, self.value) = (key, value)
        isOverridden = overridden.contains(key)
    }

    /// A change that the setting does not have yet; nil if it has it, or nothing changes.
    func missing(_ change: SettingChange<Value>?) -> SettingChange<Value>? {
        switch change {
        case nil: nil
        case .override(let wanted): wanted == value ? nil : change
        case .restore: isOverridden ? change : nil
        }
    }

    /// The change that gives back what it has now; nil if nothing changes.
    func reversal(of change: SettingChange<Value>?) -> SettingChange<Value>? {
        guard change != nil else { return nil }
        guard isOverridden, let value else { return .restore }
        return .override(value)
    }

    /// A change in words; nil if nothing changes.
    func line(_ change: SettingChange<Value>?, _ text: (Value) -> String) -> SettingLine? {
        guard let change else { return nil }
        let now = (value.map(text) ?? "learned") + (isOverridden ? "" : " of its file")
        switch change {
        case .override(let wanted): return SettingLine(key: key, now: now, wanted: text(wanted))
        case .restore: return SettingLine(key: key, now: now, wanted: "that of its file")
        }
    }
}

extension NodeChanges {
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
        result.window = info.windowSetting.missing(window)
        result.publishesAll = info.publishSetting.missing(publishesAll)
        result.exitAfter = info.exitSetting.missing(exitAfter)
        result.offset = info.offsetSetting.missing(offset)
        return result
    }

    /// The changes that give a node back what it has now, of the settings that these change.
    func reversal(in info: NodeInfo) -> NodeChanges {
        var result = NodeChanges()
        result.window = info.windowSetting.reversal(of: window)
        result.publishesAll = info.publishSetting.reversal(of: publishesAll)
        result.exitAfter = info.exitSetting.reversal(of: exitAfter)
        result.offset = info.offsetSetting.reversal(of: offset)
        return result
    }

    /// These changes of a node with this `info`, in the order of the keys.
    func lines(in info: NodeInfo) -> [SettingLine] {
        [
            info.windowSetting.line(window, DurationText.text),
            info.publishSetting.line(publishesAll) { $0 ? "all" : "registered" },
            info.exitSetting.line(exitAfter, DurationText.text),
            info.offsetSetting.line(offset) { "\($0)" },
        ].compactMap { $0 }
    }
}

extension NodeInfo {
    /// The length of its interval, in whole milliseconds as `set` takes it.
    fileprivate var windowSetting: ReportedSetting<Duration> {
        ReportedSetting("window", Self.milliseconds(window), overridden: overridden)
    }
    /// The beacons that it publishes.
    fileprivate var publishSetting: ReportedSetting<Bool> {
        ReportedSetting("publish", publishesAll, overridden: overridden)
    }
    /// The silence after which it leaves regions; without a value if it is learned.
    fileprivate var exitSetting: ReportedSetting<Duration> {
        ReportedSetting("exit_after", exitAfter.map(Self.milliseconds), overridden: overridden)
    }
    /// The decibels that it adds to levels.
    fileprivate var offsetSetting: ReportedSetting<Int> {
        ReportedSetting("offset_db", offset, overridden: overridden)
    }

    private static func milliseconds(_ seconds: Double) -> Duration {
        .milliseconds(Int64((min(max(seconds, 0), 1e6) * 1000).rounded()))
    }
}

extension FuserChanges {
    /// These changes, and those of others for the settings that these leave unchanged.
    func filled(from others: FuserChanges) -> FuserChanges {
        var result = self
        result.awayAfter = awayAfter ?? others.awayAfter
        result.detectsClones = detectsClones ?? others.detectsClones
        return result
    }

    /// The changes that a fuser does not have yet, by the settings in its claim.
    func missing(in settings: FuserSettings) -> FuserChanges {
        var result = FuserChanges()
        result.awayAfter = settings.awaySetting.missing(awayAfter)
        result.detectsClones = settings.cloneSetting.missing(detectsClones)
        return result
    }

    /// The changes that give a fuser back what it has now, of the settings that these change.
    func reversal(in settings: FuserSettings) -> FuserChanges {
        var result = FuserChanges()
        result.awayAfter = settings.awaySetting.reversal(of: awayAfter)
        result.detectsClones = settings.cloneSetting.reversal(of: detectsClones)
        return result
    }

    /// These changes of a fuser with these settings, in the order of the keys.
    func lines(in settings: FuserSettings) -> [SettingLine] {
        [
            settings.awaySetting.line(awayAfter, DurationText.text),
            settings.cloneSetting.line(detectsClones) { "\($0)" },
        ].compactMap { $0 }
    }
}

extension FuserSettings {
    /// The silence after which an item is away.
    fileprivate var awaySetting: ReportedSetting<Duration> {
        ReportedSetting("away_after", awayAfter, overridden: overridden)
    }
    /// The detection of identities that several transmitters send.
    fileprivate var cloneSetting: ReportedSetting<Bool> {
        ReportedSetting("detect_clones", detectsClones, overridden: overridden)
    }
}
