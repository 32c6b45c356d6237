internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import WireProtocol

/// `whereabouts learn`: teaches the fuser the rooms of the house.
enum LearnCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts learn",
        summary: "Teach a room: carry an item about in it until the time is over, or until ^C ends the lesson.",
        positionals: .init("ITEM ROOM", 0...2, help: "the item that you carry, and the room that you are in"),
        options: FuserDesk.options + [
            CommandOption(
                "--for", .text("D"), help: "how long, 5s to 30m; 60s where it isn't given, 30s a room of a walk"),
            CommandOption("--walk", .text("ITEM"), help: "be guided through all rooms with an item"),
            CommandOption("--list", help: "what was taught, how well rooms are told apart, and what to teach again"),
            CommandOption("--json", help: "print a JSON object: the list, the lesson, or undone; not with --walk"),
            CommandOption("--undo", .text("ID"), help: "forget a lesson"),
            CommandOption(
                "--stop", .text("ITEM"), help: "end an item's lesson that somebody left running, and keep it"),
            CommandOption("--discard", .text("ITEM"), help: "end an item's lesson and forget it"),
        ],
        example: "whereabouts learn keys kitchen --for 60s")

    private static let modes = ["--walk", "--list", "--undo", "--stop", "--discard"]

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let duration = try checkArguments(arguments)
            let ended = arguments.text("--stop") ?? arguments.text("--discard")
            let subject = ended ?? arguments.text("--walk") ?? arguments.positionals.first
            var desk = try FuserDesk(arguments, name: "learn", environment: environment, item: subject)
            defer { desk.exchange.end() }
            if arguments.has("--list") { return try listLessons(desk, isJSON: arguments.has("--json")) }
            if let id = arguments.text("--undo") {
                _ = try desk.ask(.learn(.undo(id)))
                return printLines([
                    arguments.has("--json")
                        ? JSONLine.text { $0.field("undone", id) }
                        : "lesson \(id) is forgotten: it counts no more in a few seconds"
                ])
            }
            if let ended {
                return try stopLesson(ended, keeps: arguments.has("--stop"), desk, isJSON: arguments.has("--json"))
            }
            if let item = arguments.text("--walk") {
                try desk.learnName(of: item)
                return try LessonWalk(desk: desk, item: item, duration: duration ?? .seconds(30)).run()
            }
            let (item, room) = (arguments.positionals[0], arguments.positionals[1])
            try desk.learnName(of: item)
            let isJSON = arguments.has("--json")
            let session = LessonSession(desk: desk, isJSON: isJSON)
            let report = try session.teach(item, in: room, for: duration ?? .seconds(60), walk: nil)
            guard report.id != nil else { return 1 }
            let learned = try session.learned()
            return isJSON ? 0 : printLines(LessonText.rooms(learned, names: desk.names))
        }
    }

    /// The length of a lesson; nil if none is given.
    private static func checkArguments(_ arguments: Arguments) throws(UsageError) -> Duration? {
        var faults: [String] = []
        let given = modes.filter(arguments.has)
        if given.count > 1 { faults.append("give one of \(given.joined(separator: " and "))") }
        switch (given.isEmpty, arguments.positionals.count) {
        case (true, 0): faults.append("ITEM and ROOM are missing: whereabouts learn keys kitchen")
        case (true, 1): faults.append("ROOM is missing: whereabouts learn \(arguments.positionals[0]) kitchen")
        case (false, 1...): faults.append("\(given[0]) takes no ITEM ROOM beside it")
        default: break
        }
        if arguments.has("--json"), arguments.has("--walk") {
            faults.append("--walk takes no --json: it asks and waits")
        }
        var duration: Duration?
        if let text = arguments.text("--for") {
            duration = DurationText.duration(text)
            if duration.map({ FuserCommand.lessonTimes.contains($0) }) != true {
                faults.append("--for takes 5s to 30m; found '\(text)'")
            }
            if !given.isEmpty, given != ["--walk"] { faults.append("\(given[0]) takes no --for") }
        }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
        return duration
    }

    private static func listLessons(_ desk: FuserDesk, isJSON: Bool) throws -> Int32 {
        let result = try desk.ask(.learn(.list))
        guard case .taught(let report) = result.answer else { throw ProgramFault("the fuser's answer is no list") }
        if isJSON { return printLines([String(decoding: result.payload, as: UTF8.self)]) }
        return printLines(LessonText.lessons(report, names: desk.names) + LessonText.rooms(report, names: desk.names))
    }

    private static func stopLesson(_ item: String, keeps: Bool, _ desk: FuserDesk, isJSON: Bool) throws -> Int32 {
        let result = try desk.ask(.learn(.stop(item: item, keeps: keeps)))
        guard case .lesson(let report) = result.answer else { throw ProgramFault("the fuser's answer is no lesson") }
        return printLines(isJSON ? [LessonText.json(report)] : LessonText.summary(report, names: desk.names))
    }

    private static func printLines(_ lines: [String]) -> Int32 {
        var output = StandardOutput()
        for line in lines { output.line(line) }
        return Program.finishOutput(&output)
    }
}
