import Foundation
import HomeFiles
import RoomEstimation

// pieces TEXT NAME=FOLDER…: the figures of each split of each home whose name has the text, without each piece of the model.
let arguments = CommandLine.arguments.dropFirst()
guard let only = arguments.first, arguments.count > 1 else {
    print("pieces TEXT NAME=FOLDER …")
    exit(2)
}
let homes = try arguments.dropFirst().map { argument in
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    return try RecordedHome(name: parts[0], folder: parts[1])
}
let variants =
    [(name: "in use", parameters: Parameters())]
    + Piece.all.map { piece in
        var parameters = Parameters()
        piece.remove(&parameters)
        return (name: "without " + piece.name, parameters: parameters)
    }

func column(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
func text(_ figures: Figures) -> String {
    String(format: "%.3f %.3f %3d %.3f ", figures.accuracy, figures.settledAccuracy, figures.flaps, figures.ece)
        + column(figures.latency.map { String(format: "%.1f", $0) } ?? "-", 5)
}

for home in homes {
    for split in home.splits where "\(home.name)/\(split.name)".contains(only) {
        print("\n\(home.name)/\(split.name): accuracy, settled, flaps, ECE, p50 of the latency")
        if split.folds.allSatisfy(\.train.isEmpty) {
            for seconds in [5, 10, 60] {
                print(column("  loudest mean of \(seconds) s", 42) + text(home.scoreLoudest(split, seconds: seconds)))
            }
        }
        let scored = await withTaskGroup(of: (Int, Figures).self) { group in
            for (index, variant) in variants.enumerated() {
                group.addTask { (index, home.score(split, variant.parameters)) }
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
