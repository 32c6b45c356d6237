internal import Bytes
internal import Configuration
internal import Web

/// Reads of the board: the house, and items, rooms and nodes by the messages about them.
enum BoardResources {
    static let routes =
        [
            Route(
                method: .get, path: ["api", "house"], role: .viewer,
                summary: "Describes the house as its configuration and its plan do: rooms, nodes and persons."
            ) { call throws(Problem) in .now(.json(call.page.board.value("house") ?? Array("{}".utf8))) }
        ] + list("items", "Lists items with their entry, location, alert, telemetry and battery.")
        + one("items", "Shows an item's entry, location, alert, telemetry and battery.")
        + list("rooms", "Lists rooms with what is in them.")
        + list("nodes", "Lists nodes with status, info and health.")
        + one("nodes", "Shows a node's status, info, health and last scan.")

    /// The most names of a page, and those of one that doesn't say how many.
    private static let pageBound = 1000, pageSize = 200

    private static func list(_ collection: String, _ summary: String) -> [Route] {
        [
            Route(
                method: .get, path: ["api", .word(collection)], role: .viewer, summary: summary,
                parameters: [
                    .init(name: "after", kind: .text, meaning: "Begin behind this id."),
                    .init(
                        name: "limit", kind: .integer(1...pageBound), meaning: "The most entries, 1 to \(pageBound)."),
                ], refusals: [400]
            ) { call throws(Problem) in
                let limit = try call.integer("limit", 1...pageBound) ?? pageSize
                let (entries, isLast) = call.page.board.page(
                    of: collection, after: call.request.target.query["after"], limit: limit)
                return .now(
                    .json { json in
                        json.beginObject()
                        json.beginArray(collection)
                        for entry in entries { write(entry.name, entry.values, to: &json) }
                        json.endArray()
                        if !isLast { json.field("next", entries.last?.name) }
                        json.endObject()
                    })
            }
        ]
    }

    private static func one(_ collection: String, _ summary: String) -> [Route] {
        [
            Route(
                method: .get, path: ["api", .word(collection), ":id"], role: .viewer, summary: summary,
                refusals: [404]
            ) { call throws(Problem) in
                let id = try call.id("id")
                let values = call.page.board.values(of: collection, id)
                guard !values.isEmpty else {
                    throw Problem(404, "Nothing is published of '\(id)': see /api/\(collection).")
                }
                return .now(.json { write(id, values, to: &$0) })
            }
        ]
    }

    /// Writes `{"id":…,"location":{…},…}`: each value under its topic's last level.
    private static func write(
        _ name: String, _ values: [(kind: String, value: [UInt8])], to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("id", name)
        for (kind, value) in values { json.field(kind, json: value) }
        json.endObject()
    }
}
