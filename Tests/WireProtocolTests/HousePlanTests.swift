import Bytes
import Testing
import WireProtocol

@Suite("The plan of a house")
struct HousePlanTests {
    private static let text = """
        {"v":1,"rev":7,"at":1700000000,"by":"anna","floors":[{"id":"ground","name":"Ground floor","picture":true,\
        "metres":[12.5,8]}],"rooms":[{"id":"kitchen","name":"Kitchen","floor":"ground","polygon":[[0,0],[4,0],[4,3.5]]}],\
        "doors":[["kitchen","hall"]],"nodes":[{"id":"stove","x":0.5,"y":1,"z":1.2}]}
        """

    private func fault(_ text: String) -> String? {
        do throws(PayloadFault) {
            _ = try HousePlan(payload: Array(text.utf8).span)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("is read, and written, as it is on its topic")
    func roundTrip() throws {
        let plan = try HousePlan(payload: Array(Self.text.utf8).span)
        #expect(plan.revision == 7 && plan.by == "anna")
        #expect(plan.rooms.first?.polygon.count == 3 && plan.doors == [HousePlan.Door("kitchen", "hall")])
        #expect(plan.nodes == [HousePlan.Node(id: "stove", x: 0.5, y: 1, z: 1.2)])
        #expect(try HousePlan(payload: plan.payload.span) == plan)
    }

    @Test(
        "names the place of what it can't have",
        arguments: [
            (#""id":"kitchen""#, #""id":"Kitchen""#, "'rooms[0].id' is out of range"),
            (#"[4,3.5]]"#, #"[4,3.5,1]]"#, "'rooms[0].polygon[2]' is out of range"),
            (#",[4,3.5]]"#, "]", "'rooms[0].polygon' is out of range"),
            (#""floor":"ground""#, #""floor":"attic""#, "'rooms[0].floor' is out of range"),
            (#"["kitchen","hall"]"#, #"["kitchen","kitchen"]"#, "'doors[0]' is out of range"),
            (#""x":0.5,"#, "", "'nodes[0].x' is out of range"),
            (#""x":0.5"#, #""x":10001"#, "'nodes[0].x' is out of range"),
            (#""rev":7,"#, "\"rev\":7,\"by\":\"\u{9A}\",", "'by' is out of range"),
            (#"[12.5,8]"#, #"[12.5,0]"#, "'floors[0].metres' is out of range"),
            (#""rev":7,"#, "", "'rev' is missing"),
        ])
    func faults(old: String, new: String, words: String) {
        #expect(Self.text.contains(old))
        #expect(fault(Self.text.replacing(old, with: new)) == words)
    }

    @Test("has bounds")
    func bounds() {
        func plan(_ key: String, _ element: (Int) -> String, _ count: Int) -> String {
            "{\"rev\":1,\"\(key)\":[\((0..<count).map(element).joined(separator: ","))]}"
        }
        let room = { (index: Int) in "{\"id\":\"r\(index)\"}" }
        #expect(fault(plan("rooms", room, 1024)) == nil)
        #expect(fault(plan("rooms", room, 1025)) == "'rooms' has more than 1024 entries")
        #expect(fault(plan("floors", room, 64)) == nil)
        #expect(fault(plan("floors", room, 65)) == "'floors' has more than 64 entries")
        #expect(fault(plan("rooms", { _ in "{\"id\":\"a\"}" }, 2)) == "'rooms[1].id' is out of range")
        let corners = { (count: Int) in
            "{\"rev\":1,\"rooms\":[{\"id\":\"a\",\"polygon\":["
                + Array(repeating: "[1,2]", count: count).joined(separator: ",")
                + "]}]}"
        }
        #expect(fault(corners(1000)) == nil)
        #expect(fault(corners(1001)) == "'rooms[0].polygon' has more than 1000 entries")
        let long = "{\"rev\":1,\"x\":\"" + String(repeating: "a", count: 600_000) + "\"}"
        #expect(fault(long) == "longer than 524288 bytes")
    }

    @Test("of the higher revision is in force; of one revision the later one")
    func order() {
        func plan(_ revision: UInt64, _ second: Int64, _ user: String = "a") -> HousePlan {
            HousePlan(revision: revision, at: Timestamp(microseconds: second), by: user)
        }
        #expect(plan(1, 1).isNewer(than: nil))
        #expect(plan(2, 1).isNewer(than: plan(1, 9)) && !plan(1, 9).isNewer(than: plan(2, 1)))
        #expect(plan(2, 2).isNewer(than: plan(2, 1)) && !plan(2, 2).isNewer(than: plan(2, 2)))
    }

    @Test("A picture is known by its first bytes")
    func pictures() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        #expect(FloorPicture(png) == .png)
        #expect(FloorPicture([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(FloorPicture(Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8)) == .webp)
        #expect(FloorPicture(Array("<svg xmlns".utf8)) == nil && FloorPicture([]) == nil)
        #expect(FloorPicture(png + [UInt8](repeating: 0, count: 900_000)) == nil)
    }

    @Test("Its topics are known")
    func topics() {
        let topics = Topics()
        #expect(topics.kind(of: topics.housePlan) == .housePlan)
        #expect(topics.kind(of: topics.floorPicture("ground")) == .floorPicture(floor: "ground"))
        #expect(topics.kind(of: "whereabouts/house/pictures/A") == nil && topics.kind(of: "whereabouts/house/x") == nil)
    }
}
