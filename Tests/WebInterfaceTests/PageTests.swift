import Configuration
import Support
import Testing
import Web

@testable import WebInterface

/// The page over HTTP, with each role.
@Suite(.inTurn) struct PageTests {
    @Test func tellsItsHealthToEverybody() throws {
        let fixture = try PageFixture()
        let good = try fixture.send("GET", "/healthz")
        #expect(good.status == 200 && good.body == #"{"status":"ok","broker":true}"#)
        fixture.page.board.hasBroker = false
        #expect(try fixture.send("GET", "/healthz").status == 503)
    }

    @Test func sendsSecurityHeadersWithEverything() throws {
        let fixture = try PageFixture()
        for (path, status) in [("/", 200), ("/api/house", 401), ("/none", 404), ("/%2e%2e/", 400), ("/healthz", 200)] {
            let answer = try fixture.send("GET", path)
            #expect(answer.status == status)
            #expect(answer.head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"))
            #expect(answer.head.contains("X-Content-Type-Options: nosniff"))
            #expect(answer.head.contains("Referrer-Policy: no-referrer"))
            #expect(!answer.head.contains("unsafe"))
        }
        // Answers that the fuser gives, too.
        let why = try fixture.send("GET", "/api/items/keys/why", as: PageFixture.viewer)
        #expect(why.status == 200 && why.head.contains("Content-Security-Policy: default-src 'none'"))
    }

    @Test func namesNothingToStrangers() throws {
        let fixture = try PageFixture()
        fixture.page.board.set("items/anna-keys/location", Array("{}".utf8))
        for route in Router.routes where route.role != nil {
            let path = route.pattern.replacing("{id}", with: "anna-keys").replacing("{item}", with: "anna-keys")
            let body = route.body == nil ? "" : "{}"
            let answer = try fixture.send(route.method.rawValue, path, [PageFixture.json], body: body)
            #expect(answer.status == 401, "\(route.method) \(path)")
            #expect(!answer.body.contains("anna"))
        }
        #expect(fixture.asked.isEmpty)
    }

    @Test func givesEachRoleItsRights() throws {
        let fixture = try PageFixture()
        for route in Router.routes {
            guard let role = route.role, route.success.type != "text/event-stream" else { continue }
            let path = route.pattern.replacing("{id}", with: "keys").replacing("{item}", with: "keys")
            let tokens = [
                (PageFixture.viewer, role == .viewer), (PageFixture.operator, role != .admin),
                (PageFixture.admin, true),
            ]
            for (token, isAllowed) in tokens {
                let body = route.body == nil ? "" : #"{"for":60,"item":"keys","room":"hall"}"#
                let answer = try fixture.send(route.method.rawValue, path, [PageFixture.json], body: body, as: token)
                #expect((answer.status == 403) == !isAllowed, "\(route.method) \(path): \(answer.status)")
            }
        }
        // A viewer's requests changed nothing.
        #expect(fixture.asked.allSatisfy { !$0.action.isWrite || $0.sender.role != .viewer })
    }

    @Test func needsTheTokenAgainstForgedWrites() throws {
        let fixture = try PageFixture()
        let (cookie, csrf) = try fixture.signIn(PageFixture.operator)
        let session = "Cookie: \(cookie)"
        let body = #"{"for":3600}"#
        #expect(
            try fixture.send("POST", "/api/items/keys/silence", [session, PageFixture.json], body: body).status == 403)
        let given = [session, PageFixture.json, "X-CSRF-Token: \(csrf)"]
        #expect(try fixture.send("POST", "/api/items/keys/silence", given, body: body).status == 200)
        let form = [session, "Content-Type: text/plain", "X-CSRF-Token: \(csrf)"]
        #expect(try fixture.send("POST", "/api/items/keys/silence", form, body: body).status == 415)
        #expect(fixture.asked.count == 1)
    }

    @Test func signsInAndOut() throws {
        let fixture = try PageFixture()
        let answer = try fixture.send(
            "POST", "/api/session", [PageFixture.json], body: "{\"token\":\"\(PageFixture.viewer)\"}")
        #expect(answer.status == 200 && answer.body.contains(#""role":"viewer""#))
        #expect(answer.head.contains("; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict"))
        let (cookie, csrf) = try fixture.signIn(PageFixture.viewer)
        #expect(try fixture.send("GET", "/api/session", ["Cookie: \(cookie)"]).status == 200)
        #expect(try fixture.send("GET", "/api/house", ["Cookie: \(cookie)"]).status == 200)
        #expect(try fixture.send("DELETE", "/api/session", ["Cookie: \(cookie)"]).status == 403)
        #expect(
            try fixture.send("DELETE", "/api/session", ["Cookie: \(cookie)", "X-CSRF-Token: \(csrf)"]).status == 204)
        #expect(try fixture.send("GET", "/api/session", ["Cookie: \(cookie)"]).status == 401)
    }

    @Test func slowsGuesses() throws {
        let fixture = try PageFixture()
        let begin = ContinuousClock.now
        let guess = try fixture.send("POST", "/api/session", [PageFixture.json], body: #"{"token":"guess"}"#)
        #expect(guess.status == 401 && ContinuousClock.now - begin >= .seconds(1))
        #expect(try fixture.send("GET", "/api/house", as: "guess").status == 401)
        let hasty = try fixture.send("GET", "/api/house", as: PageFixture.viewer)
        #expect(hasty.status == 429 && hasty.head.contains("Retry-After: "))
    }

    @Test(arguments: [
        ("POST", "/api/house", "{}", 405), ("GET", "/api/nothing", "", 404), ("GET", "/api/house/", "", 404),
        ("PUT", "/api/items/keys", "{", 422), ("PUT", "/api/items/keys", "", 400),
        ("PUT", "/api/items/keys", #"{"v":1,"id":"keys","removed":1}"#, 422),
        ("PUT", "/api/items/keys", #"{"v":1,"id":"cat","address":"aa:bb:cc:dd:ee:ff"}"#, 422),
        ("PUT", "/api/items/Keys", "{}", 404), ("GET", "/api/items?limit=0", "", 400),
        ("GET", "/api/items?limit=x", "", 400), ("GET", "/api/items/keys/history?from=x", "", 400),
        ("GET", "/api/items/nowhere", "", 404), ("POST", "/api/items/keys/silence", "[]", 400),
        ("POST", "/api/items/keys/silence", #"{"for":-1}"#, 422), ("POST", "/api/items/keys/silence", "{}", 422),
        ("POST", "/api/items/keys/silence", #"{"for":1,"item":"cat"}"#, 422),
        ("POST", "/api/lessons", #"{"item":"keys"}"#, 422), ("GET", "/events?topics=a/%23/b", "", 400),
        ("DELETE", "/api/lessons/current/keys?discard=maybe", "", 400), ("GET", "/api/audit?before=0", "", 400),
        ("POST", "/index.html", "", 405), ("GET", "/notes.bak", "", 404), ("HEAD", "/events", "", 405),
    ])
    func saysWhatIsWrong(_ method: String, _ path: String, _ body: String, _ status: Int) throws {
        let fixture = try PageFixture()
        let answer = try fixture.send(method, path, [PageFixture.json], body: body, as: PageFixture.admin)
        #expect(answer.status == status)
        guard method != "HEAD" else { return }
        #expect(answer.head.contains("application/problem+json") && answer.body.contains("\"detail\":\""))
        #expect(fixture.asked.isEmpty)
    }

    @Test func readsTheBoard() throws {
        let fixture = try PageFixture()
        fixture.page.board.set("house", Array(#"{"name":"main"}"#.utf8))
        fixture.page.board.set("items/keys/location", Array(#"{"room":"hall"}"#.utf8))
        fixture.page.board.set("nodes/kitchen/status", Array("\"online\"".utf8))
        func body(_ path: String) throws -> String { try fixture.send("GET", path, as: PageFixture.viewer).body }
        #expect(try body("/api/house") == #"{"name":"main"}"#)
        #expect(try body("/api/items") == #"{"items":[{"id":"keys","location":{"room":"hall"}}]}"#)
        #expect(try body("/api/items/keys") == #"{"id":"keys","location":{"room":"hall"}}"#)
        #expect(try body("/api/nodes/kitchen") == #"{"id":"kitchen","status":"online"}"#)
        #expect(try body("/api/rooms") == #"{"rooms":[]}"#)
    }

    @Test func servesFiles() throws {
        let fixture = try PageFixture { $0.prefix = "/whereabouts" }
        let page = try fixture.send("GET", "/")
        #expect(page.body == "<p>hello" && page.head.contains("text/html"))
        let tag = page.head.split(separator: "ETag: ").last?.prefix { !$0.isNewline } ?? ""
        #expect(try fixture.send("GET", "/index.html", ["If-None-Match: \(tag)"]).status == 304)
        #expect(try fixture.send("GET", "/whereabouts/style.css").body == "a{}")
        #expect(try fixture.send("GET", "/whereabouts/api/session").status == 401)
        let session = try fixture.send(
            "POST", "/whereabouts/api/session", [PageFixture.json], body: "{\"token\":\"\(PageFixture.viewer)\"}")
        #expect(session.head.contains("; Path=/whereabouts/;"))
    }

    @Test func worksBehindAnIngress() throws {
        let fixture = try PageFixture { $0.ingress = ["127.0.0.1"] }
        let answer = try fixture.send("GET", "/api/session", ["X-Remote-User-Name: anna"])
        #expect(answer.status == 200 && answer.body.contains(#""user":"anna","role":"operator","csrf":""#))
        #expect(try fixture.send("DELETE", "/api/items/keys", ["X-Remote-User-Name: anna"]).status == 403)
        let csrf = answer.body.split(separator: "\"csrf\":\"").last?.prefix { $0 != "\"" } ?? ""
        let headers = ["X-Remote-User-Name: anna", "X-CSRF-Token: \(csrf)"]
        #expect(try fixture.send("DELETE", "/api/items/keys", headers).status == 200)
        #expect(fixture.asked.first?.sender.user == "anna")
    }

    @Test func limitsWhatIsAskedOfTheFuser() throws {
        let fixture = try PageFixture()
        var statuses: [Int: Int] = [:]
        for _ in 0..<60 {
            let answer = try fixture.send("GET", "/api/items/keys/why", as: PageFixture.viewer)
            statuses[answer.status, default: 0] += 1
        }
        #expect(statuses[200, default: 0] >= PageRequests.burstOfViewer && statuses[429, default: 0] > 0)
        // Another viewer is not limited by what this one asked.
        #expect(try fixture.send("GET", "/api/items/keys/why", as: PageFixture.operator).status == 200)
    }
}
