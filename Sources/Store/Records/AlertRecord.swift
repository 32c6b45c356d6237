public import Bytes

/// An alert that stands open.
public struct AlertRecord: Hashable, Sendable {
    /// The alert's id.
    public var id: String
    /// Since when it is open.
    public var openedAt: Timestamp
    /// When it was last told; nil before the first time.
    public var toldAt: Timestamp?
    /// How often it was told.
    public var told: UInt32
    /// Until when it is silenced.
    public var silencedUntil: Timestamp?
    /// Whatever else the caller keeps of it, in its own form.
    public var detail: [UInt8]

    /// An alert by all its values.
    public init(
        id: String, openedAt: Timestamp, toldAt: Timestamp? = nil, told: UInt32 = 0, silencedUntil: Timestamp? = nil,
        detail: [UInt8] = []
    ) {
        self.id = id
        self.openedAt = openedAt
        self.toldAt = toldAt
        self.told = told
        self.silencedUntil = silencedUntil
        self.detail = detail
    }
}
