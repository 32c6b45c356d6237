import Foundation
import Support

/// The table of rights of docs/security.md: the rights of each kind of client on each kind of topic.
struct RightsTable {
    /// One cell: `r`, `w`, `rw` or nothing.
    struct Cell: Hashable {
        var reads = false
        var writes = false

        static func || (one: Cell, other: Cell) -> Cell {
            Cell(reads: one.reads || other.reads, writes: one.writes || other.writes)
        }
    }

    /// A user of the test's fleet: the columns that concern it, and the name that makes it `itself` in a topic.
    struct User: Hashable {
        var name: String
        var column: String
        var level: String?
    }

    /// The fleet: two of each kind with a name, so that each can try to be the other.
    static let users = [
        User(name: "kitchen", column: "nodes", level: "nodes/kitchen"),
        User(name: "living", column: "nodes", level: "nodes/living"),
        User(name: "fuser-main", column: "fusers", level: "fuser/main"),
        User(name: "fuser-second", column: "fusers", level: "fuser/second"),
        User(name: "anna", column: "operator"), User(name: "bert", column: "operator"),
        User(name: "chief", column: "administrator"), User(name: "tv", column: "viewer"),
        User(name: "hass", column: "home-assistant"), User(name: "guest", column: "offers"),
    ]

    /// Topics of the kitchen and of the first fuser, by the patterns of the first column.
    static let names = [
        "node": "kitchen", "fuser": "main", "region": "office", "beacon": "keys", "shard": "0a", "item": "keys",
        "room": "hall", "lesson": "keys-1", "client": "me", "house": "whereabouts", "id": "tag", "gateway": "gate",
        "address": "AABBCCDDEEFF", "type": "2",
    ]

    private var columns: [String] = []
    private var rows: [(topic: String, cells: [String])] = []

    /// Reads the table whose first two columns are `topic` and `itself`.
    init() throws {
        let page = try String(contentsOfFile: Repository.root + "/docs/security.md", encoding: .utf8)
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.starts(with: ["topic", "itself"]) {
                columns = cells
            } else if !columns.isEmpty {
                guard cells.count == columns.count else { return }
                if !cells[0].hasPrefix("-") { rows.append((cells[0], cells)) }
            }
        }
    }

    /// The topics tried: one of each row, and some of no row.
    var topics: [String] {
        rows.flatMap { Self.topics($0.topic) }
            + ["whereabouts/nodes/kitchen/other", "whereabouts/items/keys", "whereabouts", "elsewhere/light"]
    }

    /// The rights of a user on a topic by the table; nothing if no row has it.
    func cell(_ user: User, _ topic: String) -> Cell {
        guard let row = rows.first(where: { Self.topics($0.topic).contains(topic) }) else { return Cell() }
        let own = user.level.map { topic.contains("/\($0)/") || topic.contains("/\(Self.device($0))/") } ?? false
        // In topics of windows the node is the last level.
        let isItself =
            own || topic.hasPrefix("whereabouts/windows/") && topic.hasSuffix("/\(user.name)")
            || isOwn(topic, of: user)
        var cell = cell(row.cells, user.column) || (isItself ? cell(row.cells, "itself") : Cell())
        // On a topic with a user that one alone writes.
        let name = user.column == "fusers" ? user.name.replacing("fuser-", with: "peer-") : user.name
        if row.topic.contains("<user>"), !topic.hasSuffix("/\(name)") { cell.writes = false }
        return cell
    }

    /// True if another system's topic is a node's own: it names the node, or the room of the kitchen's node.
    private func isOwn(_ topic: String, of user: User) -> Bool {
        guard let system = Self.elsewhere.first(where: { topic.hasPrefix($0) }) else { return false }
        return topic.hasSuffix("/\(user.name)") || topic.contains("/\(user.name)/")
            || system == "room_presence/" && user.name == "kitchen"
    }

    /// The beginnings of topics that are not ours.
    static let elsewhere = ["homeassistant/", "espresense/", "home/", "room_presence/", "paretoanywhere/"]

    private func cell(_ cells: [String], _ column: String) -> Cell {
        let text = columns.firstIndex(of: column).map { cells[$0] } ?? ""
        return Cell(reads: text.contains("r"), writes: text.contains("w"))
    }

    /// A node's or a fuser's level as that of its device: `nodes/kitchen` is `node_kitchen`.
    private static func device(_ level: String) -> String {
        level.replacing("nodes/", with: "node_").replacing("fuser/", with: "fuser_")
    }

    /// The users whose names are levels of topics.
    private static let people = ["anna", "bert", "chief", "peer-main", "peer-second"]

    /// The topics of a pattern: one for each of these where it holds a user.
    private static func topics(_ pattern: String) -> [String] {
        guard pattern.contains("<user>") else { return [topic(pattern)] }
        return people.map { topic(pattern.replacing("<user>", with: $0)) }
    }

    private static func topic(_ pattern: String) -> String {
        var text = pattern.replacing("`", with: "")
        if !elsewhere.contains(where: { text.hasPrefix($0) }) { text = "whereabouts/" + text }
        for (name, value) in names { text = text.replacing("<\(name)>", with: value) }
        return text
    }
}
