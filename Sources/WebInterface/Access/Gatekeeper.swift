internal import Bytes
internal import Configuration
internal import Crypto
internal import Synchronization
internal import System
internal import Web

/// The one place that decides who sends a request.
final class Gatekeeper: Sendable {
    static let csrfHeader = "x-csrf-token"
    static let ingressUserHeader = "x-remote-user-name"
    /// The role of those whom an ingress has signed in.
    static let ingressRole = WebRole.operator

    /// The result of reading a token.
    enum TokenCheck {
        case right(WebRole, user: String)
        case wrong(wait: Duration)
        /// The address must wait before it is looked at.
        case tooSoon(wait: Duration)
    }

    private struct Token {
        let role: WebRole
        let user: String
        let digest: [UInt8]

        init(_ token: WebToken) {
            (role, user, digest) = (token.role, token.user, RandomSecret.digest(token.secret.text))
        }
    }

    let sessions: Sessions
    private let tokens: Mutex<(all: [Token], changes: Int)>
    private let ingress: Set<String>
    private let ingressSecret = RandomSecret.make()
    private let limiter = Mutex(SignInLimiter())

    init(tokens: [WebToken], ingress: Set<String>, sessions: Sessions) {
        self.sessions = sessions
        self.tokens = Mutex((tokens.map(Token.init), 0))
        self.ingress = ingress
    }

    /// Replaces the tokens.
    func use(_ tokens: [WebToken]) {
        let tokens = tokens.map(Token.init)
        self.tokens.withLock { $0 = (tokens, $0.changes + 1) }
    }

    /// True for as long as the tokens are the present ones.
    var admission: @Sendable () -> Bool {
        let changes = tokens.withLock { $0.changes }
        return { [self] in tokens.withLock { $0.changes } == changes }
    }

    /// True if a peer may say who is signed in, and under which prefix it serves the page.
    func isIngress(_ peer: String) -> Bool { ingress.contains(peer) }

    /// The role and the user of a token from an address.
    func check(_ token: String, from address: String, at now: MonotonicTime) -> TokenCheck {
        let digest = RandomSecret.digest(token)
        let tokens = tokens.withLock { $0.all }
        return limiter.withLock { limiter in
            let wait = limiter.waitingTime(of: address, at: now)
            guard wait == .zero else { return .tooSoon(wait: wait) }
            // All are looked at, so that the time tells nothing of which one matched.
            var found: Token?
            for token in tokens where ConstantTime.isEqual(token.digest, digest) {
                if found.map({ $0.role < token.role }) ?? true { found = token }
            }
            guard let found else { return .wrong(wait: limiter.recordFailure(of: address, at: now)) }
            limiter.recordSuccess(of: address)
            return .right(found.role, user: found.user)
        }
    }

    /// The sender of a request; nil if it has not signed in.
    ///
    /// - Parameter wall: the time of day, by which sessions expire.
    func visitor(
        of request: HTTPRequest, at now: MonotonicTime, wall: Timestamp
    ) throws(Problem) -> Visitor? {
        if let authorization = request.headers["authorization"] {
            return try bearer(authorization, from: request.peer, at: now)
        }
        if isIngress(request.peer), let user = request.headers[Self.ingressUserHeader], !user.isEmpty {
            let csrf = SHA256.hex(ingressSecret + user, digits: 64)
            return Visitor(user: user, role: Self.ingressRole, means: .ingress(csrf: csrf))
        }
        return request.cookie(SessionCookie.name).flatMap { sessions.find($0, at: wall) }
            .map { Visitor($0, of: sessions) }
    }

    private func bearer(
        _ authorization: String, from address: String, at now: MonotonicTime
    ) throws(Problem) -> Visitor {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Problem(401, "Authorization must be 'Bearer' and a token.")
        }
        switch check(String(parts[1]), from: address, at: now) {
        case .right(let role, let user):
            return Visitor(user: user, role: role, means: .bearer(role: role, peer: address))
        case .wrong: throw Problem(401, "This token is not one of the page's.")
        case .tooSoon(let wait): throw Problem.tooSoon(wait)
        }
    }

    /// Checks that a write comes from a page of ours: another site can make a browser send its cookie, but can't know
    /// this text.
    func checkWrite(_ request: HTTPRequest, of visitor: Visitor) throws(Problem) {
        guard let csrf = visitor.csrf else { return }
        guard let given = request.headers[Self.csrfHeader],
            ConstantTime.isEqual(Array(given.utf8), Array(csrf.utf8))
        else {
            throw Problem(403, "The header X-CSRF-Token is missing or wrong: take it from GET /api/session.")
        }
    }
}
