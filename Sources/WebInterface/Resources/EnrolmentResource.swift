internal import Bytes
internal import Configuration
internal import Web
internal import WireProtocol

/// `/api/enrolment`: the tags near a node that nobody has registered, on the topic `enrolment/<node>` of the events.
enum EnrolmentResource {
    static let routes = [
        Route(
            method: .post, path: ["api", "enrolment"], role: .operator,
            summary:
                "Asks a node for a minute for the unregistered beacons near it, on enrolment/<node> of the events.",
            body: .init(meaning: "The node.", keys: ["node": .id], required: ["node"]),
            refusals: [400, 404, 409, 415, 422, 503]
        ) { call throws(Problem) in
            let node = try node(call.request.body.span)
            try refuseAbsent(node, call.page.board)
            return try call.ask(.enrol(.begin(node: node)))
        },
        Route(
            method: .delete, path: ["api", "enrolment", ":node"], role: .operator, summary: "Ends that.",
            refusals: [404, 409, 503]
        ) { call throws(Problem) in try call.ask(.enrol(.end(node: try call.id("node")))) },
    ]

    private static func node(_ body: Span<UInt8>) throws(Problem) -> String {
        var node: String?
        var unknown: String?
        do throws(JSONFault) {
            var reader = JSONReader(body)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                if key == "node" {
                    node = try reader.string()
                } else {
                    unknown = unknown ?? key
                    try reader.skip()
                }
            }
            try reader.end()
        } catch {
            throw Problem(400, "The body is not the expected JSON: \(error).")
        }
        if let unknown { throw Problem(422, "The body has an unknown key '\(unknown.prefix(40))'; known is node.") }
        guard let node, Identifier.isValid(node) else { throw Problem(422, "'node' must be the id of a node.") }
        return node
    }

    private static func refuseAbsent(_ node: String, _ board: Board) throws(Problem) {
        let online = Array("\"online\"".utf8)
        guard let status = board.value("nodes/\(node)/status") else {
            throw Problem(404, "There is no node '\(node)': see /api/nodes.")
        }
        guard status == online else {
            throw Problem(409, "Node '\(node)' is not online: start its agent, or choose another node.")
        }
    }
}
