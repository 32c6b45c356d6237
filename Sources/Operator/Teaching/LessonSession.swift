internal import Daemon
internal import Session
internal import Sightings

/// One lesson as somebody gives it: begins it, shows how it goes, ends it with ^C or when its time is over.
struct LessonSession {
    /// Seconds between two looks at how it goes.
    private static let pace = 1.0
    /// Seconds for which what is being learned is waited for.
    private static let learningPatience = 120.0

    let desk: FuserDesk

    /// Teaches, and tells how it went; the report has no id where nothing was kept.
    func teach(_ item: String, in room: String, for duration: Int64, walk: String?) throws -> LessonReport {
        var report = try lesson(.start(item: item, room: room, for: duration, walk: walk))
        var progress = Progress()
        do {
            while report.isRunning {
                progress.show(LessonText.progress(report, names: desk.names))
                try desk.exchange.pause(Self.pace)
                report = try lesson(.status(item: item))
            }
        } catch is Interruption {
            report = try lesson(.stop(item: item, keeps: true))
        }
        progress.clear()
        var output = StandardOutput()
        for line in LessonText.summary(report, names: desk.names) { output.line(line) }
        output.flush()
        return report
    }

    /// What was taught, once that is learned.
    func learned() throws -> TaughtReport {
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

    private func lesson(_ learning: FuserCommand.Learning) throws -> LessonReport {
        guard case .lesson(let report) = try desk.ask(.learn(learning)).answer else {
            throw ProgramFault("the fuser's answer is no lesson")
        }
        return report
    }

    /// A line that is drawn over itself on a terminal, and shown now and then elsewhere.
    private struct Progress: ~Copyable {
        private var output = StandardOutput(descriptor: 2)
        private let isTerminal = Terminal.isAttached(2)
        private var shown = 0

        /// Elsewhere every so many looks are shown.
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

        mutating func clear() {
            if isTerminal { output.write("\r\u{1B}[K") }
            output.flush()
        }
    }
}
