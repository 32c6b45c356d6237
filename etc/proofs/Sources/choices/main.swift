import Foundation
import HomeFiles
import RoomEstimation

// choices NAME=FOLDER…: chooses constants on all homes but one and scores them on that one, for each of them in turn. Ends with 1
// where a value in use is not among those that its constant is chosen from.
let homes = try CommandLine.arguments.dropFirst().map { argument in
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    return try Home(name: parts[0], folder: parts[1])
}
guard homes.count > 1 else {
    print("choices NAME=FOLDER NAME=FOLDER …")
    exit(2)
}
/// So much may be lost, and no more: what was tuned to a home would lose it elsewhere.
let allowed = 0.015

let search = Search(homes)
let used = Constant.all.map { Parameters()[keyPath: $0.place] }
let missing = zip(Constant.all, used).filter { !$0.values.contains($1) }
for (constant, value) in missing {
    print("\(constant.name): \(value) is in use and not among its values in etc/proofs/Sources/choices/Constant.swift")
}
guard missing.isEmpty else { exit(1) }
let whole = await search.best(on: Array(homes.indices))
var others: [Search.Choice] = []
for home in homes.indices { others.append(await search.best(on: homes.indices.filter { $0 != home })) }

func column(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
func figure(_ value: Double) -> String { column(String(format: "%.4f", value), 10) }
func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
func short(_ value: Double) -> String { String(format: "%g", value) }

print(
    column("constant", 28) + column("in use", 10) + column("all", 10)
        + homes.map { column("not " + $0.name, 16) }.joined())
for (index, constant) in Constant.all.enumerated() {
    print(
        column(constant.name, 28) + column(short(used[index]), 10) + column(short(whole[index]), 10)
            + others.map { column(short($0[index]), 16) }.joined() + "of "
            + constant.values.map(short).joined(separator: " "))
}
print("\n" + column("accuracy", 28) + "in use    all       others    others - all")
var isGood = true
for (index, home) in homes.enumerated() {
    let inUse = await search.accuracies(used, of: index)
    let all = await search.accuracies(whole, of: index)
    let two = await search.accuracies(others[index], of: index)
    let scored = home.rows.indices.filter { !home.rows[$0].isAnotherTag }
    let difference = mean(scored.map { two[$0] }) - mean(scored.map { all[$0] })
    if abs(difference) > allowed { isGood = false }
    print(
        column(home.name, 28) + figure(mean(scored.map { inUse[$0] })) + figure(mean(scored.map { all[$0] }))
            + figure(mean(scored.map { two[$0] }))
            + String(format: "%+.4f", difference) + (abs(difference) > allowed ? "   not within \(allowed)" : ""))
    for (row, name) in home.rows.map(\.name).enumerated() {
        print(
            column("  " + name, 28) + figure(inUse[row]) + figure(all[row]) + figure(two[row])
                + String(format: "%+.4f", two[row] - all[row]))
    }
}
exit(isGood ? 0 : 1)
