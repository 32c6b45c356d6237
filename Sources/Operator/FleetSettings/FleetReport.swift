internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import System

/// The output of a rollout: a line a step.
struct FleetReport {
    let isJSON: Bool
    /// The exit status of the writing: other than 0 once a line could not be written.
    private(set) var status = ExitStatus.success.rawValue

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Prints a step with nodes, at once.
    mutating func step(_ step: String, _ nodes: [String], _ words: String) {
        self.step(step, of: nodes.map { .node($0) }, words)
    }

    /// Prints a step with nodes and fusers, at once.
    mutating func step(_ step: String, of members: [FleetMember], _ words: String) {
        write(
            isJSON
                ? JSONLine.text { json in
                    json.field("step", step)
                    JSONLine.list("nodes", members.nodes, to: &json)
                    if !members.fusers.isEmpty { JSONLine.list("fusers", members.fusers, to: &json) }
                    json.field("words", words)
                } : "\(LocalTime.clock(WallClock.now()))  \(words)")
    }

    /// Names in words.
    static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    /// Prints the nodes that did not do what they were asked, each with its reason.
    mutating func failures(_ reasons: [String: String], _ words: String) {
        let pairs = reasons.map { (FleetMember.node($0.key), $0.value) }
        failures(Dictionary(uniqueKeysWithValues: pairs), words)
    }

    /// Prints the nodes and fusers that did not do what they were asked, each with its reason.
    mutating func failures(_ reasons: [FleetMember: String], _ words: String) {
        let each = reasons.sorted { $0.key < $1.key }.map { "\($0.key.words): \($0.value)" }
        step("worse", of: reasons.keys.sorted(), "\(words): " + each.joined(separator: "; "))
    }

    /// Prints the measures that became worse.
    mutating func faults(_ faults: [HealthFault]) {
        guard isJSON else {
            for fault in faults { step("worse", [], "worse: \(fault.words)") }
            return
        }
        write(
            JSONLine.text { json in
                json.field("step", "worse")
                json.beginArray("faults")
                for fault in faults {
                    json.beginObject()
                    json.field("measure", fault.measure)
                    json.field("node", fault.node)
                    json.field("fuser", fault.fuser)
                    json.field("room", fault.room)
                    json.field("before", fault.before)
                    json.field("after", fault.after)
                    json.endObject()
                }
                json.endArray()
            })
    }

    private mutating func write(_ line: String) {
        var output = StandardOutput()
        output.line(line)
        status = max(status, Program.finishOutput(&output))
    }
}
