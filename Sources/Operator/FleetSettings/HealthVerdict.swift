internal import Bytes
internal import WireProtocol

/// A measure that is worse than before a change.
struct HealthFault: Hashable {
    /// The measure, such as `silence`.
    var measure: String
    /// The node, the fuser or the room that it is about; nil for the house.
    var node: String?, fuser: String?, room: String?
    var before: String, after: String

    /// The fault in words.
    var words: String {
        let place = node.map { "node \($0)" } ?? fuser.map { "fuser \($0)" } ?? room.map { "room \($0)" }
        return (place ?? "house") + ": " + "\(measure) \(after), before \(before)"
    }
}

/// Compares the health after a change with that before it.
enum HealthVerdict {
    /// Seconds without news of a node. A fuser counts a node as deaf after 10 s; 5 s more are allowed for a busy network.
    static let silenceLimit = 15.0
    /// Seconds without a claim of a fuser. A slow machine takes 15 s to begin anew after an upgrade.
    static let fuserSilenceLimit = 30.0
    /// Seconds within which a fuser that is well publishes a claim: it does so every 3 s.
    static let claimLimit = 4.0
    /// More of the time without scanning. A tenth fewer packets are no loss for an answer; more than that is a change of
    /// the radio.
    static let gapLimit = 0.1
    /// The share of the reports that must still be heard. People who leave take tags along, but seldom half of all that a
    /// node hears.
    static let reportShare = 0.5
    /// Reports a second below which their share means nothing.
    static let reportFloor = 2.0
    /// More windows and reports lost to full queues, a second. A short outage of the broker costs a few.
    static let dropLimit = 0.1
    /// Standard deviations by which events must exceed those before: 1 in 30,000 by chance alone, of moves that are
    /// independent of each other.
    static let deviations = 4.0
    /// Events and items beyond any rule, since a single tag that moves, or a person with three, is no fault.
    static let allowance = 3.0
    /// The fall of the mean confidence. It varies by 0.05 from minute to minute in simulated houses.
    static let confidenceLimit = 0.15

    /// True if a fuser may have fallen silent: it was not heard lately, and its silence is within the limit.
    static func isUndecided(_ measures: FleetMonitor.Measures) -> Bool {
        measures.fusers.values.contains { $0.silence > claimLimit && $0.silence <= fuserSilenceLimit }
    }

    /// The nodes and fusers that are silent by these measures. After a change they are not judged by that.
    static func silentMembers(_ measures: FleetMonitor.Measures) -> [FleetMember] {
        measures.nodes.filter(\.value.isSilent).keys.sorted().map { .node($0) }
            + measures.fusers.filter { $0.value.silence > fuserSilenceLimit }.keys.sorted().map { .fuser($0) }
    }

    /// The faults that need no longer watch: a changed node, or any fuser, that fell silent or has a new problem.
    static func urgentFaults(
        before: FleetMonitor.Measures, after: FleetMonitor.Measures, changed: some Sequence<String>
    ) -> [HealthFault] {
        fuserFaults(before: before, after: after)
            + changed.sorted().flatMap { node -> [HealthFault] in
                let old = before.nodes[node] ?? .init(), new = after.nodes[node] ?? .init()
                var faults: [HealthFault] = []
                if !old.isSilent, new.silence > silenceLimit, new.silence > old.silence {
                    faults.append(fault("silence", node, seconds(old.silence), seconds(new.silence)))
                }
                for problem in newProblems(old.problems, new.problems) {
                    faults.append(fault("problem", node, "none", "'\(problem)'"))
                }
                return faults
            }
    }

    /// The problems that did not exist before, in order. A number in a text, such as of lost rows or of seconds, may have
    /// changed since.
    private static func newProblems(_ before: Set<String>, _ after: Set<String>) -> [String] {
        let known = Set(before.map(textWithoutNumbers))
        return after.filter { !known.contains(textWithoutNumbers($0)) }.sorted()
    }

    /// A text without its words of digits alone; names such as `room-3` stay.
    private static func textWithoutNumbers(_ text: String) -> String {
        text.split(separator: " ").filter { !$0.allSatisfy(\.isNumber) }.joined(separator: " ")
    }

    /// The faults of the fusers that were heard before.
    private static func fuserFaults(
        before: FleetMonitor.Measures, after: FleetMonitor.Measures
    ) -> [HealthFault] {
        before.fusers.sorted { $0.key < $1.key }.flatMap { fuser, old -> [HealthFault] in
            let new = after.fusers[fuser] ?? .init()
            var faults: [HealthFault] = []
            if old.silence <= fuserSilenceLimit, new.silence > fuserSilenceLimit {
                faults.append(
                    HealthFault(
                        measure: "silence", fuser: fuser, before: seconds(old.silence), after: seconds(new.silence)))
            }
            for problem in newProblems(old.problems, new.problems) {
                faults.append(HealthFault(measure: "problem", fuser: fuser, before: "none", after: "'\(problem)'"))
            }
            return faults
        }
    }

    /// All faults at the end of a watch.
    ///
    /// - Parameters:
    ///   - changed: the nodes whose settings are new.
    ///   - rooms: the rooms of those nodes.
    static func faults(
        before: FleetMonitor.Measures, after: FleetMonitor.Measures, changed: some Sequence<String>,
        rooms: some Sequence<String>
    ) -> [HealthFault] {
        var faults = urgentFaults(before: before, after: after, changed: changed)
        for node in changed.sorted() {
            let old = before.nodes[node] ?? .init(), new = after.nodes[node] ?? .init()
            // Of a silent one nothing else is known.
            guard new.isHeard, !faults.contains(where: { $0.node == node && $0.measure == "silence" }) else { continue }
            if new.gap > old.gap + gapLimit { faults.append(fault("gap", node, share(old.gap), share(new.gap))) }
            if old.reports >= reportFloor, new.reports < old.reports * reportShare {
                faults.append(fault("reports a second", node, text(old.reports), text(new.reports)))
            }
            if new.dropped > old.dropped + dropLimit {
                faults.append(fault("dropped a second", node, text(old.dropped), text(new.dropped)))
            }
        }
        for room in Set(rooms).sorted() {
            let old = before.rooms[room] ?? .init(), new = after.rooms[room] ?? .init()
            faults += eventFaults(old, new, before.seconds, after.seconds, room: room)
            guard after.countsItems else { continue }
            if new.items > 2 * old.items + allowance || new.items + allowance < old.items / 2 {
                faults.append(
                    HealthFault(measure: "items", room: room, before: text(old.items), after: text(new.items)))
            }
        }
        faults += eventFaults(before.house, after.house, before.seconds, after.seconds, room: nil)
        guard after.countsItems else { return faults }
        let (old, new) = (before.house.items, after.house.items)
        if new + allowance < old * 0.75 {
            faults.append(HealthFault(measure: "items present", before: text(old), after: text(new)))
        }
        if after.servedShards < before.servedShards {
            faults.append(
                HealthFault(
                    measure: "shards served", before: "\(before.servedShards)", after: "\(after.servedShards)"))
        }
        // Without answers there is no confidence; the items present show that.
        if let old = before.confidence, let new = after.confidence, new < old - confidenceLimit {
            faults.append(HealthFault(measure: "confidence", before: share(old), after: share(new)))
        }
        return faults
    }

    /// Compares two Poisson counts, of periods of different lengths.
    private static func eventFaults(
        _ old: FleetMonitor.PlaceMeasures, _ new: FleetMonitor.PlaceMeasures, _ oldSeconds: Double,
        _ newSeconds: Double, room: String?
    ) -> [HealthFault] {
        guard oldSeconds > 0, newSeconds > 0 else { return [] }
        let ratio = newSeconds / oldSeconds
        let expected = Double(old.events) * ratio
        // Both counts vary, and one before of 0 may have been 1.
        let spread = (expected * (1 + ratio) + 1).squareRoot()
        guard Double(new.events) > expected + deviations * spread + allowance else { return [] }
        let (before, after) = (Double(old.events) * 60 / oldSeconds, Double(new.events) * 60 / newSeconds)
        return [HealthFault(measure: "events a minute", room: room, before: text(before), after: text(after))]
    }

    private static func fault(_ measure: String, _ node: String, _ before: String, _ after: String) -> HealthFault {
        HealthFault(measure: measure, node: node, before: before, after: after)
    }

    private static func seconds(_ number: Double) -> String { text(number) + " s" }
    private static func share(_ number: Double) -> String { text(number * 100) + " %" }

    private static func text(_ number: Double) -> String {
        NumberText.text(number, decimals: 1)
    }
}
