import Support
import Testing
import WireProtocol

@testable import WebInterface

/// Offsets of nodes, their reception, and the doctor over HTTP.
@Suite(.inTurn) struct NodesTests {
    private static func fixture() throws -> PageFixture {
        let fixture = try PageFixture()
        fixture.page.board.set("nodes/kitchen/status", Array("\"online\"".utf8))
        fixture.page.board.set(
            "nodes/kitchen/info",
            Array(
                """
                {"v":1,"version":"1","room":"kitchen","adapter":"hci0","features":[],"started":1,"epoch":"e","settings":\
                {"window":1,"publish":"all","offset_db":3,"overridden":[]},"registry":"","missing_keys":["phone"]}
                """.utf8))
        fixture.page.board.set("nodes/den/status", Array("\"offline\"".utf8))
        return fixture
    }

    @Test func setsTheOffsetOfANodeThatIsConnected() throws {
        let fixture = try Self.fixture()
        func put(_ body: String, _ node: String = "kitchen", as token: String = PageFixture.admin) throws -> Int {
            try fixture.send("PUT", "/api/nodes/\(node)/offset", [PageFixture.json], body: body, as: token).status
        }
        #expect(try put(#"{"offset_db":-6}"#) == 200)
        #expect(try put(#"{"offset_db":41}"#) == 422)
        #expect(try put(#"{"offset_db":1.5}"#) == 422)
        #expect(try put(#"{"offset_db":1,"window":2}"#) == 422)
        #expect(try put("{}") == 422)
        #expect(try put(#"{"offset_db":null}"#) == 400)
        #expect(try put(#"{"offset_db":1}"#, "den") == 409)
        #expect(try put(#"{"offset_db":1}"#, "attic") == 404)
        // An offset is a setting of a node, which the right to operate does not change over MQTT either.
        for token in [PageFixture.viewer, PageFixture.operator] {
            #expect(try put(#"{"offset_db":1}"#, as: token) == 403)
            let refused = try fixture.send("DELETE", "/api/nodes/kitchen/offset", as: token)
            #expect(refused.status == 403)
        }
        let answer = try fixture.send("DELETE", "/api/nodes/kitchen/offset", as: PageFixture.admin)
        #expect(answer.status == 200)
        #expect(
            fixture.asked.map(\.action) == [
                .setOffset(node: "kitchen", -6), .setOffset(node: "kitchen", nil),
            ])
        #expect(!fixture.asked.contains { !$0.action.isWrite }, "The audit has them.")
    }

    @Test func asksTheDoctorWithAllNodes() throws {
        let fixture = try Self.fixture()
        #expect(try fixture.send("GET", "/api/doctor").status == 401)
        #expect(try fixture.send("GET", "/api/doctor", as: PageFixture.viewer).status == 200)
        guard case .doctor(let nodes)? = fixture.asked.first?.action else { throw Missing() }
        #expect(nodes.map(\.id) == ["den", "kitchen"] && nodes.map(\.status) == ["offline", "online"])
        #expect(nodes.last?.info?.missingKeys == ["phone"] && nodes.first?.info == nil)
    }

    @Test func makesReceptionOnlyWhileAStreamAsksForIt() throws {
        let fixture = try Self.fixture()
        let board = fixture.page.board
        func open(_ topics: String) throws -> RawClient {
            let client = try RawClient(port: fixture.page.port)
            client.send(
                "GET /events\(topics) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(PageFixture.viewer)\r\n\r\n")
            return client
        }
        let plain = try open("")
        _ = plain.receive(until: "ready")
        #expect(!board.isReceptionFollowed)
        do {
            let client = try open("?topics=reception")
            _ = client.receive(until: "ready")
            #expect(board.isReceptionFollowed)
            board.set("reception", Array("{\"nodes\":{}}".utf8))
            fixture.page.showChanges()
            #expect(client.receive(until: "nodes").contains(#"[["reception",{"nodes":{}}]]"#))
        }
        let isOver = waitUntil(10) {
            board.set("reception", Array("\(Int.random(in: 0...1_000_000))".utf8))
            fixture.page.showChanges()
            return !board.isReceptionFollowed
        }
        #expect(isOver)
        board.followReception()
        board.set("reception", Array("{}".utf8))
        board.unfollowReception()
        #expect(board.value("reception") == nil, "What nobody follows is not shown for ever.")
        #expect(!plain.receive(until: "reception", seconds: 1).contains("reception"), "Others don't get it.")
    }

    private struct Missing: Error {}
}
