import Alerts
import Bytes

/// Alerts on a virtual clock: lines of crossings in, lines of notices out.
///
///     5 phone exit        at 5 s the phone's exit is decided; its last packet came then as well
///     15<5 phone exit     decided at 15 s, last packet at 5 s
struct AlertLine {
    var book: AlertBook
    private(set) var notices: [String] = []

    init(_ rules: AlertRule...) {
        book = AlertBook(rules: rules)
    }

    static func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64(seconds * 1e6)) }

    /// Plays crossings, calling at each deadline between them, and returns the notices.
    @discardableResult
    mutating func play(_ text: String, until end: Double) -> [String] {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let times = words[0].split(separator: "<").compactMap { Double($0) }
            let kind: Crossing.Kind =
                switch words[2] {
                case "enter": .enter
                case "exit": .exit
                default: .determined(isInside: words[2] == "inside")
                }
            let at = Self.time(times[0])
            pass(until: at, isIncluded: false)
            let before = times.count > 1 ? Self.time(times[1]) : at
            tell(book.receive(Crossing(.item(words[1]), kind, at: at, notBefore: before)))
        }
        pass(until: Self.time(end), isIncluded: true)
        return notices
    }

    /// Ends the process and starts it again at `seconds`, with the stored state.
    mutating func restart(at seconds: Double, rules: [AlertRule]? = nil) {
        let kept = book.snapshot
        book = AlertBook(rules: rules ?? book.rules)
        tell(book.restore(kept, at: Self.time(seconds)))
    }

    private mutating func pass(until end: Timestamp, isIncluded: Bool) {
        while let due = book.nextDeadline, due < end || isIncluded && due == end {
            tell(book.advance(to: due))
        }
    }

    private mutating func tell(_ new: [AlertNotice]) {
        for notice in new {
            let change =
                switch notice.change {
                case .told(let count): "told \(count)"
                case .cleared(let reason): "cleared \(reason.rawValue)"
                }
            notices.append("\(Int(notice.at.seconds)) \(notice.alert) \(change)")
        }
    }
}
