import Support
import Testing
import Web

@testable import WebInterface

/// True rooms over HTTP.
@Suite(.inTurn) struct TruthTests {
    private static func post(_ body: String, as token: String = PageFixture.viewer) throws -> (
        status: Int, body: String, asked: [PageRequest.Action]
    ) {
        let fixture = try PageFixture()
        let answer = try fixture.send("POST", "/api/truth", [PageFixture.json], body: body, as: token)
        return (answer.status, answer.body, fixture.asked.map(\.action))
    }

    @Test func takesTheRoomOfWhoeverCarriesAnItem() throws {
        let now = try Self.post(#"{"item":"keys","room":"hall"}"#)
        #expect(now.status == 200 && now.asked == [.truth(.mark(item: "keys", room: "hall", ago: .zero))])
        let end = try Self.post(#"{"item":"keys","room":null,"ago":12.5}"#)
        #expect(end.asked == [.truth(.mark(item: "keys", room: nil, ago: .milliseconds(12_500)))])
        #expect(try Self.post(#"{"item":"keys","room":"hall","ago":600}"#).status == 200)
    }

    @Test func saysWhatIsWrongAndTheMend() throws {
        for (body, part) in [
            (#"{"item":"keys"}"#, "null to end the walk"), (#"{"room":"hall"}"#, "'item'"),
            (#"{"item":"keys","room":"The hall"}"#, "'room'"),
            (#"{"item":"keys","room":"hall","ago":601}"#, "600 seconds"),
            (#"{"item":"keys","room":"hall","ago":-1}"#, "'ago'"),
            (#"{"item":"keys","room":"hall","at":1}"#, "unknown key 'at'"),
        ] {
            let answer = try Self.post(body)
            #expect(
                answer.status == 422 && answer.body.contains(part) && answer.asked.isEmpty, "\(body): \(answer.body)")
        }
        #expect(try Self.post("[").status == 400)
    }

    @Test func letsOperatorsForget() throws {
        let fixture = try PageFixture()
        #expect(try fixture.send("DELETE", "/api/truth/keys", as: PageFixture.viewer).status == 403)
        #expect(try fixture.send("DELETE", "/api/truth/keys", as: PageFixture.operator).status == 200)
        #expect(try fixture.send("GET", "/api/truth/keys", as: PageFixture.viewer).status == 200)
        #expect(try fixture.send("GET", "/api/truth/keys/truth.csv", as: PageFixture.viewer).status == 200)
        #expect(try fixture.send("GET", "/api/truth/keys").status == 401)
        #expect(
            fixture.asked.map(\.action) == [
                .truth(.forget(item: "keys")), .truth(.report(item: "keys")), .truth(.table(item: "keys")),
            ])
        #expect(fixture.asked.map(\.action.isWrite) == [true, false, false], "a mark has its user itself")
        let table = PageRequest.Answer.table(Array("a,b\n".utf8), name: "truth.csv").response
        #expect(table.status == 200 && table.headers.contains(.init("Content-Type", "text/csv")))
    }
}
