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
