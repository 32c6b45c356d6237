import Foundation
import HomeFiles
import RoomEstimation

// pieces [--row TEXT] [--set NAME=VALUE,…]… NAME=FOLDER…: the figures of each row of each home, without each piece of the model.
var only = ""
var homes: [Home] = []
var sets: [String] = []
var words = Array(CommandLine.arguments.dropFirst())
while let word = words.first {
    words.removeFirst()
    switch word {
    case "--row": only = words.removeFirst()
    case "--set": sets.append(words.removeFirst())
    default:
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        homes.append(try Home(name: parts[0], folder: parts[1]))
    }
}

var variants: [(name: String, parameters: Parameters)] = [("in use", Parameters())]
if sets.isEmpty {
    for piece in Piece.all {
        var parameters = Parameters()
        piece.remove(&parameters)
        variants.append(("without " + piece.name, parameters))
    }
} else {
    for set in sets {
        var parameters = Parameters()
        for part in set.split(separator: ",") {
            let pair = part.split(separator: "=").map(String.init)
            Knob.set(pair[0], Double(pair[1]) ?? 0, &parameters)
        }
        variants.append((set, parameters))
    }
}

func column(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
func text(_ f: Figures) -> String {
    String(format: "%.3f %.3f %3d %.3f ", f.accuracy, f.settledAccuracy, f.flaps, f.ece)
        + column(f.latency.map { String(format: "%.1f", $0) } ?? "-", 5)
}

for home in homes {
    for row in home.rows where (home.name + "/" + row.name).contains(only) {
        print("\n\(home.name)/\(row.name): accuracy, settled, flaps, ECE, p50 of the latency")
        if row.folds.allSatisfy(\.train.isEmpty) {
            for seconds in [5, 10, 60] {
                print(column("  loudest mean of \(seconds) s", 42) + text(home.scoreLoudest(row, seconds: seconds)))
            }
        }
        let scored = await withTaskGroup(of: (Int, Figures).self) { group in
            for (index, variant) in variants.enumerated() {
                group.addTask { (index, home.score(row, variant.parameters)) }
            }
            var all: [Int: Figures] = [:]
            for await (index, figures) in group { all[index] = figures }
            return all
        }
        for (index, variant) in variants.enumerated() {
            guard let figures = scored[index], let base = scored[0] else { continue }
            let change =
                index == 0
                ? "" : String(format: "%+.3f %+d", figures.accuracy - base.accuracy, figures.flaps - base.flaps)
            print(column("  " + variant.name, 42) + text(figures) + change)
        }
    }
}
