import Bytes
import Foundation
import Testing

@testable import Operator
@testable import RoomEstimation

/// A folder of small files that is removed with its owner.
private final class Files {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "whereabouts-locate-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ name: String, _ text: String) throws -> String {
        let path = folder + "/" + name
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// The fault of a house, its folder left out.
    func homeFault(_ text: String) throws -> String? {
        do {
            _ = try HomeFile.read(try write("home.json", text))
            return nil
        } catch { return "\(error)".replacingOccurrences(of: folder + "/", with: "") }
    }

    /// The fault of packets and stays in a house with one room and node.
    func fault(sightings: String = "t_s,session,tag,receiver,rssi_dbm\n", truth: String? = nil) throws -> String? {
        var house = House()
        house.addNode("n1", room: house.addRoom("r1"))
        do {
            _ = try SightingsFile(try write("test.csv", sightings), in: house)
            if let truth { _ = try TruthFile(try write("truth.csv", truth), in: house) }
            return nil
        } catch { return "\(error)".replacingOccurrences(of: folder + "/", with: "") }
    }
}

@Suite("whereabouts locate")
struct LocateCommandTests {
    @Test("Read a home's rooms, floors, doors and receivers; skip unknown keys")
    func home() throws {
        let files = try Files()
        let path = try files.write(
            "home.json",
            """
            {"made_by": {"x": [1]}, "rooms": ["hall", {"id": "attic", "floor": "upper", "next_to": ["hall"],
             "polygon": [[0, 0], [4.5, 0], [4.5, 3]]}],
             "receivers": {"n2": {"room": "attic", "x": 1, "y": 2.5, "z": 0, "note": null}, "n1": {}}}
            """)
        let house = try HomeFile.read(path)
        #expect(house.rooms.map(\.id) == ["hall", "attic"])
        #expect(house.rooms[1].floor == "upper")
        #expect(house.rooms[1].outline.map(\.x) == [0, 4.5, 4.5] && house.rooms[1].outline.map(\.y) == [0, 0, 3])
        #expect(house.rooms[0].outline.isEmpty)
        #expect(house.rooms[0].nextTo == [1])
        #expect(house.nodes.map(\.id) == ["n2", "n1"])
        #expect(house.nodes[0].position == House.Position(x: 1, y: 2.5, z: 0))
        #expect(house.nodes[1].room == nil)
    }

    @Test("Report the faults of a home with their lines")
    func homeFaults() throws {
        let files = try Files()
        #expect(try files.homeFault("{\n\"rooms\": [\n1]}")?.hasPrefix("home.json:3: expected an object") == true)
        #expect(try files.homeFault("{}") == "home.json: no rooms")
        #expect(
            try files.homeFault("{\"rooms\": [\"a\"],\n\n\"receivers\": {\"n\": {\"room\": \"b\"}}}")
                == "home.json:3: receiver 'n': no room 'b'")
        #expect(
            try files.homeFault("{\"rooms\": [{\"id\": \"a\",\n\"next_to\": [\"c\"]}]}")
                == "home.json:2: next_to: no room 'c'")
        #expect(try files.homeFault("{\"rooms\": [\"a\"")?.hasPrefix("home.json:1: ") == true)
        #expect(
            try files.homeFault("{\"rooms\": [{\"id\": \"a\",\n\"polygon\": [[1, 2], [3]]}]}")
                == "home.json:2: expected a number")
    }

    @Test("Report the faults of packets and stays with their lines")
    func rowFaults() throws {
        let files = try Files()
        let head = "t_s,session,tag,receiver,rssi_dbm\n"
        let stays = "session,tag,t_start,t_end,room\n"
        let cases: [(sightings: String, truth: String?, fault: String?)] = [
            (head + "1,s,t,n1,-60\n1,s,t,n9,-60\n1,s,t,n1,127\n", stays + "s,t,0,5,r1\n", nil),
            (head + "1,s,t,n1,-60\nx,s,t,n1,-60\n", nil, "test.csv:3: t_s: 'x' is not a number"),
            (head + "nan,s,t,n1,-60\n", nil, "test.csv:2: t_s: 'nan' is not a number"),
            (head + "1e300,s,t,n1,-60\n", nil, "test.csv:2: t_s: out of range"),
            (head + "1,s,t,n1,1e308\n", nil, "test.csv:2: rssi_dbm: 1e+308 is not within -127 to 20"),
            (head + "1,s,t,n1,-6\n1e9,s,t,n1,-6\n", nil, "test.csv: session 's' is longer than 100 days"),
            (head, stays + "s,t,5,0,r1\n", "truth.csv:2: t_end is before t_start"),
            (head, stays + "s,t,0,5,r2\n", "truth.csv:2: no room 'r2'"),
        ]
        for (sightings, truth, fault) in cases { #expect(try files.fault(sightings: sightings, truth: truth) == fault) }
    }

    @Test("Convert packets to hops of one second, stamped at their end, the empty ones included")
    func hops() throws {
        let files = try Files()
        var house = House()
        house.addNode("n1", room: house.addRoom("r1"))
        house.addNode("n2")
        let path = try files.write(
            "test.csv",
            """
            t_s,session,tag,receiver,rssi_dbm
            13.2,s,t,n2,-50
            10.1,s,t,n1,-60
            11.0,s,t,n1,-70
            11.001,s,"t",n1,-80
            10.5,s,other,n1,-40
            """)
        let sightings = try SightingsFile(path, in: house)
        #expect(sightings.keys.map(\.tag) == ["t", "other"])
        let hops = sightings.hops(sightings.keys[0])
        #expect(hops.map(\.end.seconds) == [11, 12, 13, 14])
        #expect(hops.map { $0.readings.map(\.level) } == [[-65], [-80], [], [-50]])
        #expect(hops[0].readings[0].count == 2)
        let truth = try TruthFile(
            try files.write("truth.csv", "session,tag,t_start,t_end,room\ns,t,11.5,13,r1\n"), in: house)
        #expect(truth.recording(sightings.keys[0], hops: hops)?.rooms == [nil, 0, nil, nil])
        #expect(truth.recording(sightings.keys[1], hops: []) == nil)
    }

    @Test("Exit with 2 for wrong usage, 1 for a fault in a file, 0 for help")
    func statuses() throws {
        let files = try Files()
        let home = try files.write("home.json", "{\"rooms\": [\"r1\"], \"receivers\": {\"n1\": {\"room\": \"r1\"}}}")
        let sightings = try files.write("test.csv", "t_s,session,tag,receiver,rssi_dbm\n")
        #expect(LocateCommand.run(["--home", home]) == 2)
        #expect(LocateCommand.run(["--home", home, "--sightings", sightings, "--learn-truth", "x"]) == 2)
        #expect(LocateCommand.run(["--home", home, "--sightings", files.folder + "/none.csv"]) == 1)
        #expect(LocateCommand.run(["--home", home, "--sightings", files.folder]) == 1)
    }
}
