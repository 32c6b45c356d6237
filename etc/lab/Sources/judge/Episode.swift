/// One fault, from before it to full windows after it. A line has its name and three moments: before the fault, when it
/// could be mended, and when full windows were seen again (`never` where they weren't).
struct Episode {
    let fault: String
    let start: Double
    let mendable: Double
    let end: Double?

    init?(_ line: some StringProtocol) {
        let parts = line.split(separator: " ").map { String($0) }
        guard parts.count == 4, let start = Double(parts[1]), let mendable = Double(parts[2]) else { return nil }
        (fault, self.start, self.mendable, end) = (parts[0], start, mendable, Double(parts[3]))
    }

    /// What came of it.
    struct Outcome {
        /// Seconds from when it could be mended until the controller heard again for good; nil for never.
        var recovery: Double?
        /// Seconds that the node's word about its gaps lies from the truth.
        var gapError: Double
        var silence: Double
        var exits: Int
    }

    func outcome(_ truth: Truth, _ broker: Broker) -> Outcome {
        let end = end ?? mendable + 30
        let told = broker.scans.filter { $0.to > start && $0.from < end }
        // The same span of time for both: whole intervals.
        let from = told.first?.from ?? start
        let to = told.last?.to ?? end
        let silence = truth.silence(from: from, to: to)
        let recovery = self.end == nil ? nil : truth.hearing(at: end).map { max(0, $0 - mendable) }
        return Outcome(
            recovery: recovery, gapError: told.reduce(0) { $0 + $1.gap } - silence, silence: silence,
            exits: broker.exits.count { $0 >= start && $0 < end })
    }
}

/// What a controller did, as the ether wrote it down: a line has monotonic time, wall time, controller, what is so.
struct Truth {
    /// When it began and ceased to hear, by the wall clock.
    private var turns: [(at: Double, hears: Bool)] = []

    init(_ text: String, of name: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 3)
            guard parts.count == 4, parts[2] == name[...], let at = Double(String(parts[1])) else { continue }
            if parts[3] == "hearing on" { turns.append((at, true)) }
            if parts[3] == "hearing off" { turns.append((at, false)) }
        }
    }

    /// For how many seconds it didn't hear.
    func silence(from start: Double, to end: Double) -> Double {
        var (silence, since, hears) = (0.0, start, false)
        for turn in turns where turn.at < end {
            if turn.at > start {
                if !hears { silence += turn.at - since }
                since = turn.at
            }
            hears = turn.hears
        }
        return hears ? silence : silence + end - since
    }

    /// Since when it has heard without a break until `end`; nil where it doesn't hear then.
    func hearing(at end: Double) -> Double? {
        guard let last = turns.last(where: { $0.at < end }), last.hears else { return nil }
        return last.at
    }
}
