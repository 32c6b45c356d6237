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
}
