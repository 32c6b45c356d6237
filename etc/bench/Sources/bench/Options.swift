/// What the command line asks for; `etc/bench/run` fills in the paths.
struct Options {
    var repetitions = 9
    var suites = ["decode", "identity", "replay", "fuse", "broker"]
    /// A folder for files of this run.
    var scratch = "."
    /// The Python that has the peers, and the peers' program.
    var python: String?
    var peer: String?
    /// The folder of recordings, where there is one.
    var captures: String?
    /// The peer of the broker's benchmark.
    var barePair: String?
    var json: String?
    /// The house full of items that this process is to be, in place of measuring.
    var crowd: String?

    static let usage = "usage: bench [--repetitions N] [--only decode|identity|replay|fuse|broker] [--json FILE]"

    /// Nil for a command line that says nothing known.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--repetitions":
                guard let number = Int(value), number > 0 else { return nil }
                repetitions = number
            case "--only":
                guard suites.contains(value) else { return nil }
                suites = [value]
            case "--scratch": scratch = value
            case "--python": python = value
            case "--peer": peer = value
            case "--captures": captures = value
            case "--bare-pair": barePair = value
            case "--json": json = value
            case "--crowd": crowd = value
            default: return nil
            }
        }
    }
}
