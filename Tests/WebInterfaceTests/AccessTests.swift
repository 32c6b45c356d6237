import Bytes
import Configuration
import System
import Testing
import Web

@testable import WebInterface

/// A stranger gets nothing, and a browser that is led astray changes nothing.
struct AccessTests {
    private static let start = MonotonicTime.start, wall = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let viewer = "viewer-token-123456", other = "operator-token-12345"

    private static func gatekeeper(ingress: Set<String> = []) -> Gatekeeper {
        Gatekeeper(
            tokens: [
                WebToken(role: .viewer, secret: Secret(viewer)), WebToken(role: .operator, secret: Secret(other)),
            ], ingress: ingress, sessions: Sessions(SessionKey([], rounds: 1)))
    }

    private static func request(_ headers: [String: String], peer: String = "10.0.0.1") -> HTTPRequest {
        HTTPRequest(.post, RequestTarget(path: ["api"]), headers: headers, peer: peer)
    }

    @Test func knowsItsTokens() {
        let gatekeeper = Self.gatekeeper()
        guard case .right(.operator, user: "token") = gatekeeper.check(Self.other, from: "a", at: Self.start) else {
            return #expect(Bool(false))
        }
        guard case .wrong = gatekeeper.check("operator-token-1234", from: "a", at: Self.start) else {
            return #expect(Bool(false))
        }
    }

    @Test func ascribesAChangeToTheTokensUser() throws {
        let fixture = try PageFixture {
            $0.tokens.append(WebToken(role: .operator, secret: Secret(Self.other + "x"), user: "nora"))
        }
        #expect(try fixture.send("GET", "/api/session", as: Self.other + "x").body.contains(#""user":"nora""#))
        #expect(try fixture.send("GET", "/api/session", as: Self.other).body.contains(#""user":"token""#))
        let (cookie, csrf) = try fixture.signIn(Self.other + "x")
        let answer = try fixture.send(
            "DELETE", "/api/items/keys", ["Cookie: \(cookie)", "X-CSRF-Token: \(csrf)"])
        #expect(answer.status != 401 && fixture.asked.last?.sender.user == "nora")
    }

    @Test func slowsWrongTokensOfAnAddress() {
        var limiter = SignInLimiter()
        let waits = (0..<7).map { _ in limiter.recordFailure(of: "a", at: Self.start) }
        #expect(waits == [1, 2, 4, 8, 16, 16, 16].map { Duration.seconds($0) })
        #expect(limiter.waitingTime(of: "a", at: Self.start + .seconds(6)) == .seconds(10))
        #expect(limiter.waitingTime(of: "b", at: Self.start) == .zero)
        limiter.recordSuccess(of: "a")
        #expect(limiter.waitingTime(of: "a", at: Self.start) == .zero)
        for number in 0..<3000 { _ = limiter.recordFailure(of: "\(number)", at: Self.start) }
        #expect(limiter.count == SignInLimiter.bound)
        _ = limiter.recordFailure(of: "z", at: Self.start + .seconds(3600))
        #expect(limiter.count == 1)
    }

    @Test func looksAtNoTokenWhileAnAddressWaits() {
        let gatekeeper = Self.gatekeeper()
        _ = gatekeeper.check("wrong", from: "a", at: Self.start)
        guard case .tooSoon = gatekeeper.check(Self.other, from: "a", at: Self.start) else {
            return #expect(Bool(false))
        }
        guard case .right = gatekeeper.check(Self.other, from: "a", at: Self.start + .seconds(2)) else {
            return #expect(Bool(false))
        }
    }

    @Test func needsTheTextThatNoOtherSiteKnows() throws {
        let gatekeeper = Self.gatekeeper()
        let session = gatekeeper.sessions.begin(user: "token", role: .operator, at: Self.wall)
        let cookie = "\(SessionCookie.name)=\(gatekeeper.sessions.cookie(of: session))"
        let visitor = try #require(
            try gatekeeper.visitor(of: Self.request(["cookie": cookie]), at: Self.start, wall: Self.wall))
        #expect(throws: Problem.self) { try gatekeeper.checkWrite(Self.request(["cookie": cookie]), of: visitor) }
        #expect(throws: Problem.self) {
            try gatekeeper.checkWrite(Self.request(["x-csrf-token": "wrong"]), of: visitor)
        }
        try gatekeeper.checkWrite(Self.request(["x-csrf-token": gatekeeper.sessions.csrf(of: session)]), of: visitor)
        let bearer = Self.request(["authorization": "Bearer \(Self.other)"])
        let program = try #require(try gatekeeper.visitor(of: bearer, at: Self.start, wall: Self.wall))
        try gatekeeper.checkWrite(bearer, of: program)
    }

    @Test func believesAnIngressAlone() throws {
        let gatekeeper = Self.gatekeeper(ingress: ["172.30.32.2"])
        let headers = [Gatekeeper.ingressUserHeader: "anna"]
        #expect(try gatekeeper.visitor(of: Self.request(headers), at: Self.start, wall: Self.wall) == nil)
        let proxied = Self.request(headers, peer: "172.30.32.2")
        let visitor = try #require(try gatekeeper.visitor(of: proxied, at: Self.start, wall: Self.wall))
        #expect(visitor.user == "anna" && visitor.role == .operator)
        #expect(throws: Problem.self) { try gatekeeper.checkWrite(proxied, of: visitor) }
    }

    @Test(arguments: ["Basic abc", "Bearer", "Bearer ", "Bearer nonsense", ""])
    func refusesOtherAuthorizations(_ text: String) {
        let gatekeeper = Self.gatekeeper()
        #expect(throws: Problem.self) {
            try gatekeeper.visitor(of: Self.request(["authorization": text]), at: Self.start, wall: Self.wall)
        }
    }

    @Test func readsCookies() {
        let request = Self.request(["cookie": "a=1; whereabouts_session=x; b=2"])
        #expect(request.cookie("whereabouts_session") == "x")
        #expect(Self.request(["cookie": "s=1; s=2"]).cookie("s") == nil)
        #expect(Self.request([:]).cookie("s") == nil)
    }
}
