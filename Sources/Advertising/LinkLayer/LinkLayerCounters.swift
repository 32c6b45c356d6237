/// The counters of a ``LinkLayerReceiver``, from its beginning.
public struct LinkLayerCounters: Hashable, Sendable, BitwiseCopyable {
    /// Packets of any kind.
    public var packets: UInt64 = 0
    /// Packets that were not used because their CRC is wrong.
    public var crcFailures: UInt64 = 0
    /// Packets that were not used because they are still whitened.
    public var whitened: UInt64 = 0
    /// Packets cut off, or with fields that the specification doesn't allow.
    public var malformed: UInt64 = 0
    /// Requests and responses that advertise nothing: SCAN_REQ, CONNECT_IND and their extended forms.
    public var requests: UInt64 = 0
    /// Packets of periodic advertising, of connections and of isochronous streams.
    public var other: UInt64 = 0
    /// Extended advertisements that were announced on a primary channel, but lack their AUX_ADV_IND.
    public var unanswered: UInt64 = 0
    /// Packets on secondary channels without the packet that announces them, and without an address.
    public var orphans: UInt64 = 0
    /// Extended advertisements reported as truncated because an AUX_CHAIN_IND is missing.
    public var truncated: UInt64 = 0

    /// All zero.
    public init() {}
}
