internal import Configuration
internal import System
internal import Web

/// From a request to its route, if the sender may use it.
struct Router: Sendable {
    /// All operations. A path with words stands before one with names in their place.
    static let routes: [Route] =
        HealthResource.routes + MetricsResource.routes + SessionResource.routes + EventsResource.routes
        + BoardResources.routes + NodesResource.routes + ImportResource.routes + ItemsResource.routes
        + EnrolmentResource.routes + LessonsResource.routes + TruthResource.routes + PlanResource.routes
        + AuditResource.routes + SitesResource.routes
        + Description.routes

    let page: PageCore

    /// The answer to a request; nil if its path is none of the interface's.
    func answer(_ request: HTTPRequest, prefix: String) throws(Problem) -> HTTPAnswer? {
        let matches = Self.routes.compactMap { route in
            route.match(request.target.path).map { (route: route, names: $0) }
        }
        guard !request.target.isFolder || request.target.path.isEmpty, !matches.isEmpty else {
            guard request.target.path.first == "api" else { return nil }
            throw Problem(404, "There is nothing at this address: see /api/openapi.json.")
        }
        // The answer to HEAD is that to GET, of which the server leaves the body out.
        let method = request.method == .head ? .get : request.method
        guard let match = matches.first(where: { $0.route.method == method }) else {
            // An address with words is its own, though a name could stand in their place.
            let fewest = matches.map(\.names.count).min()
            let methods = matches.filter { $0.names.count == fewest }.map(\.route.method.rawValue).sorted()
            let allowed = (methods.contains("GET") ? ["HEAD"] + methods : methods).joined(separator: ", ")
            throw Problem(405, "This address takes \(allowed).", headers: [.init("Allow", allowed)])
        }
        // A stream has no end, and so no length to tell.
        if request.method == .head, match.route.success.type == "text/event-stream" {
            throw Problem(405, "This address takes GET.", headers: [.init("Allow", "GET")])
        }
        let visitor = try admit(request, to: match.route)
        if let body = match.route.body { try checkType(request, body) }
        var call = Call(request: request, visitor: visitor, names: match.names, prefix: prefix, page: page)
        guard match.route.method.isSafe, case .session(let session, let sessions)? = visitor?.means,
            let renewed = sessions.renew(session, at: WallClock.now())
        else { return try match.route.run(call) }
        call.visitor = Visitor(renewed, of: sessions)
        return try match.route.run(call).adding(SessionCookie.header(renewed, call))
    }

    /// The sender of a request, if it has the rights that the route needs.
    private func admit(_ request: HTTPRequest, to route: Route) throws(Problem) -> Visitor? {
        guard let role = route.role else { return nil }
        guard let visitor = try page.gatekeeper.visitor(of: request, at: MonotonicClock.now(), wall: WallClock.now())
        else {
            throw Problem(401, "Sign in first: POST /api/session with a token of the page.")
        }
        guard visitor.role >= role else {
            throw Problem(403, "This needs the role \(role.rawValue); yours is \(visitor.role.rawValue).")
        }
        if !route.method.isSafe { try page.gatekeeper.checkWrite(request, of: visitor) }
        return visitor
    }

    /// True if a request may have a large body: its route takes one, and its sender may use it.
    func takesLargeBody(_ request: HTTPRequest) -> Bool {
        let route = Self.routes.first { $0.method == request.method && $0.match(request.target.path) != nil }
        guard let route, route.body?.content != nil else { return false }
        return (try? admit(request, to: route)) != nil
    }

    /// Forms of other sites can't send these types.
    private func checkType(_ request: HTTPRequest, _ body: Route.Body) throws(Problem) {
        guard body.types.contains(request.mediaType) else {
            throw Problem(415, "The body must be \(body.types.joined(separator: ", ")).")
        }
    }
}

extension HTTPRequest {
    /// The type of its body, without parameters.
    var mediaType: String {
        (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }
}

extension HTTPAnswer {
    /// The answer with one more header, unless it comes later.
    fileprivate func adding(_ header: HTTPResponse.Header) -> HTTPAnswer {
        switch self {
        case .now(var response):
            response.headers.append(header)
            return .now(response)
        case .stream(var stream):
            stream.headers.append(header)
            return .stream(stream)
        case .delayed, .later: return self
        }
    }
}
