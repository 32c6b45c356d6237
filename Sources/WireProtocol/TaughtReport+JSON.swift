internal import Bytes

/// The keys of a report stand in its answer itself.
extension TaughtReport: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("lessons", &lessons)
        try fields.field("left_out", &leftOut)
        try fields.field("rooms", &rooms)
        try fields.field("running", &running)
        try fields.field("learning", &isLearning)
        try fields.field("kept", &isKept)
        try fields.number("right", &right, decimals: 3, in: .share)
    }
}

extension TaughtReport.Lesson: WireObject {
    static var blank: Self {
        Self(id: "", item: "", room: "", taughtAt: Timestamp(microseconds: 0), seconds: 0, packets: 0, walk: nil)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("id", &id)
        try fields.field("item", &item)
        try fields.field("room", &room)
        try fields.field("taught_at", &taughtAt)
        try fields.number("seconds", &seconds, decimals: 1, in: .duration)
        try fields.field("packets", &packets)
        try fields.field("walk", &walk)
        try fields.field("left_out", &leftOut)
    }
}

extension TaughtReport.LeftOut: WireObject {
    static var blank: Self { Self(item: "", room: "", taughtAt: Timestamp(microseconds: 0), seconds: 0, why: "") }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("item", &item)
        try fields.field("room", &room)
        try fields.field("taught_at", &taughtAt)
        try fields.number("seconds", &seconds, decimals: 1, in: .duration)
        try fields.field("why", &why)
    }
}

extension TaughtReport.Room: WireObject {
    static var blank: Self { Self(id: "", seconds: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("id", &id)
        try fields.number("seconds", &seconds, decimals: 1, in: .duration)
        try fields.field("next_to", &nextTo)
        try fields.field("teach_again", &isStale, unless: false)
        try fields.number("right", &right, decimals: 3, in: .share)
        try fields.field("taken_for", &takenFor)
    }
}
