import Foundation

// faults NAME NODES.csv SIGHTINGS.csv TRUTH.csv: accuracy lost in the second half of each session, in which a fault lasts.
let arguments = CommandLine.arguments
guard arguments.count == 5 else {
    print("faults NAME NODES.csv SIGHTINGS.csv TRUTH.csv")
    exit(2)
}
let recording = try Recording(nodes: arguments[2], sightings: arguments[3], truth: arguments[4])
let rooms = Set(recording.nodes.map(\.room) + recording.sessions.flatMap { $0.stays.map(\.room) }).sorted()

/// The answers in force at half seconds of the second half, beside the truth.
func judged(_ session: Recording.Session, _ replay: Replay) -> [(place: String, room: String)] {
    var found: [(String, String)] = []
    var next = 0
    let middle = (session.first + session.last) / 2
    for second in middle...session.last {
        let time = Double(second) + 0.5
        while next < replay.answers.count, replay.answers[next].at <= time { next += 1 }
        guard let stay = session.stays.first(where: { $0.start <= time && time < $0.end }) else { continue }
        found.append((next > 0 ? replay.answers[next - 1].place : "unknown", stay.room))
    }
    return found
}
func replay(_ fault: Fault) -> [[(place: String, room: String)]] {
    recording.sessions.map { judged($0, Replay($0, nodes: recording.nodes, rooms: rooms, fault: fault)) }
}
func accuracy(_ sessions: [[(place: String, room: String)]]) -> Double {
    let all = sessions.flatMap { $0 }
    return Double(all.count { $0.place == $0.room }) / Double(max(1, all.count))
}
/// The longest time for which the answer clung to a dead node's room without reason.
func pinned(_ faulty: [[(place: String, room: String)]], room: String) -> Int {
    var longest = 0
    for (session, sound) in zip(faulty, healthy) {
        var run = 0
        for (now, without) in zip(session, sound) {
            run = now.place == room && now.room != room && without.place != room ? run + 1 : 0
            longest = max(longest, run)
        }
    }
    return longest
}

let healthy = replay(.none)
func share(_ value: Double) -> String { String(format: "%.3f", value) }
print("\(arguments[1]): right \(share(accuracy(healthy))) of the second half without a fault")
var isPinned = false
for (name, trials) in Fault.kinds(recording.nodes.map(\.room)) {
    var losses: [Double] = []
    var longest: Int?
    for fault in trials {
        let faulty = replay(fault)
        losses.append(accuracy(healthy) - accuracy(faulty))
        // A room with another node may be right on that node's word.
        guard let dead = fault.dead, recording.nodes.count(where: { $0.room == recording.nodes[dead].room }) == 1 else {
            continue
        }
        longest = max(longest ?? 0, pinned(faulty, room: recording.nodes[dead].room))
    }
    let mean = losses.reduce(0, +) / Double(max(1, losses.count))
    let worst = losses.max() ?? 0
    let clung = longest.map { "  longest pinned to it \($0) s" } ?? ""
    if let longest, longest > 10 { isPinned = true }
    print(
        "  " + name.padding(toLength: 32, withPad: " ", startingAt: 0) + "lost \(share(mean))  worst \(share(worst))"
            + clung)
}
exit(isPinned ? 1 : 0)
