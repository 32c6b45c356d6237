internal import Configuration
internal import Web

/// `/events`: the board as server-sent events.
enum EventsResource {
    static let routes = [
        Route(
            method: .get, path: ["events"], role: .viewer,
            summary: "Streams the newest value of each topic, then its changes.",
            parameters: [
                .init(name: "topics", kind: .text, meaning: "MQTT filters with commas between them."),
                .init(name: "last", kind: .text, meaning: "The id of the last event, as in Last-Event-ID."),
            ], success: (200, "text/event-stream"), refusals: [400, 503], run: open)
    ]

    private static func open(_ call: Call) throws(Problem) -> HTTPAnswer {
        guard let visitor = call.visitor else { throw Problem(401, "Sign in first.") }
        var selection = TopicSelection.standard
        if let text = call.request.target.query["topics"] {
            guard let given = TopicSelection(text) else {
                throw Problem(
                    400,
                    "'topics' must be MQTT filters with commas between them, \(TopicSelection.bound) at most, such as "
                        + "items/+/location,rooms/#.")
            }
            selection = given
        }
        // A browser that connects again by itself sends the header, one that was reloaded the parameter.
        let last = call.request.headers["last-event-id"] ?? call.request.target.query["last"]
        let source = BoardStream(
            call.page.board, selection, after: last.flatMap(Board.Position.init), for: visitor,
            while: call.page.gatekeeper.admission)
        return .stream(
            EventStream(
                headers: [
                    .init("Cache-Control", "no-store"),
                    // Proxies would hold events back to compress or collect them.
                    .init("X-Accel-Buffering", "no"),
                ], source: source))
    }
}
