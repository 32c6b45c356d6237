internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import System
internal import WireProtocol

/// One lesson given by a user: begins it, shows its progress, ends it with ^C or when its time is over.
struct LessonSession {
    /// Seconds between two requests for its progress.
    private static let pace = 1.0
    /// Seconds of waiting for an answer to that.
    private static let answerPatience = 5.0
    /// Seconds of waiting for the training to end.
    private static let learningPatience = 120.0

    let desk: FuserDesk
    /// True for a JSON object in place of a summary.
    var isJSON = false

    /// Teaches, and prints the progress; the report has no id if nothing was stored.
    func teach(_ item: String, in room: String, for duration: Duration, walk: String?) throws -> LessonReport {
        var report = try askLesson(.start(item: item, room: room, for: duration, walk: walk))
        var progress = LessonLine()
        do {
            var patience = Patience(report)
            while report.isRunning {
                progress.show(LessonText.progress(report, names: desk.names))
                do {
                    try desk.exchange.pause(Self.pace)
                    report = try status(of: report)
                    patience = Patience(report)
                } catch let fault as ProgramFault {
                    // The lesson is the fuser's, and continues unobserved.
                    if patience.isOver { throw ProgramFault("\(fault)\n\(Self.goesOn(item))") }
                    if patience.isNew {
                        progress.printLine("\(fault)\nwaiting for the broker: the lesson goes on meanwhile")
                    }
                }
            }
        } catch is Interruption {
            do {
                report = try askLesson(.stop(item: item, keeps: true))
            } catch let fault as ProgramFault {
                throw ProgramFault("\(fault)\n\(Self.goesOn(item))")
            }
        }
        progress.clear()
        var output = StandardOutput()
        if isJSON {
            output.line(LessonText.json(report))
        } else {
            for line in LessonText.summary(report, names: desk.names) { output.line(line) }
        }
        output.flush()
        return report
    }

    /// The report of all lessons, once the training is done.
    func learned() throws -> TaughtReport {
        let progress = Progress("the fuser learns")
        defer { progress.end() }
        var waited = 0.0
        while true {
            guard case .taught(let report) = try desk.ask(.learn(.list)).answer else {
                throw ProgramFault("the fuser's answer is no list")
            }
            guard report.isLearning, waited < Self.learningPatience else { return report }
            try desk.exchange.pause(Self.pace)
            waited += Self.pace
        }
    }

    private static func goesOn(_ item: String) -> String {
        "the lesson goes on without you for its time: whereabouts learn --stop \(item) ends it, --discard forgets it"
    }

    /// The progress of a lesson that was running a moment ago.
    private func status(of report: LessonReport) throws -> LessonReport {
        do {
            switch try desk.answer(to: .learn(.status(item: report.item)), within: Self.answerPatience).answer {
            case .lesson(let report): return report
            case .failed(let reason): throw LostLesson(fuser: desk.fuser, reason: "was started anew (\(reason))")
            case .done, .taught, .why, .history, .journal, .purged, .audit, .replayed:
                throw ProgramFault("the fuser's answer is no lesson")
            }
        } catch let fault as ProgramFault {
            // A fuser that does not answer may be gone, which the broker knows.
            if (try? desk.isOnline()) == false { throw LostLesson(fuser: desk.fuser, reason: "is offline") }
            throw fault
        }
    }

    /// The loss of a lesson with its fuser.
    private struct LostLesson: Error, CustomStringConvertible {
        let fuser: String
        let reason: String

        var description: String {
            "the lesson is lost: fuser '\(fuser)' \(reason), and a lesson under way dies with it; teach it again"
        }
    }

    /// The time of waiting for a lesson whose fuser does not answer.
    private struct Patience {
        /// Seconds beyond the rest of its time.
        private static let slack = 30.0

        private let end: MonotonicTime
        private var isTold = false

        init(_ report: LessonReport) {
            let left = (report.limit ?? 0) - report.seconds
            end = MonotonicClock.now() + .seconds(max(0, left) + Self.slack)
        }

        var isOver: Bool { MonotonicClock.now() >= end }
        /// True if the waiting is to be reported: once.
        var isNew: Bool {
            mutating get {
                defer { isTold = true }
                return !isTold
            }
        }
    }

    private func askLesson(_ learning: FuserCommand.Learning) throws -> LessonReport {
        guard case .lesson(let report) = try desk.ask(.learn(learning)).answer else {
            throw ProgramFault("the fuser's answer is no lesson")
        }
        return report
    }

    /// A line that is drawn over itself on a terminal, and printed now and then elsewhere.
    private struct LessonLine: ~Copyable {
        private var output = StandardOutput(descriptor: 2)
        private let isTerminal = Terminal.isAttached(2)
        private var shown = 0

        /// Elsewhere every so many updates are printed.
        private static let sparsity = 10

        mutating func show(_ line: String) {
            if isTerminal {
                let columns = Terminal.size(2)?.columns ?? 80
                output.write("\r\u{1B}[K" + String(line.prefix(columns - 1)))
                output.flush()
            } else if shown % Self.sparsity == 0 {
                output.line(line)
                output.flush()
            }
            shown += 1
        }

        mutating func printLine(_ words: String) {
            clear()
            output.line(words)
            output.flush()
        }

        mutating func clear() {
            if isTerminal { output.write("\r\u{1B}[K") }
            output.flush()
        }
    }
}
