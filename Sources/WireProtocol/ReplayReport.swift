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

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("epoch", epoch)
        if let first { json.field("first_seq", first) }
        if let last { json.field("last_seq", last) }
        if let next { json.field("next_seq", next) }
        if !kept.isEmpty {
            json.beginArray("epochs")
            for epoch in kept { json.value(epoch) }
            json.endArray()
        }
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
            case "epochs":
                report.kept = []
                try json.beginArray()
                while try json.nextElement() {
                    let epoch = try json.string()
                    if report.kept.count < keptLimit { report.kept.append(epoch) }
                }
            default: try json.skip()
            }
        }
        return report
    }
}
