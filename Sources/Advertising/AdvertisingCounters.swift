/// What an ``AdvertisingReportDecoder`` has seen. All count from its beginning.
public struct AdvertisingCounters: Hashable, Sendable, BitwiseCopyable {
    /// LE (Extended) Advertising Report events, malformed ones among them.
    public var events: UInt64 = 0
    /// Events of other kinds, which were passed over.
    public var otherEvents: UInt64 = 0
    /// Reports delivered; fragments joined to one report count once.
    public var reports: UInt64 = 0
    /// Reports and events that were malformed: one for each fault.
    public var malformed: UInt64 = 0
    /// Fragments that became part of a delivered report.
    public var fragmentsJoined: UInt64 = 0
    /// Fragments thrown away: too long together, too old, too many sets at once, or given up.
    public var fragmentsDropped: UInt64 = 0
    /// Reports delivered whose data the controller had truncated.
    public var truncatedByController: UInt64 = 0

    /// All zero.
    public init() {}
}
