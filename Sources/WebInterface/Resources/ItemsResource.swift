internal import Bytes
internal import Configuration
internal import Identity
internal import Web
internal import WireProtocol

/// `/api/items/{id}`: what the fuser answers of an item, and changes of its entry.
enum ItemsResource {
    static let routes = [
        Route(
            method: .get, path: ["api", "items", ":id", "why"], role: .viewer,
            summary: "Explains the location of an item, as the command why does.", refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.command(.why(item: try call.id("id")))) },
        Route(
            method: .get, path: ["api", "items", ":id", "history"], role: .viewer,
            summary: "Lists the visits of an item, as the command history does.",
            parameters: [
                .init(name: "from", kind: .number(Call.moments), meaning: "The beginning, in Unix seconds."),
                .init(name: "to", kind: .number(Call.moments), meaning: "The end, in Unix seconds."),
            ], refusals: [400, 404, 409, 503]
        ) { call throws(Problem) in
            let (from, to) = (try call.moment("from"), try call.moment("to"))
            return try call.ask(.command(.history(item: try call.id("id"), from: from, to: to)))
        },
        Route(
            method: .put, path: ["api", "items", ":id"], role: .operator,
            summary: "Registers an item, or changes its entry.",
            body: .init(meaning: "The entry, as on items/<id>/config.", keys: nil, required: []),
            refusals: [400, 404, 409, 415, 422, 503]
        ) { call throws(Problem) in
            let id = try call.id("id")
            return try call.ask(.putItem(try entry(call.request.body.span, of: id)))
        },
        Route(
            method: .delete, path: ["api", "items", ":id"], role: .operator,
            summary: "Removes an item from the registry, everywhere.", refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.removeItem(try call.id("id"))) },
        Route(
            method: .post, path: ["api", "items", ":id", "silence"], role: .operator,
            summary: "Silences the alerts about an item for a time; 0 ends that.",
            body: .init(meaning: "The time in seconds.", keys: ["for": .number(0...2_592_000)], required: ["for"]),
            refusals: [400, 404, 409, 415, 422, 503]
        ) { call throws(Problem) in
            let action = try CommandBody.action(
                "silence", call, keys: ["for"], fixed: ["item": try call.id("id")])
            return try call.ask(.command(action))
        },
    ]
    private static func entry(_ body: Span<UInt8>, of item: String) throws(Problem) -> ItemChange {
        let change: ItemChange?
        do throws(ItemRefusal) {
            change = try ItemChange.read(body, item: item)
        } catch {
            throw Problem(422, "\(error)")
        }
        guard let change else { throw Problem(400, "The body is empty: give the entry of the item.") }
        guard case .item = change.content else {
            throw Problem(422, "An entry with 'removed' is no item: use DELETE.")
        }
        return change
    }
}
