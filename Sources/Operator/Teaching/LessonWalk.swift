internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// A walk through the rooms of a house: names the next room, waits, teaches, and continues.
struct LessonWalk {
    let desk: FuserDesk
    let item: String
    /// The length of the lesson in each room.
    let duration: Duration

    /// Guides; 0 if at least one room was taught.
    func run() throws -> Int32 {
        guard case .taught(let before) = try desk.ask(.learn(.list)).answer else {
            throw ProgramFault("the fuser's answer is no list")
        }
        let rooms = Self.order(before.rooms)
        guard !rooms.isEmpty else {
            throw ProgramFault("the fuser knows no room yet: name them in its configuration, or start a node")
        }
        let walk = SystemRandom.epoch()
        let time = DurationText.text(duration)
        var errors = StandardOutput(descriptor: 2)
        errors.line(
            "\(desk.names.item(item)) goes through \(rooms.count) rooms, \(time) each. Enter begins a room, s skips it, q ends."
        )
        let session = LessonSession(desk: desk)
        var taught = 0
        rooms: for room in rooms {
            while true {
                errors.write("Go to \(desk.names.room(room)), walk about in it, and press Enter: ")
                errors.flush()
                let word: String?
                do {
                    word = try desk.exchange.line()?.trimmed.lowercased()
                } catch let fault as ProgramFault {
                    // Such as an unreachable broker: the walk continues once it is back.
                    errors.line("\n\(fault)")
                    continue
                } catch is Interruption {
                    break rooms
                }
                guard let word, word != "q" else { break rooms }
                if word == "s" { continue rooms }
                do {
                    let report = try session.teach(item, in: room, for: duration, walk: walk)
                    guard report.id != nil else { continue }
                    taught += 1
                    continue rooms
                } catch let fault as ProgramFault {
                    // Such as an item without packets there: remedied, it may be tried again.
                    errors.line("\(fault)")
                }
            }
        }
        errors.line()
        errors.flush()
        guard taught > 0 else { throw ProgramFault("no room was taught") }
        var output = StandardOutput()
        for line in LessonText.rooms(try session.learned(), names: desk.names) { output.line(line) }
        return Program.finishOutput(&output)
    }

    /// All rooms, each next to one before it as far as there are doors: the way of a person who turns back only at dead
    /// ends.
    static func order(_ rooms: [TaughtReport.Room]) -> [String] {
        let doors = Dictionary(rooms.map { ($0.id, $0.nextTo) }) { first, _ in first }
        var order: [String] = []
        var seen: Set<String> = []
        for start in rooms.map(\.id) {
            var open = [start]
            while let room = open.popLast() {
                guard doors[room] != nil, seen.insert(room).inserted else { continue }
                order.append(room)
                open += (doors[room] ?? []).reversed()
            }
        }
        return order
    }
}

extension String {
    /// The text without blanks before and behind.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
