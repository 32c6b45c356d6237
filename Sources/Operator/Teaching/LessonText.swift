internal import Bytes
internal import System
internal import WireProtocol

/// Lessons in readable form.
enum LessonText {
    /// The progress of a lesson, in a line.
    static func progress(_ report: LessonReport, names: NameBook) -> String {
        let length = report.limit.map { " of \(wholeText($0))" } ?? ""
        let nodes = report.nodes.prefix(6).map { "\($0.node) \(wholeText($0.level)) dBm" }.joined(separator: ", ")
        let heard = nodes.isEmpty ? report.seconds < 2 ? "listening" : "no node hears it" : nodes
        return
            "\(names.room(report.room)): \(wholeText(report.seconds))\(length) s, \(report.packets) packets: \(heard)"
    }

    /// A lesson as a JSON object.
    static func json(_ report: LessonReport) -> String {
        var json = JSONWriter()
        report.write(to: &json)
        return json.text
    }

    /// The result of a lesson.
    static func summary(_ report: LessonReport, names: NameBook) -> [String] {
        let (item, room) = (names.item(report.item), names.room(report.room))
        guard let id = report.id else {
            let why = report.packets < 3 ? ": hardly anything was heard of it" : ""
            return ["nothing was kept of \(item) in \(room)\(why)"]
        }
        let head = "lesson \(id): \(item) in \(room) for \(wholeText(report.seconds)) s, \(report.packets) packets"
        return [head]
            + Columns.lines(
                [["  NODE", "PACKETS", "MEDIAN"]]
                    + report.nodes.map { ["  \($0.node)", "\($0.packets)", "\(wholeText($0.level)) dBm"] })
    }

    /// All lessons; a sentence if there are none.
    static func lessons(_ report: TaughtReport, names: NameBook) -> [String] {
        var lines: [String] = []
        if report.lessons.isEmpty {
            lines.append("nothing was taught: whereabouts learn --walk ITEM guides you through the rooms")
        } else {
            lines = Columns.lines(
                [["ID", "TAUGHT", "ITEM", "ROOM", "SECONDS", "PACKETS", "LEFT OUT"]]
                    + report.lessons.map { lesson in
                        [
                            lesson.id, String(LocalTime.text(lesson.taughtAt).prefix(16)), names.item(lesson.item),
                            names.room(lesson.room), wholeText(lesson.seconds), "\(lesson.packets)",
                            lesson.leftOut.joined(separator: "; "),
                        ]
                    })
        }
        lines += report.leftOut.map { lesson in
            "not used: \(names.item(lesson.item)) in \(names.room(lesson.room)), taught "
                + "\(LocalTime.text(lesson.taughtAt).prefix(16)): \(lesson.why)"
        }
        return lines + report.running.map { "goes on: \(names.item($0.item)) in " + progress($0, names: names) }
    }

    /// The quality with which rooms are separated, and the lessons still to give.
    static func rooms(_ report: TaughtReport, names: NameBook) -> [String] {
        guard !report.lessons.isEmpty else { return [] }
        var lines: [String] = []
        if let right = report.right {
            lines.append("seconds that had no part in the lessons were told right: \(percentText(right))")
            lines += Columns.lines(
                [["  ROOM", "TAUGHT", "RIGHT", "TAKEN FOR"]]
                    + report.rooms.filter { $0.seconds > 0 }.map { room in
                        [
                            "  \(names.room(room.id))", "\(wholeText(room.seconds)) s",
                            room.right.map(percentText) ?? "",
                            room.takenFor.map(names.room) ?? "",
                        ]
                    })
        } else {
            lines.append(
                report.isLearning
                    ? "the fuser still learns: whereabouts learn --list tells what came of it"
                    : "one room can't be told from others: teach another one")
        }
        let untaught = report.rooms.filter { $0.seconds == 0 }.map { names.room($0.id) }
        if !untaught.isEmpty { lines.append("not taught yet: \(untaught.joined(separator: ", "))") }
        let stale = report.rooms.filter(\.isStale).map { names.room($0.id) }
        if !stale.isEmpty {
            lines.append(
                "teach again, since a node that heard it was replaced or moved: \(stale.joined(separator: ", "))")
        }
        if !report.isKept {
            lines.append(
                "nobody but the broker keeps it: give the fuser a file for its state (state: in its configuration)"
            )
        }
        return lines
    }

    private static func percentText(_ share: Double) -> String { "\(wholeText(share * 100)) %" }
    private static func wholeText(_ number: Double) -> String { "\(Int(number.rounded()))" }
}
