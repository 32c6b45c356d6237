internal import Configuration
internal import Web
internal import WireProtocol

/// `/api/lessons`: teaching, as the command learn does it.
enum LessonsResource {
    static let routes = [
        Route(
            method: .get, path: ["api", "lessons"], role: .viewer, summary: "Lists the lessons and what they achieve.",
            refusals: [409, 503]
        ) { call throws(Problem) in try call.ask(.command(.learn(.list))) },
        Route(
            method: .post, path: ["api", "lessons"], role: .operator,
            summary: "Begins a lesson: the item is in the room from now on.",
            body: .init(
                meaning: "The item, its room, the time in seconds, and the id of a walk through several rooms.",
                keys: ["item": .id, "room": .id, "for": .number(5...1800), "walk": .id],
                required: ["item", "room"]), refusals: [400, 404, 409, 415, 422, 503]
        ) { call throws(Problem) in
            try call.ask(
                .command(
                    try CommandBody.action("learn", call, keys: ["item", "room", "for", "walk"], isStart: true)))
        },
        Route(
            method: .get, path: ["api", "lessons", "current", ":item"], role: .operator,
            summary: "Tells the progress of an item's lesson.", refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.command(.learn(.status(item: try call.id("item"))))) },
        Route(
            method: .delete, path: ["api", "lessons", "current", ":item"], role: .operator,
            summary: "Ends an item's lesson, and keeps it unless it is discarded.",
            parameters: [.init(name: "discard", kind: .boolean, meaning: "Keep nothing of it.")],
            refusals: [400, 404, 409, 503]
        ) { call throws(Problem) in
            let discards = try call.flag("discard")
            return try call.ask(.command(.learn(.stop(item: try call.id("item"), keeps: !discards))))
        },
        Route(
            method: .delete, path: ["api", "lessons", ":id"], role: .operator, summary: "Undoes a lesson.",
            refusals: [404, 409, 503]
        ) { call throws(Problem) in
            guard let id = call.names["id"], id.utf8.count <= 64 else {
                throw Problem(404, "There is no lesson of this id: see /api/lessons.")
            }
            return try call.ask(.command(.learn(.undo(id))))
        },
    ]
}
