internal import BrokerSession
internal import Bytes
public import CommandLine
internal import Configuration
internal import RoomEstimation

/// `whereabouts locate`: the fuser's own locator over a recording, in the agent's hops.
public enum LocateCommand {
    /// Its syntax.
    public static let command = Command(
        "whereabouts locate", summary: "Print the room of each tag for each second of a recording, as CSV.",
        options: [
            CommandOption("--home", .text("FILE"), required: true, help: "rooms and receivers, JSON"),
            CommandOption(
                "--sightings", .text("FILE"), required: true, help: "packets: t_s,session,tag,receiver,rssi_dbm"),
            CommandOption("--learn-sightings", .text("FILE"), help: "packets to learn from"),
            CommandOption(
                "--json", help: "print an object a line in place of CSV: t_s, session, tag, room, confidence"),
            CommandOption("--learn-truth", .text("FILE"), help: "their rooms: session,tag,t_start,t_end,room"),
        ],
        example: "whereabouts locate --home home.json --sightings test.csv")

    /// Runs it with the words after its name, and returns the exit status: 0, 1 for faults in files, 2 for wrong usage.
    public static func run(_ words: some Sequence<String>) -> Int32 {
        do {
            switch try command.parse(words) {
            case .show(let text):
                var output = StandardOutput()
                output.write(text)
                return Program.finishOutput(&output)
            case .run(let arguments):
                guard arguments.has("--learn-sightings") == arguments.has("--learn-truth") else {
                    throw UsageError(
                        command: command.name, faults: ["--learn-sightings and --learn-truth go together"])
                }
                return try runChecked(arguments)
            }
        } catch let error as UsageError {
            return printComplaint(error.description, UsageError.exitStatus)
        } catch let error as InputFault {
            return printComplaint(error.description, 1)
        } catch {
            return printComplaint("\(error)", 1)
        }
    }

    private static func runChecked(_ arguments: Arguments) throws(InputFault) -> Int32 {
        let house = try HomeFile.read(arguments.text("--home") ?? "")
        let progress = Progress("reading packets", printsMeanwhile: true)
        defer { progress.end() }
        let sightings = try SightingsFile(arguments.text("--sightings") ?? "", in: house)
        var strangers = sightings.strangers
        var lessons: TrainedModel?
        if let path = arguments.text("--learn-sightings"), let truthPath = arguments.text("--learn-truth") {
            let taught = try SightingsFile(path, in: house)
            let truth = try TruthFile(truthPath, in: house)
            progress.begin("learning")
            lessons = TrainedModel(taught.keys.compactMap { truth.recording($0, hops: taught.hops($0)) }, in: house)
            strangers += taught.strangers
            if lessons == nil {
                progress.hide()
                _ = printComplaint("\(truthPath): labels no packet of \(path); nothing was learned", 0)
            }
        }
        progress.hide()
        if strangers > 0 { _ = printComplaint("\(strangers) packets of receivers that the home doesn't have", 0) }

        var output = StandardOutput()
        let isJSON = arguments.has("--json")
        if !isJSON { output.line("t_s,session,tag,room,confidence") }
        let fresh = Locator(house: house, lessons: lessons)
        progress.begin("locating", total: sightings.answers, unit: .seconds)
        var done = 0.0
        for key in sightings.keys {
            var locator = fresh
            let tag = "\(quotedField(key.session)),\(quotedField(key.tag))"
            let hops = sightings.hops(key)
            for hop in hops + emptyHops(after: hops.last) {
                let answer = locator.weigh(hop)
                done += 1
                progress.advance(to: done)
                guard let room = answer.room else { continue }
                let seconds = hop.end.microseconds / 1_000_000
                guard !isJSON else {
                    output.line(
                        JSONLine.text { json in
                            json.field("t_s", seconds)
                            json.field("session", key.session)
                            json.field("tag", key.tag)
                            json.field("room", house.rooms[room].id)
                            json.field("confidence", answer.confidence, decimals: 9)
                        })
                    continue
                }
                let confidence = decimalText(answer.confidence)
                output.line("\(seconds).000,\(tag),\(quotedField(house.rooms[room].id)),\(confidence)")
            }
            guard output.isOpen else { break }
        }
        return Program.finishOutput(&output)
    }

    /// Empty hops after a tag's last packet, until belief has settled. Without them the rows between two packets would tell
    /// that there is a later one.
    private static func emptyHops(after last: Hop?) -> [Hop] {
        guard let last else { return [] }
        return (1...120).map { Hop(end: last.end.advanced(by: .seconds($0))) }
    }

    /// A number within 0...1 with nine decimals.
    private static func decimalText(_ number: Double) -> String {
        let scaled = String(Int((number * 1e9).rounded()) + 10_000_000_000)
        return "\(scaled.dropFirst().prefix(1)).\(scaled.suffix(9))"
    }

    /// A field, in quotes if it needs them (RFC 4180).
    private static func quotedField(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func printComplaint(_ text: String, _ status: Int32) -> Int32 {
        var errors = StandardOutput(descriptor: 2)
        errors.line(text)
        return status
    }
}
