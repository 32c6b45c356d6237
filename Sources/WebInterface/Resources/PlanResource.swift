internal import Bytes
internal import Configuration
internal import Web
internal import WireProtocol

/// `/api/plan`: the plan that people drew of the house, and the pictures of its floors.
enum PlanResource {
    static let routes = [
        Route(
            method: .get, path: ["api", "plan"], role: .viewer,
            summary: "Shows the plan that was drawn of the house; its ETag is its revision."
        ) { call throws(Problem) in
            let plan = call.page.plans.plan
            return .now(.json(plan.bytes, headers: [.init("ETag", "\"\(plan.revision)\"")]))
        },
        Route(
            method: .put, path: ["api", "plan"], role: .operator,
            summary: "Puts a plan in force. With If-Match only if the plan is still the one of this ETag.",
            body: .init(
                meaning: "The plan, as on house/plan; its rev, at and by are set anew.", keys: nil, required: [],
                content: .plan), refusals: [400, 409, 412, 415, 422, 503]
        ) { call throws(Problem) in
            let revision = try revision(call.request.headers["if-match"])
            return try call.ask(.putPlan(try plan(call.request.body.span), madeOf: revision))
        },
        Route(
            method: .get, path: ["api", "plan", "yaml"], role: .viewer,
            summary: "Shows rooms and nodes as sections of a fuser's configuration.",
            success: (200, "application/yaml")
        ) { call throws(Problem) in
            .now(
                HTTPResponse(
                    200,
                    headers: [
                        .init("Content-Type", "application/yaml"), .init("Cache-Control", "no-store"),
                        .init("Content-Disposition", "attachment; filename=\"rooms.yaml\""),
                    ], body: Array(call.page.plans.yaml.utf8)))
        },
        Route(
            method: .get, path: ["api", "plan", "pictures", ":id"], role: .viewer,
            summary: "Shows the picture of a floor.", success: (200, "image/*"), refusals: [404]
        ) { call throws(Problem) in
            guard let picture = call.page.plans.picture(of: try call.id("id")) else {
                throw Problem(404, "This floor has no picture.")
            }
            return .now(
                HTTPResponse(
                    200,
                    headers: [
                        .init("Content-Type", picture.kind.rawValue), .init("Cache-Control", "no-store"),
                        .init("ETag", picture.tag),
                    ], body: picture.bytes))
        },
        Route(
            method: .put, path: ["api", "plan", "pictures", ":id"], role: .operator,
            summary: "Sets the picture of a floor: PNG, JPEG or WebP, \(FloorPicture.limit) bytes at most.",
            body: .init(meaning: "The picture.", keys: nil, required: [], content: .picture),
            refusals: [415, 404, 422, 503]
        ) { call throws(Problem) in
            let bytes = call.request.body
            guard bytes.count <= FloorPicture.limit else {
                throw Problem(413, "The picture is larger than \(FloorPicture.limit) bytes: scale it down.")
            }
            guard FloorPicture(bytes) != nil else {
                throw Problem(422, "The body is no picture in PNG, JPEG or WebP.")
            }
            return try call.ask(.putPicture(floor: try call.id("id"), bytes))
        },
        Route(
            method: .delete, path: ["api", "plan", "pictures", ":id"], role: .operator,
            summary: "Removes the picture of a floor.", refusals: [404, 503]
        ) { call throws(Problem) in try call.ask(.putPicture(floor: try call.id("id"), [])) },
    ]

    private static func plan(_ body: Span<UInt8>) throws(Problem) -> HousePlan {
        do throws(PayloadFault) {
            return try HousePlan(payload: body)
        } catch {
            if case .json = error { throw Problem(400, "The body is \(error).") }
            if case .tooLong = error { throw Problem(413, "The plan is \(error).") }
            throw Problem(422, "In the plan \(error).")
        }
    }

    /// The revision of an `If-Match`; nil for any.
    private static func revision(_ tag: String?) throws(Problem) -> UInt64? {
        guard let tag, tag != "*" else { return nil }
        guard tag.hasPrefix("\""), tag.hasSuffix("\""), let revision = UInt64(tag.dropFirst().dropLast()) else {
            throw Problem(412, "If-Match must be the ETag of GET /api/plan, such as \"7\".")
        }
        return revision
    }
}
