import Foundation

/// One packet that one node heard.
struct Heard {
    var at: Double
    var node: String
    var level: Double
    /// The transmitter: 0 for the true one.
    var sender = 0
    /// The measured power that it declares.
    var power: Int?
}

/// A recorded home: the packets of one tag in several sessions.
struct Recording {
    let name: String
    private(set) var sessions: [(name: String, packets: [Heard])] = []

    /// Reads `t_s,session,tag,receiver,rssi_dbm,…`.
    init(name: String, path: String) throws {
        self.name = name
        var places: [Substring: Int] = [:]
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for line in text.split(separator: "\n").dropFirst() {
            let row = line.split(separator: ",", omittingEmptySubsequences: false)
            guard row.count > 4, let time = Double(row[0]), let level = Double(row[4]) else { continue }
            if places[row[1]] == nil {
                places[row[1]] = sessions.count
                sessions.append((String(row[1]), []))
            }
            sessions[places[row[1]] ?? 0].packets.append(Heard(at: time, node: String(row[3]), level: level))
        }
        for index in sessions.indices { sessions[index].packets.sort { $0.at < $1.at } }
    }

    /// The seconds of all sessions together.
    var seconds: Double { sessions.reduce(0) { $0 + ($1.packets.last?.at ?? 0) - ($1.packets.first?.at ?? 0) } }

    /// The sessions that belong together, such as those of one person: what is learned for one is learned without all of them.
    static func group(of session: String) -> Substring {
        session.lastIndex { $0 == "_" || $0 == "-" }.map { session[..<$0] } ?? session[...]
    }
}

/// Half a minute of packets, from 0 on, with the node that heard it loudest.
struct Piece {
    static let length = 30.0
    var session: String
    var begin: Double
    var loudest: String
    var packets: [Heard]

    /// The pieces of a recording in which a node heard enough.
    static func all(of recording: Recording) -> [Piece] {
        var pieces: [Piece] = []
        for session in recording.sessions {
            guard let first = session.packets.first?.at, let last = session.packets.last?.at else { continue }
            for begin in stride(from: first, through: last - length, by: length) {
                let packets = session.packets.within(begin, begin + length)
                guard packets.count > 30, let loudest = packets.loudest else { continue }
                pieces.append(
                    Piece(
                        session: session.name, begin: begin, loudest: loudest, packets: packets.shifted(by: -begin)))
            }
        }
        return pieces
    }
}

extension [Heard] {
    /// Those from a second to another.
    func within(_ begin: Double, _ end: Double) -> [Heard] { filter { $0.at >= begin && $0.at < end } }

    /// The same at other times.
    func shifted(by seconds: Double) -> [Heard] {
        map { packet in
            var packet = packet
            packet.at += seconds
            return packet
        }
    }

    /// The node with the highest mean of its five highest levels.
    var loudest: String? {
        Dictionary(grouping: self, by: \.node).filter { $0.value.count >= 5 }
            .max { (Self.height($0), $0.key) < (Self.height($1), $1.key) }?.key
    }

    private static func height(_ entry: (key: String, value: [Heard])) -> Double {
        entry.value.map(\.level).sorted().suffix(5).reduce(0, +) / 5
    }
}
