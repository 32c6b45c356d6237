internal import Bytes

/// The result of a `replay`: the retained events up to here were published again, with their range.
public struct ReplayReport: Hashable, Sendable {
    /// The requested epoch.
    public var epoch: String
    /// The first retained number; lower ones can't be published again. Nil if none is retained.
    public var first: UInt64?
    /// The last number of the epoch; nil if the epoch is unknown, as after its database was lost: the events received
    /// earlier are all that will ever exist, and the request has failed.
    public var last: UInt64?
    /// The number from which a client continues; nil if this was all.
    public var next: UInt64?

    /// The known epochs, the present one last; given if the requested one is none of them.
    public var kept: [String] = []

    /// A report by all its values.
    public init(epoch: String, first: UInt64?, last: UInt64?, next: UInt64?) {
        self.epoch = epoch
        self.first = first
        self.last = last
        self.next = next
    }

    /// The report on an unknown epoch, with the known ones, the present one last.
    public init(unknown epoch: String, kept: [String]) {
        self.init(epoch: epoch, first: nil, last: nil, next: nil)
        self.kept = Array(kept.suffix(Self.keptLimit))
    }

    /// The maximum number of epochs that a report names; the latest are named.
    public static let keptLimit = 16

    /// The reason why nothing was published; nil if the epoch is known.
    public var failure: String? {
        guard last == nil else { return nil }
        let words = "nothing is kept of the epoch '\(ItemReader.short(epoch))'"
        guard let present = kept.last else { return words }
        let former = kept.dropLast().map { ", before it '\(ItemReader.short($0))'" }.reversed().joined()
        return "\(words); the epoch now is '\(ItemReader.short(present))'\(former)"
    }
}

extension ReplayReport: WireObject {
    static var blank: Self { Self(epoch: "", first: nil, last: nil, next: nil) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("epoch", &epoch)
        try fields.field("first_seq", &first)
        try fields.field("last_seq", &last)
        try fields.field("next_seq", &next)
        try fields.field("epochs", &kept, unless: [])
    }

    mutating func normalize() { kept = Array(kept.prefix(Self.keptLimit)) }
}
