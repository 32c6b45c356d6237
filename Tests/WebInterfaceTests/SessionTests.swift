import Bytes
import Configuration
import Support
import System
import Testing

@testable import WebInterface

/// A session is good for as long as its cookie says, and for nobody who has no cookie of ours.
struct SessionTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let tokens = [
        WebToken(role: .viewer, secret: Secret("viewer-token-123456")),
        WebToken(role: .admin, secret: Secret("admin-token-1234567")),
    ]
    private static let key = SessionKey(tokens), otherKey = SessionKey([tokens[0]])

    private static func after(_ duration: Duration) -> Timestamp { now.advanced(by: duration) }

    @Test func outlastsARestart() throws {
        let first = Sessions(Self.key)
        let session = first.begin(user: "anna", role: .operator, at: Self.now)
        let cookie = first.cookie(of: session)
        // Another program with the same tokens, in another order.
        let second = Sessions(SessionKey(Self.tokens.reversed()))
        #expect(second.find(cookie, at: Self.now) == session)
        #expect(second.csrf(of: session) == first.csrf(of: session))
        #expect(Sessions(Self.otherKey).find(cookie, at: Self.now) == nil)
        #expect(Sessions(SessionKey([])).find(cookie, at: Self.now) == nil)
    }

    @Test func refusesWhatIsForged() {
        let sessions = Sessions(Self.key)
        let session = sessions.begin(user: "token", role: .viewer, at: Self.now)
        let cookie = sessions.cookie(of: session)
        #expect(sessions.find(cookie, at: Self.now) == session)
        for count in 0..<cookie.count { #expect(sessions.find(String(cookie.prefix(count)), at: Self.now) == nil) }
        for index in cookie.indices {
            var changed = cookie
            changed.replaceSubrange(index...index, with: cookie[index] == "0" ? "1" : "0")
            #expect(sessions.find(changed, at: Self.now) == nil)
        }
        #expect(sessions.find(cookie.replacing("viewer", with: "admin"), at: Self.now) == nil)
        #expect(sessions.find(cookie + "0", at: Self.now) == nil)
        // The text that writes repeat is no signature of a session.
        #expect(sessions.find(session.text + "." + sessions.csrf(of: session), at: Self.now) == nil)
        let odd = ["", ".", "1.viewer", session.text + ".", "2" + session.text.dropFirst()]
        for text in odd { #expect(sessions.find(text, at: Self.now) == nil) }
        #expect(sessions.find(Self.key.sign("1.viewer.zz.id.0.0"), at: Self.now) == nil)
    }

    @Test func expires() throws {
        let sessions = Sessions(Self.key)
        let session = sessions.begin(user: "token", role: .viewer, at: Self.now)
        let cookie = sessions.cookie(of: session)
        #expect(sessions.find(cookie, at: Self.after(Sessions.lifetime - .seconds(1))) != nil)
        #expect(sessions.find(cookie, at: Self.after(Sessions.lifetime)) == nil)
        // One of a clock that was ahead.
        #expect(sessions.find(cookie, at: Self.after(-.minutes(30))) != nil)
        #expect(sessions.find(cookie, at: Self.after(-.hours(2))) == nil)
        // Its streams end while it can still be renewed.
        #expect(sessions.keepsStream(of: session, at: Self.after(.days(5))))
        #expect(!sessions.keepsStream(of: session, at: Self.after(.days(6))))
        #expect(sessions.renew(session, at: Self.after(.hours(23))) == nil)
        let renewed = try #require(sessions.renew(session, at: Self.after(.days(6))))
        #expect(renewed.id == session.id && sessions.keepsStream(of: renewed, at: Self.after(.days(10))))
        #expect(sessions.renew(session, at: Self.after(.days(8))) == nil)
    }

    @Test func staysEndedAfterARestart() throws {
        let first = Sessions(Self.key)
        let session = first.begin(user: "token", role: .viewer, at: Self.now)
        let other = first.begin(user: "token", role: .viewer, at: Self.now)
        let renewed = try #require(first.renew(session, at: Self.after(.days(2))))
        first.end(session, at: Self.after(.days(3)))
        #expect(!first.keepsStream(of: renewed, at: Self.after(.days(3))))
        let changes = first.takeChanges()
        #expect(changes.count == 1 && first.takeChanges().isEmpty && first.endedSessions == changes)
        let second = Sessions(Self.key, ended: changes)
        for cookie in [session, renewed].map(second.cookie) {
            #expect(second.find(cookie, at: Self.after(.days(4))) == nil)
        }
        #expect(second.find(second.cookie(of: other), at: Self.after(.days(4))) == other)
        #expect(second.renew(renewed, at: Self.after(.days(4))) == nil)
        // The row is dropped when no cookie of it can be good any more.
        second.end(other, at: Self.after(.days(20)))
        #expect(second.takeChanges().contains(.forgotten(id: session.id)))
    }

    @Test func endsTheOldestWhenTooManyWereEnded() {
        var table = EndedSessions()
        func session(_ number: Int) -> PageSession {
            PageSession(
                user: "", role: .viewer, id: "\(number)", began: Self.after(.seconds(number)),
                expiry: Self.after(.days(7)))
        }
        for number in 1...EndedSessions.bound + 5 {
            table.insert(session(number), expiry: Self.after(.days(7)), at: Self.now)
        }
        #expect(table.count == EndedSessions.bound)
        let stored = EndedSessions(table.takeChanges())
        for number in 0...EndedSessions.bound + 6 {
            let isEnded = number <= EndedSessions.bound + 5
            #expect(table.contains(session(number)) == isEnded && stored.contains(session(number)) == isEnded)
        }
    }

    @Test func endsWithItsTokens() throws {
        let fixture = try PageFixture()
        let (cookie, _) = try fixture.signIn(PageFixture.operator)
        #expect(try fixture.send("GET", "/api/session", ["Cookie: \(cookie)"]).status == 200)
        // A stream of before ends, and one of after goes on.
        let stream = try RawClient(port: fixture.page.port)
        stream.send(
            "GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(PageFixture.viewer)\r\n\r\n"
        )
        #expect(stream.receive(until: "event: ready").contains("event: ready"))
        let token = WebToken(role: .viewer, secret: Secret("another-token-12345"))
        fixture.page.use([token])
        #expect(try fixture.send("GET", "/api/session", ["Cookie: \(cookie)"]).status == 401)
        #expect(try fixture.send("GET", "/api/doctor", as: "another-token-12345").status == 200)
        #expect(try fixture.signIn("another-token-12345").cookie.isEmpty == false)
        // A wrong one has to wait before it is looked at again.
        #expect(try fixture.send("GET", "/api/doctor", as: PageFixture.admin).status == 401)
        #expect(stream.isClosed(within: 10))
    }

    @Test func isGoodAtAnotherPage() throws {
        let first = try PageFixture(), second = try PageFixture()
        let (cookie, csrf) = try first.signIn(PageFixture.operator)
        let headers = ["Cookie: \(cookie)", "X-CSRF-Token: \(csrf)"]
        #expect(try second.send("DELETE", "/api/items/keys", headers).status == 200)
        #expect(try first.send("DELETE", "/api/session", headers).status == 204)
        let third = try PageFixture(ended: first.page.takeEndedSessions())
        #expect(try third.send("GET", "/api/session", headers).status == 401)
        let changed = try PageFixture { settings in _ = settings.tokens.removeLast() }
        #expect(try changed.send("GET", "/api/session", headers).status == 401)
    }
}
