import Support
import Testing
import WireProtocol

@testable import WebInterface

/// Enrolment over HTTP.
@Suite(.inTurn) struct EnrolmentTests {
    private static func fixture() throws -> PageFixture {
        let fixture = try PageFixture()
        fixture.page.board.set("nodes/kitchen/status", Array("\"online\"".utf8))
        fixture.page.board.set("nodes/attic/status", Array("\"offline\"".utf8))
        return fixture
    }

    private static func post(_ fixture: PageFixture, _ body: String, as token: String = PageFixture.operator) throws
        -> (
            status: Int, body: String
        )
    {
        let answer = try fixture.send("POST", "/api/enrolment", [PageFixture.json], body: body, as: token)
        return (answer.status, answer.body)
    }

    @Test func asksANodeThatIsOnline() throws {
        let fixture = try Self.fixture()
        #expect(try Self.post(fixture, #"{"node":"kitchen"}"#).status == 200)
        #expect(try fixture.send("DELETE", "/api/enrolment/kitchen", as: PageFixture.operator).status == 200)
        #expect(fixture.asked.map(\.action) == [.enrol(.begin(node: "kitchen")), .enrol(.end(node: "kitchen"))])
        #expect(fixture.asked.allSatisfy { $0.action.isWrite })
    }

    @Test func saysWhatIsWrong() throws {
        let fixture = try Self.fixture()
        for (body, status, part) in [
            (#"{"node":"attic"}"#, 409, "start its agent"), (#"{"node":"cellar"}"#, 404, "/api/nodes"),
            (#"{"node":"The attic"}"#, 422, "id of a node"), (#"{"nodes":"attic"}"#, 422, "unknown key 'nodes'"),
            ("{", 400, "JSON"),
        ] {
            let answer = try Self.post(fixture, body)
            #expect(answer.status == status && answer.body.contains(part), "\(body): \(answer.body)")
        }
        #expect(try Self.post(fixture, #"{"node":"kitchen"}"#, as: PageFixture.viewer).status == 403)
        #expect(fixture.asked.isEmpty)
    }

    /// Reports of strangers' tags are sent to those alone who ask for them, and are gone with the end.
    @Test func showsWhatIsNearToThoseWhoAsk() {
        let board = Board(epoch: "a", state: BoardState())
        var feed = BoardFeed(board, PlanShelf(), topics: Topics(), fuser: "main")
        feed.set(enrolment: Array("{}".utf8), of: "kitchen")
        #expect(!TopicSelection.standard.includes("enrolment/kitchen"))
        #expect(TopicSelection("enrolment/kitchen")?.includes("enrolment/kitchen") == true)
        #expect(board.value("enrolment/kitchen") != nil)
        feed.set(enrolment: nil, of: "kitchen")
        #expect(board.value("enrolment/kitchen") == nil)
    }
}
