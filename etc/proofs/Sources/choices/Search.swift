import RoomEstimation

/// Looks for the constants that do best, and remembers what was tried.
actor Search {
    /// A value for each of `Constant.all`.
    typealias Choice = [Double]

    private struct Trial: Hashable {
        var home: Int
        var row: Int
        /// Only those that the row can depend on.
        var values: [Double]
    }

    private let homes: [Home]
    private var known: [Trial: Double] = [:]

    init(_ homes: [Home]) { self.homes = homes }

    /// Goes through the constants twice and takes for each the value with the best mean over the rows of these homes, the
    /// others as found so far; ties keep what was. It begins with the first values, and never looks at those in use.
    func best(on chosen: [Int]) async -> Choice {
        var choice = Constant.all.map { $0.values[0] }
        for _ in 0..<2 {
            let before = choice
            for (index, constant) in Constant.all.enumerated() {
                var best = (value: choice[index], mean: await mean(choice, on: chosen))
                for value in constant.values where value != choice[index] {
                    var other = choice
                    other[index] = value
                    let mean = await mean(other, on: chosen)
                    if mean > best.mean { best = (value, mean) }
                }
                choice[index] = best.value
            }
            if choice == before { break }
        }
        return choice
    }

    /// The accuracy of each row of a home.
    func accuracies(_ choice: Choice, of home: Int) async -> [Double] {
        await judge(choice, on: [home])
        return homes[home].rows.indices.map { known[trial(choice, home, $0)] ?? 0 }
    }

    private func mean(_ choice: Choice, on chosen: [Int]) async -> Double {
        await judge(choice, on: chosen)
        var (sum, rows) = (0.0, 0.0)
        for home in chosen {
            for row in homes[home].rows.indices {
                sum += known[trial(choice, home, row)] ?? 0
                rows += 1
            }
        }
        return sum / rows
    }

    private func trial(_ choice: Choice, _ home: Int, _ row: Int) -> Trial {
        let scope = homes[home].rows[row].scope
        return Trial(
            home: home, row: row,
            values: zip(Constant.all, choice).filter { $0.0.scope == scope }.map(\.1))
    }

    /// Judges all folds that aren't known yet, side by side.
    private func judge(_ choice: Choice, on chosen: [Int]) async {
        var parameters = Parameters()
        for (constant, value) in zip(Constant.all, choice) { parameters[keyPath: constant.place] = value }
        let judged = parameters
        var tallies: [Trial: Home.Tally] = [:]
        await withTaskGroup(of: (Trial, Home.Tally).self) { group in
            for home in chosen {
                for row in homes[home].rows.indices {
                    let trial = trial(choice, home, row)
                    guard known[trial] == nil else { continue }
                    let (place, judgedRow) = (homes[home], homes[home].rows[row])
                    for fold in judgedRow.folds {
                        group.addTask { (trial, place.judge(fold, of: judgedRow, judged)) }
                    }
                }
            }
            for await (trial, tally) in group {
                tallies[trial, default: Home.Tally()].right += tally.right
                tallies[trial, default: Home.Tally()].seconds += tally.seconds
            }
        }
        for (trial, tally) in tallies { known[trial] = Double(tally.right) / Double(max(1, tally.seconds)) }
    }
}
