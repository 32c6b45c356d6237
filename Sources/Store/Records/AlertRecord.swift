public import Bytes

/// An open alert.
public struct AlertRecord: Hashable, Sendable {
    /// The alert's id.
    public var id: String
    /// The time of its opening.
    public var openedAt: Timestamp
    /// The time of its last notice; nil before the first one.
    public var toldAt: Timestamp?
    /// The number of its notices.
    public var told: UInt32
    /// The end of its silence.
    public var silencedUntil: Timestamp?
    /// Further state, in the caller's form.
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
