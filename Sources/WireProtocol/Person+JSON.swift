internal import Bytes

extension PersonReason: WireObject {
    static var blank: Self { Self(item: "", state: .unknown, room: nil) }

    @_lifetime(fields: copy fields)
    mutating func visit<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("item", &item)
        try fields.field("state", &state)
        try fields.field("room", &room)
        try fields.field("left_behind", &isLeftBehind, unless: false)
    }
}
