internal import Bytes
internal import BrokerSession
internal import CommandLine
internal import System
internal import WireProtocol

/// `whereabouts why`: the reasons for an item's answer.
enum WhyCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts why", summary: "Explain why an item or a person is reported in its room.",
        positionals: .init("ITEM", 1...1, help: "the id of the item or person"),
        options: FuserDesk.options + [CommandOption("--json", help: "print a JSON object")],
        example: "whereabouts why keys")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let item = arguments.positionals[0]
            var desk = try FuserDesk(arguments, name: "why", environment: environment, item: item)
            defer { desk.exchange.end() }
            let result = try desk.ask(.why(item: item))
            guard case .why(let explanation) = result.answer else {
                throw ProgramFault("the fuser's answer is no explanation")
            }
            var output = StandardOutput()
            if arguments.has("--json") {
                output.line(String(decoding: result.payload, as: UTF8.self))
            } else {
                try desk.learnName(of: item)
                var deciding: Explanation?
                if let first = explanation.items.first,
                    case .why(let why)? = try? desk.answer(to: .why(item: first.item)).answer
                {
                    deciding = why
                }
                for line in WhyText.lines(explanation, deciding: deciding, names: desk.names) { output.line(line) }
            }
            return Program.finishOutput(&output)
        }
    }
}

/// An explanation in readable form.
enum WhyText {
    /// The lines about an item or a person.
    ///
    /// - Parameter deciding: the explanation of a person's item that decides, since a person's own names no nodes.
    static func lines(_ why: Explanation, deciding: Explanation? = nil, names: NameBook) -> [String] {
        var lines = [headline(why, names)]
        if let evidence = why.cloned { lines.append("Perhaps cloned: \(evidence).") }
        guard why.items.isEmpty else {
            lines += PersonText.lines(why, names: names)
            if let deciding, let absent = absentNodes(deciding) {
                lines.append("Not listening to \(deciding.item): \(absent)")
            }
            return lines
        }
        if let room = why.room {
            let shares = Percent.shares(why.rooms.map(\.probability))
            lines += Columns.lines(
                [["  ROOM", "PROBABILITY"]]
                    + zip(why.rooms, shares).map { ["  \(names.room($0.room))", "\($1) %"] })
            if let other = why.runnerUp {
                lines.append("What nodes say for \(names.room(room)) against \(names.room(other)):")
            }
            lines += Columns.lines(
                [["  NODE", "IN", "LEVEL", "SPEAKS"]]
                    + why.nodes.filter { $0.weight != nil || $0.level != nil }.map { node in
                        let level = node.level.map { "\(Int($0.rounded())) dBm" } ?? node.state.rawValue
                        return ["  \(node.node)", node.room.map(names.room) ?? "", level, nodeLine(node)]
                    })
            lines.append(decisionText(why))
            if let changed = changedNodes(why) { lines.append(changed) }
        }
        if let absent = absentNodes(why) { lines.append("Not listening: \(absent)") }
        return lines
    }

    /// The nodes that have no say, with the reason; nil if there are none.
    private static func absentNodes(_ why: Explanation) -> String? {
        let absent = why.nodes.filter { [.offline, .missing, .deaf].contains($0.state) }
        guard !absent.isEmpty else { return nil }
        return absent.map { "\($0.node) (\(stateText($0.state)))" }.joined(separator: ", ")
    }

    private static func headline(_ why: Explanation, _ names: NameBook) -> String {
        let (name, since) = (names.item(why.item), LocalTime.clock(why.since))
        let heard = why.lastHeard.map { ", last heard \(ageText(why.at.seconds(since: $0)))" } ?? ""
        let before = why.previous.map { ", before in \(names.room($0))" } ?? ""
        let room = why.room.map(names.room) ?? ""
        switch why.state {
        case .present:
            return "\(name) is in \(room) with \(percentText(why.confidence)) since \(since)\(before)\(heard)"
        case .quiet:
            return "\(name) is quiet, in \(room) with \(percentText(why.confidence)) since \(since)\(before)\(heard)"
        case .away: return "\(name) has left at \(since)\(before)\(heard)"
        case .unknown:
            let reason =
                why.items.isEmpty
                ? "no node listens, or none has heard it" : "of no item that has a say anything is known"
            return "\(name) is nowhere known since \(since): \(reason)\(heard)"
        }
    }

    private static func nodeLine(_ node: Explanation.Node) -> String {
        guard let weight = node.weight else { return "" }
        return abs(weight) < 0.05 ? "neither" : "\(weight > 0 ? "for" : "against") \(factor(weight))"
    }

    /// Odds as a factor: 2.5 nats are ×12.
    static func factor(_ nats: Double) -> String {
        let factor = Mathematics.exp(min(abs(nats), 20))
        if factor > 1000 { return "×1000 and more" }
        return factor < 9.95 ? "×\((factor * 10).rounded() / 10)" : "×\(Int(factor.rounded()))"
    }

    private static func decisionText(_ why: Explanation) -> String {
        guard let trust = why.trust else { return "Nothing was taught: \(untaughtText(why))" }
        if trust < 0.05 { return "Lessons don't fit what is heard: the nearest node decides." }
        let parts = Percent.shares([trust, 1 - trust])
        let share =
            trust > 0.95
            ? "Lessons decide." : "Lessons decide to \(parts[0]) %, the nearest node to \(parts[1]) %."
        guard let loudness = why.loudness, abs(loudness) >= audible else { return share }
        let words = "\(Int(abs(loudness).rounded())) dB \(loudness > 0 ? "louder" : "fainter")"
        return "\(share) It is heard \(words) than what was taught, which is allowed for."
    }

    /// The nodes whose reception differs from that in the lessons, the most changed first.
    private static func changedNodes(_ why: Explanation) -> String? {
        let changed = why.nodes.filter { $0.state == .heard || $0.state == .silent }
            .compactMap { node in node.changed.map { (node: node.node, offset: $0) } }
            .filter { abs($0.offset) >= audible }
            .sorted { abs($0.offset) > abs($1.offset) }
        guard let trust = why.trust, trust >= 0.05, !changed.isEmpty else { return nil }
        let words = changed.map {
            "\($0.node) hears \(Int(abs($0.offset).rounded())) dB \($0.offset > 0 ? "more" : "less")"
        }
        return "Otherwise than when taught, which is allowed for: \(words.joined(separator: ", "))."
    }

    private static func untaughtText(_ why: Explanation) -> String {
        guard why.plan != nil else { return "the nearest node decides." }
        let decide = "the nearest node and the plan of the house decide"
        return why.nodes.contains { $0.room == why.room } ? "\(decide)." : "\(decide). No node stands in this room."
    }

    /// Tags that differ by less, in dB, count as equal: one and the same tag differs as much from day to day.
    private static let audible = 3.0

    private static func stateText(_ state: Explanation.Node.State) -> String {
        switch state {
        case .offline: "offline"
        case .missing: "not heard of"
        case .deaf: "hears nothing of this item"
        case .heard, .silent: ""
        }
    }

    private static func ageText(_ seconds: Double) -> String {
        AgeText.text(Int(max(0, seconds).rounded()))
    }

    private static func percentText(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
