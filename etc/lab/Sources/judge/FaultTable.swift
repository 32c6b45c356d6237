/// The outcomes of many episodes, a row a fault.
struct FaultTable {
    /// What is promised.
    static let slowestRecovery = 5.0
    static let largestGapError = 0.5

    private var rows: [(fault: String, outcomes: [Episode.Outcome])] = []

    mutating func add(_ outcome: Episode.Outcome, of fault: String) {
        if let row = rows.firstIndex(where: { $0.fault == fault }) {
            rows[row].outcomes.append(outcome)
        } else {
            rows.append((fault, [outcome]))
        }
    }

    /// Whether all of it is as promised.
    var isKept: Bool { !rows.isEmpty && rows.allSatisfy { Self.isKept($0.outcomes) } }

    /// Seconds with two digits, for people.
    func write(_ print: (String) -> Void) {
        print(Self.line(["fault", "times", "recovered p50", "max", "silence max", "gap error max", "exits", ""]))
        for (fault, outcomes) in rows {
            let recoveries = outcomes.compactMap(\.recovery).sorted()
            let never = outcomes.count - recoveries.count
            print(
                Self.line([
                    fault, "\(outcomes.count)", recoveries.isEmpty ? "-" : Self.text(recoveries[recoveries.count / 2]),
                    never > 0 ? "never (\(never))" : Self.text(recoveries.last ?? 0),
                    Self.text(outcomes.map(\.silence).max() ?? 0),
                    Self.text(outcomes.map { abs($0.gapError) }.max() ?? 0),
                    "\(outcomes.reduce(0) { $0 + $1.exits })", Self.isKept(outcomes) ? "ok" : "FAULT",
                ]))
        }
    }

    private static func isKept(_ outcomes: [Episode.Outcome]) -> Bool {
        outcomes.allSatisfy {
            guard let recovery = $0.recovery else { return false }
            return recovery <= slowestRecovery && abs($0.gapError) <= largestGapError && $0.exits == 0
        }
    }

    private static func line(_ cells: [String]) -> String {
        let widths = [16, 6, 14, 10, 12, 14, 6, 6]
        var line = "  "
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            let space = String(repeating: " ", count: max(1, width - cell.utf8.count))
            line += index == 0 ? cell + space : space + cell
        }
        return line
    }

    private static func text(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        let rest = String(hundredths % 100)
        return "\(hundredths / 100)." + (rest.utf8.count == 1 ? "0" : "") + rest
    }
}
