internal import Bytes
internal import Configuration
internal import Web

/// `/api/sites`: other houses, as far as this page shows them.
enum SitesResource {
    static let routes = [
        Route(
            method: .get, path: ["api", "sites"], role: .viewer,
            summary: "Lists the other sites of this page with their figures.", refusals: [404]
        ) { call throws(Problem) in .now(.json(try directory(call).overview)) },
        Route(
            method: .get, path: ["api", "sites", "items"], role: .viewer,
            summary:
                "Finds items and persons of the other sites by id, name and tags; 'incomplete' names the sites that "
                + "were not wholly searched.",
            parameters: [
                .init(name: "find", kind: .text, meaning: "Words, 1 to 100 bytes together; each must be found.")
            ], refusals: [400, 404]
        ) { call throws(Problem) in
            let directory = try directory(call)
            guard let found = directory.search(call.request.target.query["find"] ?? "") else {
                throw Problem(400, "'find' must be one or more words, of 100 bytes at most.")
            }
            return .now(.json(found))
        },
    ]

    private static func directory(_ call: Call) throws(Problem) -> any SitesDirectory {
        guard let sites = call.page.sites else {
            throw Problem(404, "This page shows no other sites: the configuration of its fuser names none.")
        }
        return sites
    }
}
