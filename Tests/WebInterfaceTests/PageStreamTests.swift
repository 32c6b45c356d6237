import Support
import Testing

@testable import WebInterface

/// The events of the board over HTTP.
@Suite(.inTurn) struct PageStreamTests {
    private static func open(
        _ fixture: PageFixture, _ headers: [String], path: String = "/events"
    ) throws -> RawClient {
        let client = try RawClient(port: fixture.page.port)
        client.send((["GET \(path) HTTP/1.1", "Host: a"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        return client
    }

    @Test func beginsWithASnapshotAndGoesOn() throws {
        let fixture = try PageFixture()
        let board = fixture.page.board
        board.set("items/keys/location", Array(#"{"room":"hall"}"#.utf8))
        let (cookie, csrf) = try fixture.signIn(PageFixture.viewer)
        let client = try Self.open(fixture, ["Cookie: \(cookie)"])
        let begin = client.receive(until: "event: ready\ndata: {}\n\n")
        #expect(begin.contains("event: reset\ndata: {\"epoch\":\"\(board.epoch)\"}\n\n"))
        #expect(begin.contains("id: \(board.epoch)-1\ndata: [[\"items/keys/location\",{\"room\":\"hall\"}]]\n\n"))
        board.set("items/keys/location", Array(#"{"room":"den"}"#.utf8))
        board.set("items/cat/location", Array(#"{"room":"den"}"#.utf8))
        fixture.page.showChanges()
        #expect(client.receive(until: "cat").contains("id: \(board.epoch)-3\n"))

        // Another stream goes on where this one was.
        board.set("items/keys/location", nil)
        let second = try Self.open(fixture, ["Cookie: \(cookie)", "Last-Event-ID: \(board.epoch)-3"])
        let rest = second.receive(until: "event: ready\ndata: {}\n\n")
        #expect(!rest.contains("reset") && rest.contains("data: [[\"items/keys/location\",null]]\n\n"))
        let third = try Self.open(fixture, ["Cookie: \(cookie)"], path: "/events?last=\(board.epoch)-2")
        #expect(third.receive(until: "ready").contains("cat"))

        // All of them end with the session.
        let end = try fixture.send("DELETE", "/api/session", ["Cookie: \(cookie)", "X-CSRF-Token: \(csrf)"])
        #expect(end.status == 204)
        #expect(client.receive(until: "\r\n0\r\n\r\n", seconds: 3).contains("0\r\n\r\n"))
        for stream in [second, third] { #expect(stream.receive(until: "0\r\n\r\n").contains("0\r\n\r\n")) }
    }

    @Test func followsLevelsWhileAStreamAsks() throws {
        let fixture = try PageFixture()
        let board = fixture.page.board
        do {
            let client = try Self.open(
                fixture, ["Authorization: Bearer \(PageFixture.viewer)"], path: "/events?topics=levels/keys")
            _ = client.receive(until: "ready")
            #expect(board.isFollowed(levelsOf: "keys"))
        }
        // The server finds the client gone when it has something to send.
        let isOver = waitUntil(10) {
            board.set("levels/keys", Array("\(Int.random(in: 0...1_000_000))".utf8))
            fixture.page.showChanges()
            return !board.isFollowed(levelsOf: "keys")
        }
        #expect(isOver)
    }
}
