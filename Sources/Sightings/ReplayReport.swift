internal import Bytes

/// What came of a `replay`: the events up to here were told again, as far as they are kept, and which those are.
public struct ReplayReport: Hashable, Sendable {
    /// The epoch that was asked for.
    public var epoch: String
    /// The first number that is kept; what has a lower one can't be told again. Nil where none is.
    public var first: UInt64?
    /// The last number of the epoch; nil where nothing is known of it, as after its database was lost: whoever took its
    /// events has all that there will ever be.
    public var last: UInt64?
    /// From which number on more is to be asked for; nil where this was all.
    public var next: UInt64?

    /// A report by all its values.
    public init(epoch: String, first: UInt64?, last: UInt64?, next: UInt64?) {
        self.epoch = epoch
        self.first = first
        self.last = last
        self.next = next
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("epoch", epoch)
        if let first { json.field("first_seq", first) }
        if let last { json.field("last_seq", last) }
        if let next { json.field("next_seq", next) }
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> ReplayReport {
        var report = ReplayReport(epoch: "", first: nil, last: nil, next: nil)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "epoch": report.epoch = try json.string()
            case "first_seq": report.first = try json.integer(UInt64.self)
            case "last_seq": report.last = try json.integer(UInt64.self)
            case "next_seq": report.next = try json.integer(UInt64.self)
            default: try json.skip()
            }
        }
        return report
    }
}
