/// The counters of an ``AdvertisingReportDecoder``, from its beginning.
public struct AdvertisingCounters: Hashable, Sendable, BitwiseCopyable {
    /// LE (Extended) Advertising Report events, malformed ones among them.
    public var events: UInt64 = 0
    /// Events of other kinds, which were ignored.
    public var otherEvents: UInt64 = 0
    /// Reports delivered; fragments joined to one report count once.
    public var reports: UInt64 = 0
    /// Reports and events that were malformed: one for each fault.
    public var malformed: UInt64 = 0
    /// Fragments that became part of a delivered report.
    public var fragmentsJoined: UInt64 = 0
    /// Fragments dropped: too long together, expired, too many sets at a time, or abandoned.
    public var fragmentsDropped: UInt64 = 0
    /// Reports delivered with data that the controller had truncated.
    public var truncatedByController: UInt64 = 0

    /// All zero.
    public init() {}
}
