internal import Bytes
internal import Configuration
internal import Web
internal import WireProtocol

/// `/api/nodes/{id}/offset` and `/api/doctor`: the levels of a node, and what is wrong in the house.
enum NodesResource {
    /// The most nodes that are examined at once.
    private static let bound = 256
    /// The decibels that a node may add to its levels, as its command `set` takes them.
    private static let offsets = -40...40

    static let routes = [
        Route(
            method: .put, path: ["api", "nodes", ":id", "offset"], role: .admin,
            summary: "Sets what a node adds to its levels, as its command set does.",
            body: .init(
                meaning: "Whole decibels.", keys: ["offset_db": .integer(offsets)], required: ["offset_db"]),
            refusals: [400, 404, 409, 415, 422, 503]
        ) { call throws(Problem) in
            let node = try online(call)
            return try call.ask(.setOffset(node: node, try offset(call.request.body.span)))
        },
        Route(
            method: .delete, path: ["api", "nodes", ":id", "offset"], role: .admin,
            summary: "Restores what the configuration of a node says of its offset.", refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.setOffset(node: try online(call), nil)) },
        Route(
            method: .get, path: ["api", "doctor"], role: .viewer,
            summary: "Examines the fuser and the first \(bound) nodes, as the command doctor does.", refusals: [503]
        ) { call throws(Problem) in
            let (entries, _) = call.page.board.page(of: "nodes", after: nil, limit: bound)
            return try call.ask(.doctor(entries.map(examined)))
        },
    ]

    private static func examined(
        _ entry: (name: String, values: [(kind: String, value: [UInt8])])
    ) -> PageRequest.ExaminedNode {
        let values = Dictionary(entry.values.map { ($0.kind, $0.value) }) { one, _ in one }
        return .init(
            id: entry.name, status: values["status"].flatMap(text),
            info: values["info"].flatMap { try? NodeInfo(payload: $0.span) })
    }

    private static func text(_ json: [UInt8]) -> String? {
        var reader = JSONReader(json.span)
        return try? reader.string()
    }

    /// The node of the path, which must be connected: nobody else takes a command.
    private static func online(_ call: Call) throws(Problem) -> String {
        let id = try call.id("id")
        let node = examined((id, call.page.board.values(of: "nodes", id)))
        guard node.status != nil || node.info != nil else {
            throw Problem(404, "Nothing is published of '\(id)': see /api/nodes.")
        }
        guard node.status == "online" else {
            throw Problem(409, "The node '\(id)' is not connected: start it first, since it takes the offset itself.")
        }
        return id
    }

    private static func offset(_ body: Span<UInt8>) throws(Problem) -> Int {
        var given: Double?
        var unknown: String?
        do throws(JSONFault) {
            var reader = JSONReader(body)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                guard key == "offset_db" else {
                    unknown = unknown ?? key
                    try reader.skip()
                    continue
                }
                given = try reader.number()
            }
            try reader.end()
        } catch {
            throw Problem(400, "The body is not the expected JSON: \(error).")
        }
        if let unknown {
            throw Problem(422, "The body has an unknown key '\(unknown.prefix(40))'; known is offset_db.")
        }
        guard let given else { throw Problem(422, "'offset_db' is missing.") }
        guard let offset = Int(exactly: given), offsets.contains(offset) else {
            throw Problem(
                422, "'offset_db' must be whole decibels from \(offsets.lowerBound) to \(offsets.upperBound).")
        }
        return offset
    }
}
