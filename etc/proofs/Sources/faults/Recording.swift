import Bytes
import Foundation
import RoomEstimation

/// A recorded home: its nodes, what they heard in each second of each session, and where the tag truly was.
struct Recording {
    /// Where a tag was for a while.
    struct Stay {
        var start: Double
        var end: Double
        var room: String
    }

    /// One tag in one session: levels by second and node.
    struct Session {
        var first = Int.max
        var last = Int.min
        var levels: [Int: [[Double]]] = [:]
        var stays: [Stay] = []
    }

    /// A node, with its place where that is known.
    struct Node {
        var id: String
        var room: String
        var position: House.Position?
    }

    private(set) var nodes: [Node] = []
    private(set) var sessions: [Session] = []

    /// Reads `receiver,room,x,y` (these may be empty), `t_s,session,tag,receiver,rssi_dbm,…` and `session,tag,t_start,t_end,room`.
    init(nodes nodesPath: String, sightings: String, truth: String) throws {
        nodes = try Self.rows(nodesPath).map { row in
            var node = Node(id: row[0], room: row[1])
            if let x = Double(row[2]), let y = Double(row[3]) { node.position = House.Position(x: x, y: y, z: 0) }
            return node
        }
        let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
        var found: [String: Session] = [:]
        for row in try Self.rows(sightings) {
            guard let seconds = Double(row[0]), let level = Double(row[4]), let node = places[row[3]] else { continue }
            let second = Int(seconds.rounded(.up))
            var session = found.removeValue(forKey: row[1] + "/" + row[2]) ?? Session()
            session.first = min(session.first, second)
            session.last = max(session.last, second)
            session.levels[second, default: [[Double]](repeating: [], count: nodes.count)][node].append(level)
            found[row[1] + "/" + row[2]] = session
        }
        for row in try Self.rows(truth) {
            guard let start = Double(row[2]), let end = Double(row[3]) else { continue }
            found[row[0] + "/" + row[1]]?.stays.append(Stay(start: start, end: end, room: row[4]))
        }
        sessions = found.sorted { $0.key < $1.key }.map(\.value).filter { !$0.stays.isEmpty }
    }

    private static func rows(_ path: String) throws -> [[String]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }
}
