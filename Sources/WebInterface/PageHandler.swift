internal import Web

/// The page's side of the server: prefixes, interface, files, and the headers that all answers have.
struct PageHandler: HTTPHandler {
    private static let headers: [HTTPResponse.Header] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
                + "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"),
        .init("X-Content-Type-Options", "nosniff"),
        .init("Referrer-Policy", "no-referrer"),
    ]

    private static let ingressPath = "x-ingress-path"

    let router: Router
    let files: SiteFiles
    /// The levels of the configured prefix.
    let prefix: [String]

    /// A request without the prefix, which a proxy may remove, or not.
    private func withoutPrefix(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        if !prefix.isEmpty, request.target.path.starts(with: prefix) { request.target.path.removeFirst(prefix.count) }
        return request
    }

    func takesLargeBody(_ head: HTTPRequest) -> Bool { router.takesLargeBody(withoutPrefix(head)) }

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        let request = withoutPrefix(request)
        var prefix = prefix.reduce("") { $0 + "/" + $1 }
        if let path = request.headers[Self.ingressPath], router.page.gatekeeper.isIngress(request.peer),
            Self.isPath(path)
        {
            prefix = path
        }
        let answer: HTTPAnswer
        do throws(Problem) {
            answer = try router.answer(request, prefix: prefix) ?? .now(files.answer(request))
        } catch {
            answer = .now(error.response)
        }
        return Self.secure(answer)
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        Self.secure(Problem(refusal.status, refusal.detail).response)
    }

    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && !text.hasPrefix("//") && text.utf8.count <= 256
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                    || [0x2D, 0x2E, 0x2F, 0x5F, 0x7E].contains(byte)
            }
    }

    private static func secure(_ answer: HTTPAnswer) -> HTTPAnswer {
        switch answer {
        case .now(let response): return .now(secure(response))
        case .delayed(let response, let time): return .delayed(secure(response), by: time)
        case .later(let deferred): return .later(deferred)
        case .stream(var stream):
            stream.headers += headers
            return .stream(stream)
        }
    }

    static func secure(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers += headers
        return response
    }
}
