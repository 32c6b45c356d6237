internal import Bytes

/// The settings of a fuser that a `set` command can change, as its claim reports them.
public struct FuserSettings: Hashable, Sendable {
    /// The valid values of `away_after`: 1 s to a day.
    static let awaySeconds = 1.0...86_400.0

    /// The silence after which an item is away.
    public var awayAfter: Duration
    /// True if items whose identity several transmitters send are detected.
    public var detectsClones: Bool
    /// The keys of those settings that a `set` command has overridden.
    public var overridden: [String] = []

    /// Settings by their values, of which none is overridden.
    public init(awayAfter: Duration, detectsClones: Bool) {
        self.awayAfter = awayAfter
        self.detectsClones = detectsClones
    }
}

/// The changes of a fuser's settings by a `set` command; nil leaves one unchanged.
public struct FuserChanges: Hashable, Sendable {
    /// The silence after which an item is away: 1 s to a day.
    public var awayAfter: SettingChange<Duration>?
    /// True to detect items whose identity several transmitters send.
    public var detectsClones: SettingChange<Bool>?

    /// No changes.
    public init() {}

    /// A Boolean value that is true if nothing changes.
    public var isEmpty: Bool { self == FuserChanges() }
}

/// Settings of a fuser that override its configuration file, as `set` commands have left them; nil for none.
public struct FuserOverrides: Hashable, Sendable {
    /// The silence after which an item is away.
    public var awayAfter: Duration?
    /// True if items whose identity several transmitters send are detected.
    public var detectsClones: Bool?

    /// None.
    public init() {}

    /// These with some changes.
    public func applying(_ changes: FuserChanges) -> FuserOverrides {
        var result = self
        SettingChange.apply(changes.awayAfter, to: &result.awayAfter)
        SettingChange.apply(changes.detectsClones, to: &result.detectsClones)
        return result
    }

    /// The changes that create these settings from none.
    public var changes: FuserChanges {
        var changes = FuserChanges()
        changes.awayAfter = awayAfter.map { .override($0) }
        changes.detectsClones = detectsClones.map { .override($0) }
        return changes
    }

    /// The keys of the settings that are present, as `set` names them.
    public var keys: [String] {
        let all = [("away_after", awayAfter != nil), ("detect_clones", detectsClones != nil)]
        return all.filter(\.1).map(\.0)
    }
}

extension FuserSettings: WireObject {
    static var blank: Self { Self(awayAfter: .zero, detectsClones: false) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.visitFields("away_after", &awayAfter) {
            $1.field("away_after", $0.seconds, decimals: 6)
        } read: { json throws(JSONFault) in
            let seconds = try json.number()
            return Self.awaySeconds.contains(seconds) ? Duration.microseconds(Int64((seconds * 1e6).rounded())) : nil
        }
        fields.require("away_after", unknown: PayloadFault.outOfRange)
        try fields.required("detect_clones", &detectsClones)
        try fields.field("overridden", &overridden)
    }
}

extension FuserChanges: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.change("away_after", &awayAfter) {
            $1.value($0.seconds, decimals: 6)
        } read: { json throws(JSONFault) in
            .microseconds(Int64((try json.number(in: FuserSettings.awaySeconds) * 1e6).rounded()))
        }
        try fields.change("detect_clones", &detectsClones) {
            $1.value($0)
        } read: { json throws(JSONFault) in
            try json.boolean()
        }
    }
}
