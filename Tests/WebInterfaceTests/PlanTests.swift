import Bytes
import Configuration
import Support
import Testing
import Web
import WireProtocol

@testable import WebInterface

/// The plan of the house over HTTP.
@Suite(.inTurn) struct PlanTests {
    private static let text = """
        {"rev":3,"floors":[{"id":"ground","picture":true,"metres":[10,8]}],"rooms":[{"id":"hall","name":"Ann's hall",\
        "floor":"ground","polygon":[[4,0],[6,0],[6,3.25]]},{"id":"kitchen","floor":"ground","polygon":[[0,0],[4,0],[4,3]]}],\
        "doors":[["hall","kitchen"]],"nodes":[{"id":"stove","x":1,"y":2,"z":1.5},{"id":"door","x":9,"y":9,"z":9}]}
        """
    private static let png =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [UInt8](repeating: 7, count: 20)

    private static func plan() throws -> HousePlan { try HousePlan(payload: Array(text.utf8).span) }

    private static func house() -> PageHouse {
        PageHouse(
            fuser: "main", version: "1",
            rooms: [
                .init(
                    id: "kitchen", name: "Kitchen", floor: nil,
                    polygon: [.init(x: 0, y: 0), .init(x: 5, y: 0), .init(x: 5, y: 5)], nextTo: []),
                .init(id: "hall", name: nil, floor: nil, polygon: [], nextTo: []),
            ],
            nodes: [
                .init(id: "door", room: "hall", place: .init(x: 5, y: 1, z: 1)),
                .init(id: "stove", room: "kitchen", place: nil),
            ], persons: [])
    }

    @Test func showsAnEmptyPlanAtFirst() throws {
        let fixture = try PageFixture()
        let answer = try fixture.send("GET", "/api/plan", as: PageFixture.viewer)
        #expect(answer.status == 200 && answer.head.contains("ETag: \"0\"") && answer.body.contains("\"rooms\":[]"))
    }

    @Test func marksWhatTheFileSays() throws {
        let house = Self.house().drawn(by: try Self.plan())
        #expect(house.rooms.map(\.from) == [.file, .plan] && house.nodes.map(\.from) == [.file, .plan])
        #expect(
            house.rooms[0].polygon.count == 3 && house.rooms[0].polygon[1].x == 5 && house.rooms[0].name == "Kitchen")
        #expect(
            house.rooms[1].name == "Ann's hall" && house.rooms[1].floor == "ground"
                && house.rooms[1].nextTo == ["kitchen"])
        #expect(house.nodes[0].place?.x == 5 && house.nodes[1].place?.z == 1.5 && house.nodes[1].room == "kitchen")
        var json = JSONWriter()
        house.write(to: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text.contains(#""rev":3,"floors":[{"id":"ground","picture":true,"metres":[10,8]}]"#))
        #expect(text.contains(#""next_to":["kitchen"],"from":"plan"}"#))
    }

    @Test func refusesAPlanThatDoesNotFitBesideTheConfiguration() throws {
        let house = Self.house()
        var plan = HousePlan(revision: 1, at: Timestamp(microseconds: 0), by: "anna")
        plan.rooms = (0..<HousePlan.roomLimit - 2).map { .init(id: "r\($0)") } + [.init(id: "kitchen")]
        #expect(house.excess(of: plan) == nil)
        plan.rooms.append(.init(id: "attic"))
        let words = try #require(house.excess(of: plan))
        #expect(words.contains("2 rooms and those of the plan are 1025 together") && words.contains("Remove 1 of them"))
        plan.rooms = []
        plan.nodes = (0..<HousePlan.nodeLimit - 1).map { .init(id: "n\($0)", x: 0, y: 0) }
        #expect(house.excess(of: plan)?.contains("1025 together, and a house has 1024 at most") == true)
    }

    @Test func tellsTheRulesOfAlerts() throws {
        var house = Self.house()
        var rule = PageRule(id: "in_room-cat", kind: "in_room", item: "cat", grace: .milliseconds(1500))
        (rule.rooms, rule.companions, rule.volts) = (["hall"], ["anna"], 2.4)
        (rule.interval, rule.atMost, rule.hours) = (.minutes(10), 5, .init(from: 79_200, to: 25_260))
        house.rules = [rule, PageRule(id: "a", kind: "not_heard", item: "keys", grace: .days(1))]
        var json = JSONWriter()
        house.write(to: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(
            text.contains(
                #""rules":[{"id":"in_room-cat","kind":"in_room","item":"cat","with":["anna"],"rooms":["hall"],"below":2.4,"#
                    + #""grace":1.5,"repeat":600,"at_most":5,"hours":{"from":"22:00","to":"07:01"}},"#
                    + #"{"id":"a","kind":"not_heard","item":"keys","grace":86400}]"#))
    }

    @Test func exportsWhatAConfigurationReads() throws {
        let fixture = try PageFixture()
        let house = Self.house().drawn(by: try Self.plan())
        fixture.page.plans.set(try Self.plan(), house)
        let answer = try fixture.send("GET", "/api/plan/yaml", as: PageFixture.viewer)
        #expect(answer.status == 200 && answer.head.contains("Content-Type: application/yaml"))
        let configuration = try FuserConfiguration.load(
            text: "mqtt: {url: 'mqtt://h'}\n" + answer.body, file: "f")
        #expect(configuration.rooms.map(\.id) == ["kitchen", "hall"] && configuration.rooms[1].name == "Ann's hall")
        #expect(
            configuration.rooms[1].polygon.map(\.y) == [0, 0, 3.25] && configuration.rooms[1].nextTo == ["kitchen"])
        #expect(configuration.nodes.first { $0.id == "stove" }?.position?.z == 1.5)
    }

    @Test func handsAPlanToTheFuserWithTheRevisionItWasMadeOf() throws {
        let fixture = try PageFixture()
        let headers = [PageFixture.json, "If-Match: \"3\""]
        #expect(try fixture.send("PUT", "/api/plan", headers, body: Self.text, as: PageFixture.operator).status == 200)
        #expect(fixture.asked.map(\.action) == [.putPlan(try Self.plan(), madeOf: 3)])
        #expect(fixture.asked[0].action.isWrite)
        #expect(
            try fixture.send("PUT", "/api/plan", [PageFixture.json], body: Self.text, as: PageFixture.admin).status
                == 200)
        #expect(fixture.asked.last?.action == .putPlan(try Self.plan(), madeOf: nil))
        let others = [PageFixture.json, "If-Match: 3"]
        #expect(try fixture.send("PUT", "/api/plan", others, body: Self.text, as: PageFixture.operator).status == 412)
        #expect(try fixture.send("PUT", "/api/plan", headers, body: Self.text, as: PageFixture.viewer).status == 403)
        #expect(fixture.asked.count == 2)
    }

    @Test func namesThePlaceOfAFault() throws {
        let fixture = try PageFixture()
        let body = Self.text.replacing("[6,3.25]", with: "[6]")
        let answer = try fixture.send("PUT", "/api/plan", [PageFixture.json], body: body, as: PageFixture.operator)
        #expect(answer.status == 422 && answer.body.contains("'rooms[0].polygon[2]' is out of range"))
        #expect(
            try fixture.send("PUT", "/api/plan", [PageFixture.json], body: "[", as: PageFixture.operator).status == 400)
    }

    /// Only those who may send one are let in with a large body.
    @Test func takesLargePlansOfOperatorsAlone() throws {
        let fixture = try PageFixture()
        let long = "{\"rev\":1,\"x\":\"" + String(repeating: "a", count: 200_000) + "\"}"
        #expect(
            try fixture.send("PUT", "/api/plan", [PageFixture.json], body: long, as: PageFixture.operator).status == 200
        )
        #expect(fixture.asked.count == 1)
        for token in [PageFixture.viewer, nil] {
            let client = try RawClient(port: fixture.page.port)
            let right = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            client.send(
                "PUT /api/plan HTTP/1.1\r\nHost: a\r\n\(right)Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
            )
            #expect(client.receive().hasPrefix("HTTP/1.1 413"))
        }
        let client = try RawClient(port: fixture.page.port)
        let head =
            "Authorization: Bearer \(PageFixture.operator)\r\nContent-Type: application/json\r\nContent-Length: 1000001"
        client.send("PUT /api/plan HTTP/1.1\r\nHost: a\r\n\(head)\r\n\r\n")
        #expect(client.receive().hasPrefix("HTTP/1.1 413"))
    }

    @Test func servesPicturesAsWhatTheyAre() throws {
        let fixture = try PageFixture()
        #expect(fixture.page.plans.set(picture: Self.png, of: "ground"))
        #expect(!fixture.page.plans.set(picture: Array("<svg onload=alert(1)>".utf8), of: "attic"))
        let answer = try fixture.send("GET", "/api/plan/pictures/ground", as: PageFixture.viewer)
        #expect(answer.status == 200 && answer.head.contains("Content-Type: image/png"))
        #expect(answer.head.contains("X-Content-Type-Options: nosniff"))
        #expect(try fixture.send("GET", "/api/plan/pictures/attic", as: PageFixture.viewer).status == 404)
        fixture.page.plans.set(picture: [], of: "ground")
        #expect(try fixture.send("GET", "/api/plan/pictures/ground", as: PageFixture.viewer).status == 404)
    }

    @Test func takesNoPictureThatIsNone() throws {
        let fixture = try PageFixture()
        let path = "/api/plan/pictures/ground"
        let svg = "<svg/>"
        #expect(
            try fixture.send("PUT", path, ["Content-Type: image/svg+xml"], body: svg, as: PageFixture.operator).status
                == 415)
        #expect(
            try fixture.send("PUT", path, ["Content-Type: image/png"], body: svg, as: PageFixture.operator).status
                == 422)
        let webp = "RIFF1234WEBPVP8 "
        #expect(
            try fixture.send("PUT", path, ["Content-Type: image/webp"], body: webp, as: PageFixture.operator).status
                == 200)
        #expect(fixture.asked.map(\.action) == [.putPicture(floor: "ground", Array(webp.utf8))])
        #expect(
            try fixture.send("PUT", path, ["Content-Type: image/webp"], body: webp, as: PageFixture.viewer).status
                == 403)
    }
}
