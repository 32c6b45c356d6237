internal import Bytes
internal import Configuration
internal import Web
internal import WireProtocol

/// `/api/truth`: the rooms in which an item truly is, and what the answers are worth by them.
enum TruthResource {
    /// A mark may be of so many seconds ago, since a connection may have been lost meanwhile.
    static let oldest = 0.0...600.0

    static let routes = [
        Route(
            method: .post, path: ["api", "truth"], role: .viewer,
            summary: "Records the room in which an item truly is from now on, or, without a room, the end of the walk.",
            body: .init(
                meaning: "The item, its room or null, and how many seconds ago it came there.",
                keys: ["item": .id, "room": .idOrNull, "ago": .number(oldest)], required: ["item", "room"]),
            refusals: [400, 404, 409, 415, 422, 503]
        ) { call throws(Problem) in try call.ask(.truth(try mark(call.request.body.span))) },
        Route(
            method: .get, path: ["api", "truth", ":item"], role: .viewer,
            summary: "Shows an item's marks, and accuracy, flaps and lag of the answers during its last walk.",
            refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.truth(.report(item: try call.id("item")))) },
        Route(
            method: .get, path: ["api", "truth", ":item", "truth.csv"], role: .viewer,
            summary: "Shows an item's marks as a table that whereabouts locate reads.", success: (200, "text/csv"),
            refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.truth(.table(item: try call.id("item")))) },
        Route(
            method: .delete, path: ["api", "truth", ":item"], role: .operator, summary: "Deletes an item's marks.",
            refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.truth(.forget(item: try call.id("item")))) },
    ]

    private static func mark(_ body: Span<UInt8>) throws(Problem) -> TruthRequest {
        var (item, room, ago) = (String?.none, String?.none, 0.0)
        var hasRoom = false
        var unknown: String?
        do throws(JSONFault) {
            var reader = JSONReader(body)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "item": item = try reader.string()
                case "room":
                    hasRoom = true
                    room = reader.null() ? nil : try reader.string()
                case "ago": ago = try reader.number()
                default:
                    unknown = unknown ?? key
                    try reader.skip()
                }
            }
            try reader.end()
        } catch {
            throw Problem(400, "The body is not the expected JSON: \(error).")
        }
        if let unknown {
            throw Problem(422, "The body has an unknown key '\(unknown.prefix(40))'; known are ago, item, room.")
        }
        guard let item, Identifier.isValid(item) else { throw Problem(422, "'item' must be the id of an item.") }
        guard hasRoom else { throw Problem(422, "'room' is missing: give the id of a room, or null to end the walk.") }
        guard room.map(Identifier.isValid) ?? true else {
            throw Problem(422, "'room' must be the id of a room, or null to end the walk.")
        }
        guard oldest.contains(ago) else {
            throw Problem(
                422, "'ago' must be from 0 to \(Int(oldest.upperBound)) seconds: what is older is not recorded.")
        }
        return .mark(item: item, room: room, ago: .milliseconds(Int64(ago * 1000)))
    }
}
