internal import Bytes
internal import Configuration
internal import Crypto
internal import Metrics
internal import Synchronization
internal import System
internal import Web

/// The page of an agent: `/metrics` for Prometheus, and `/healthz` for supervisors. The agent's loop answers, so that an
/// answer shows that it runs.
final class AgentPage: Sendable {
    /// A request that waits for the loop.
    struct Request: Sendable {
        enum Subject: Hashable, Sendable {
            case health
            case metrics
        }

        let subject: Subject
        fileprivate let format: MetricsText
        fileprivate let reply: DeferredAnswer

        /// Answers that the program runs, and whether it has its broker.
        func answer(isConnected: Bool) {
            var json = JSONWriter()
            json.beginObject()
            json.field("status", isConnected ? "ok" : "failing")
            json.field("broker", isConnected)
            json.endObject()
            reply.complete(.text(isConnected ? 200 : 503, "application/json", json.bytes))
        }

        /// Answers with metrics.
        func answer(_ families: [MetricFamily]) {
            reply.complete(.text(200, format.contentType, format.write(families)))
        }
    }

    /// Requests that wait at once; further ones are refused.
    static let bound = 16

    private let requests: RequestQueue
    private let token: PageToken
    private let server: HTTPServer
    /// The address for people.
    let address: String

    /// Begins to listen.
    ///
    /// - Parameter wake: wakes the agent's loop because requests wait; must not block.
    init(_ settings: WebSettings, wake: @escaping @Sendable () -> Void) throws(WebError) {
        requests = RequestQueue(wake: wake)
        token = PageToken(settings.token)
        let host = settings.listen.host
        server = try HTTPServer(
            host: host, port: settings.listen.port, limits: Self.limits,
            handler: AgentPageHandler(requests: requests, token: token))
        address = "http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)/metrics"
    }

    /// The requests since the last call.
    func takeRequests() -> [Request] { requests.take() }

    /// Replaces the token that `/metrics` asks for; nil lets everybody read it.
    func use(_ token: Secret?) { self.token.set(token) }

    /// Ends all connections. Blocks for a moment.
    func stop() { server.stop() }

    /// Few clients, small requests.
    private static var limits: HTTPLimits {
        var limits = HTTPLimits()
        (limits.connections, limits.connectionsPerAddress, limits.streams) = (32, 16, 0)
        (limits.connectionMemory, limits.bodyBytes, limits.largeBodyBytes) = (16 * 1024, 0, 0)
        return limits
    }
}

/// The requests between the server's thread and the loop.
private final class RequestQueue: Sendable {
    private let waiting = Mutex<[AgentPage.Request]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Adds a request; false if too many wait.
    func append(_ request: AgentPage.Request) -> Bool {
        let isAdded = waiting.withLock { waiting in
            guard waiting.count < AgentPage.bound else { return false }
            waiting.append(request)
            return true
        }
        if isAdded { wake() }
        return isAdded
    }

    func take() -> [AgentPage.Request] {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return [] }
            defer { waiting.removeAll() }
            return waiting
        }
    }
}

/// The token that `/metrics` asks for; nil where everybody may read it. The loop sets it, the server's thread reads it.
private final class PageToken: Sendable {
    private let value: Mutex<Secret?>

    init(_ token: Secret?) { value = Mutex(token) }

    var current: Secret? { value.withLock { $0 } }

    func set(_ token: Secret?) { value.withLock { $0 = token } }
}

private struct AgentPageHandler: HTTPHandler {
    let requests: RequestQueue
    let token: PageToken

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        guard request.method == .get || request.method == .head else {
            return .now(.text(405, "This address takes GET.\n", headers: [.init("Allow", "HEAD, GET")]))
        }
        let subject: AgentPage.Request.Subject
        switch request.target.path {
        case ["healthz"]: subject = .health
        case ["metrics"]: subject = .metrics
        default:
            return .now(.text(404, "There are /metrics and /healthz. The page of the house is served by the fuser.\n"))
        }
        if subject == .metrics, !isAllowed(request) {
            return .now(
                .text(
                    401, "Send the token of web.token_file: Authorization: Bearer TOKEN.\n",
                    headers: [.init("WWW-Authenticate", "Bearer")]))
        }
        let reply = DeferredAnswer()
        let format = MetricsText(accepting: request.headers["accept"])
        guard requests.append(AgentPage.Request(subject: subject, format: format, reply: reply)) else {
            return .now(.text(503, "Too many requests wait. Try again.\n", headers: [.init("Retry-After", "1")]))
        }
        return .later(reply)
    }

    private func isAllowed(_ request: HTTPRequest) -> Bool {
        guard let token = token.current else { return true }
        return ConstantTime.isEqual(
            Array((request.headers["authorization"] ?? "").utf8), Array("Bearer \(token.text)".utf8))
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { .text(refusal.status, refusal.detail + "\n") }
}

extension HTTPResponse {
    fileprivate static func text(_ status: Int, _ text: String, headers: [Header] = []) -> HTTPResponse {
        self.text(status, "text/plain; charset=utf-8", Array(text.utf8), headers: headers)
    }

    fileprivate static func text(
        _ status: Int, _ type: String, _ body: [UInt8], headers: [Header] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status,
            headers: [
                .init("Content-Type", type), .init("Cache-Control", "no-store"),
                .init("X-Content-Type-Options", "nosniff"),
            ]
                + headers,
            body: body)
    }
}
