import Foundation

// clones [--seed N] [--trials N] [--houses N] [--minutes N] [--cost 0] NAME=FILE…: how many attacks on recorded tags are found, how
// soon, and how many false alarms a day there are without any, in the recordings and in houses drawn at random. Ends with 1 where
// fewer attacks are found, or more false alarms come, than `Promise` says.
var files: [(name: String, path: String)] = []
var options: [String: Int] = [:]
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    if argument.hasPrefix("--") {
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number >= 0 else {
            print("clones: \(argument) takes a number")
            exit(2)
        }
        options[argument] = number
    } else if let sign = argument.firstIndex(of: "=") {
        files.append((String(argument[..<sign]), String(argument[argument.index(after: sign)...])))
    }
}
var report = Report(seed: UInt64(options["--seed"] ?? 1), trials: options["--trials"] ?? 8)
try report.run(files)
var houses = Houses(count: options["--houses"] ?? 100, seconds: 60 * (options["--minutes"] ?? 60), seed: 1)
if houses.count > 0 {
    try houses.run()
    report.show(houses)
}
let broken = Promise.broken(report, houses)
for sentence in broken { print("broken: \(sentence)") }
if options["--cost"] ?? 1 > 0 {
    for (items, nodes) in [(1000, 8), (10_000, 8), (10_000, 50)] {
        let nanoseconds = Cost.measure(items: items, nodes: nodes, seconds: 20)
        let ceiling = Double(items * nodes) * nanoseconds / 1e9
        print(
            "cost: \(items) items at \(nodes) nodes: \(Int(nanoseconds.rounded())) ns a window, "
                + "\((ceiling * 1000).rounded() / 1000) of a core at one a second")
    }
}
exit(broken.isEmpty ? 0 : 1)
