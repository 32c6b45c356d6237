internal import Bytes
internal import Configuration
internal import Web

/// `/healthz`: whether the program works, for supervisors. It names nothing of the house.
enum HealthResource {
    static let routes = [
        Route(
            method: .get, path: ["healthz"], role: nil,
            summary: "Tells whether the program runs and is connected to its broker.", refusals: [503]
        ) { call throws(Problem) in
            let hasBroker = call.page.board.hasBroker
            return .now(
                .json(status: hasBroker ? 200 : 503) { json in
                    json.beginObject()
                    json.field("status", hasBroker ? "ok" : "failing")
                    json.field("broker", hasBroker)
                    json.endObject()
                })
        }
    ]
}
