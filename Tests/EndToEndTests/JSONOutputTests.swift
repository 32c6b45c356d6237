import Foundation
import Support
import Testing

/// The output of commands without a broker with `--json`: lines that are objects, with the keys that their help names.
@Suite struct JSONOutputTests {
    /// The objects of the lines that a command prints; none if it fails.
    private func objects(_ words: [String]) throws -> [[String: Any]] {
        let outcome = try Execution.run(Execution.path(of: "whereabouts"), words + ["--json"])
        #expect(outcome.status == 0, "\(words): \(outcome.error)")
        #expect(!outcome.error.contains("["), "no bar in a pipe")
        return try outcome.lines.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    private func keys(_ words: [String]) throws -> [Set<String>] { try objects(words).map { Set($0.keys) } }

    @Test("Enrol, list rights and revoke")
    func fleet() throws {
        let folder = try TemporaryFolder()
        let fleet = ["--fleet", folder.file("fleet")]
        let made = try objects(
            ["enroll", "kitchen", "--fuser", "main", "--user", "anna", "--broker", "mqtts://broker.lan"] + fleet)
        #expect(made.compactMap { $0["name"] as? String } == ["kitchen", "fuser-main", "anna"])
        #expect(made.allSatisfy { Set($0.keys) == ["name", "folder"] })
        let rights = try objects(["acl", folder.file("fleet/kitchen/agent.yaml"), "--operator", "anna"])
        #expect(rights.compactMap { $0["user"] as? String } == ["kitchen", "anna"])
        let rules = try #require(rights.first?["rules"] as? [[String: String]])
        #expect(rules.contains(["right": "readwrite", "topic": "whereabouts/nodes/kitchen/status"]))
        #expect(try keys(["revoke", "kitchen"] + fleet) == [["name", "certificates", "passwords"]])
    }

    @Test("Simulate and check a file of items")
    func files() throws {
        let truth = try keys(["simulate", Deployment.flat, "--truth", "--from", "1000000", "--for", "60"])
        #expect(!truth.isEmpty && truth.allSatisfy { $0 == ["start", "end", "item", "room"] })
        let items = Repository.root + "/etc/examples/simulation/items.yaml"
        let found = try keys(["items", "import", items, "--dry-run"])
        #expect(!found.isEmpty && found.allSatisfy { $0.isSuperset(of: ["id", "effect"]) })
    }

    @Test("Back up, preview and restore")
    func backups() throws {
        let folder = try TemporaryFolder(), target = try TemporaryFolder()
        let text = "name: main\nmqtt: {url: \"mqtt://127.0.0.1:\(try Broker.freePort())\"}\n"
        let source = try folder.write(Array(text.utf8), to: "fuser.yaml")
        let backup = folder.file("house.backup")
        let made = try objects(["backup", backup, "--config", source])
        #expect(made.count == 1 && made.first?["file"] as? String == backup && made.first?["parts"] as? Int == 1)
        #expect(made.first?["bytes"] as? Int == (try Data(contentsOf: URL(filePath: backup))).count)
        #expect((made.first?["left_out"] as? [String])?.contains("what the broker retains") == true, "\(made)")
        let words = ["restore", backup, "--config", target.file("fuser.yaml")]
        let preview = try objects(words + ["--dry-run"])
        #expect(preview.count == 1 && !FileManager.default.fileExists(atPath: target.file("fuser.yaml")))
        let keys: Set = ["backup", "made", "version", "states", "files", "folders", "left_out", "broker"]
        #expect(preview.map { Set($0.keys) } == [keys], "\(preview)")
        let files = try #require(preview.first?["files"] as? [[String: Any]])
        #expect(files.compactMap { $0["fate"] as? String } == ["written"], "\(files)")
        let restored = try objects(words + ["--yes"])
        #expect(restored.count == 2 && restored.last?["restored"] as? Bool == true, "\(restored)")
        #expect(FileManager.default.fileExists(atPath: target.file("fuser.yaml")))
        let again = try objects(words + ["--dry-run"])
        #expect((again.first?["files"] as? [[String: Any]])?.first?["fate"] as? String == "same", "\(again)")
    }

    @Test("Locate: the same rows as in CSV")
    func locate() throws {
        let folder = try TemporaryFolder()
        let home = #"{"rooms": ["hall", "attic"], "receivers": {"n1": {"room": "hall"}, "n2": {"room": "attic"}}}"#
        let packets = (0..<60).flatMap { ["\($0),\"a,b\",tag,n1,-55", "\($0),\"a,b\",tag,n2,-85"] }
        let text = (["t_s,session,tag,receiver,rssi_dbm"] + packets).joined(separator: "\n") + "\n"
        let words = [
            "locate", "--home", try folder.write(Array(home.utf8), to: "home.json"), "--sightings",
            try folder.write(Array(text.utf8), to: "test.csv"),
        ]
        let rows = try objects(words)
        #expect(rows.count >= 60)
        #expect(rows.allSatisfy { $0["session"] as? String == "a,b" && $0["tag"] as? String == "tag" })
        let csv = try Execution.run(Execution.path(of: "whereabouts"), words).lines.dropFirst()
        let expected = rows.map { row in
            "\(row["t_s"] as? Int ?? -1) \(row["room"] as? String ?? "") \(row["confidence"] as? Double ?? -1)"
        }
        // The session has a comma within quotes.
        let shown = csv.map { line in
            let fields = line.split(separator: ",").map(String.init)
            return "\(Int(Double(fields[0]) ?? -2)) \(fields[4]) \(Double(fields[5]) ?? -2)"
        }
        #expect(shown == expected)
    }
}
