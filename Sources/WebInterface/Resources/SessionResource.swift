internal import Bytes
internal import Configuration
internal import System
internal import Web

/// `/api/session`: signing in and out.
enum SessionResource {
    static let routes = [
        Route(
            method: .post, path: ["api", "session"], role: nil, summary: "Signs in with a token.",
            body: .init(meaning: "A token of the page.", keys: ["token": .text], required: ["token"]),
            refusals: [400, 401, 415, 429], run: signIn),
        Route(
            method: .get, path: ["api", "session"], role: .viewer,
            summary: "Tells who is signed in, and the text that writes repeat in X-CSRF-Token."
        ) { call throws(Problem) in
            guard let visitor = call.visitor else { throw Problem(401, "Sign in first.") }
            return .now(answer(visitor))
        },
        Route(
            method: .delete, path: ["api", "session"], role: .viewer,
            summary: "Signs out, which ends all streams of the session.", success: (204, nil)
        ) { call throws(Problem) in
            if case .session(let session, let sessions)? = call.visitor?.means {
                sessions.end(session, at: WallClock.now())
            }
            var response = HTTPResponse.done
            response.headers.append(SessionCookie.removal(call))
            return .now(response)
        },
    ]

    private static func signIn(_ call: Call) throws(Problem) -> HTTPAnswer {
        let token = try token(call.request.body.span)
        let now = MonotonicClock.now()
        switch call.page.gatekeeper.check(token, from: call.request.peer, at: now) {
        case .tooSoon(let wait): throw Problem.tooSoon(wait)
        case .wrong(let wait):
            return .delayed(Problem(401, "This token is not one of the page's.").response, by: wait)
        case .right(let role, let user):
            let sessions = call.page.gatekeeper.sessions
            let session = sessions.begin(user: user, role: role, at: WallClock.now())
            var response = answer(Visitor(session, of: sessions))
            response.headers.append(SessionCookie.header(session, call))
            return .now(response)
        }
    }

    private static func token(_ body: Span<UInt8>) throws(Problem) -> String {
        var token: String?
        do throws(JSONFault) {
            var reader = JSONReader(body)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                if key == "token" { token = try reader.string() } else { try reader.skip() }
            }
            try reader.end()
        } catch {
            throw Problem(400, "The body is not the expected JSON: \(error).")
        }
        guard let token else { throw Problem(400, "'token' is missing.") }
        return token
    }

    private static func answer(_ visitor: Visitor) -> HTTPResponse {
        .json { json in
            json.beginObject()
            json.field("user", visitor.user)
            json.field("role", visitor.role.rawValue)
            json.field("csrf", visitor.csrf)
            json.endObject()
        }
    }
}
