import Bytes
import HouseTracking
import RoomEstimation
import WireProtocol

/// A session as its nodes would publish it, to a household on a virtual clock.
struct Replay {
    /// Answers by time, in seconds of the session.
    private(set) var answers: [(at: Double, place: String)] = []

    private enum Word {
        case window(Window)
        case scan(Scan, node: Int)
        case offline(node: Int)
    }

    private static let origin = 1_000_000.0
    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 0).advanced(bySeconds: origin + seconds)
    }

    init(_ session: Recording.Session, nodes: [Recording.Node], rooms: [String], fault: Fault) {
        let middle = (session.first + session.last) / 2
        var random = Random(state: 11)
        var post: [(at: Double, word: Word)] = []
        for second in session.first...session.last {
            let isFaulty = second > middle
            for node in nodes.indices {
                if isFaulty, case .ends(node, let isTold) = fault {
                    if isTold, second == middle + 1 { post.append((Double(second) - 0.5, .offline(node: node))) }
                    continue
                }
                // Within the first quarter of a window, each at its own moment.
                let usual = Double(second) + 0.02 + 0.2 * Double(node) / Double(nodes.count)
                for word in Self.words(second, node, nodes, session, isFaulty ? fault : .none) {
                    switch isFaulty ? fault : .none {
                    case .late(nil), .late(node): post.append((usual + 3, word))
                    case .doubled: post += [(usual, word), (usual + 0.1, word)]
                    case .shuffled: post.append((Double(second) + 0.3 * random.uniform(), word))
                    default: post.append((usual, word))
                    }
                }
            }
        }
        play(post.enumerated().sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.map(\.1), nodes, rooms)
    }

    private static func words(
        _ second: Int, _ node: Int, _ nodes: [Recording.Node], _ session: Recording.Session, _ fault: Fault
    ) -> [Word] {
        var source = node
        if case .moved(node, let other) = fault { source = other }
        var levels = session.levels[second]?[source] ?? []
        if case .deaf(node) = fault { levels = [] }
        if case .offset(node, let decibels) = fault { levels = levels.map { $0 + decibels } }
        let (from, to) = (time(Double(second) - 1), time(Double(second)))
        var words: [Word] = []
        if let low = levels.min(), let high = levels.max() {
            let mean = levels.reduce(0, +) / Double(levels.count)
            var window = Window(
                seq: UInt64(second), from: from, to: to, node: nodes[node].id, epoch: "e", id: "00000000000a",
                item: "tag", count: levels.count)
            window.rssi = Window.Levels(
                mean: mean, median: mean, minimum: Int(low), maximum: Int(high), deviation: nil)
            var copies = 1
            if case .floods(node) = fault { copies = 20 }
            words += [Word](repeating: .window(window), count: copies)
        }
        words.append(.scan(Scan(from: from, to: to, seq: UInt64(second), registry: "", epoch: "e"), node: node))
        return words
    }

    private mutating func play(
        _ post: [(at: Double, word: Word)], _ nodes: [Recording.Node], _ rooms: [String]
    ) {
        var settings = Household.Settings(fuser: "main", epoch: "f")
        for room in rooms { settings.house.addRoom(room) }
        for node in nodes where node.position != nil { settings.house.addNode(node.id, position: node.position) }
        var household = Household(settings: settings)
        for node in nodes {
            household.receive(isOnline: true, of: node.id)
            household.receive(
                NodeInfo(
                    version: "1", room: node.room, adapter: "recording", started: Self.time(0), epoch: "e", window: 1,
                    publishesAll: false, registry: ""), of: node.id)
        }
        for (at, word) in post {
            let now = Self.time(at)
            while let deadline = household.nextDeadline, deadline < now {
                advance(&household, to: deadline)
                if household.nextDeadline == deadline { break }
            }
            switch word {
            case .window(let window): household.receive(window, at: now)
            case .scan(let scan, let node): household.receive(scan, of: nodes[node].id, at: now)
            case .offline(let node): household.receive(isOnline: false, of: nodes[node].id)
            }
            advance(&household, to: now)
        }
    }

    private mutating func advance(_ household: inout Household, to time: Timestamp) {
        household.advance(to: time) { outcome in
            guard case .location(_, let location) = outcome, answers.last?.place != location.placeText else { return }
            answers.append((time.seconds - Self.origin, location.placeText))
        }
    }
}

/// Random numbers that are always the same (a linear congruence by Knuth; the high bits serve).
struct Random {
    var state: UInt64

    mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) * 0x1p-53
    }
}
