import Subjects

/// What the command line asks for.
struct Options {
    var subjects = Subject.allCases
    private var subjectsWereNamed = false
    var seed: UInt64 = 1
    var count: UInt64 = 1_000_000
    /// The one execution to be run again.
    var only: UInt64?
    /// Where that execution's input is kept.
    var save: String?
    /// The folder of the kept corpora.
    var corpus: String?
    /// The folder of the scenarios that the package ships, which are seeds too.
    var scenarios: String?
    /// A folder of corpora that the seeds are written into; then nothing is run.
    var seeds: String?

    static let usage = """
        usage: mutate [--parser P]... [--but P]... [--seed N] [--count N] [--corpus DIR] [--scenarios DIR]
                      [--only EXECUTION [--save FILE]]
               mutate --write-seeds DIR
        parsers: \(Subject.allCases.map(\.rawValue).joined(separator: " "))
        """

    /// Nil for a command line that says nothing known.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--parser":
                guard let subject = Subject(rawValue: value) else { return nil }
                subjects = subjectsWereNamed ? subjects + [subject] : [subject]
                subjectsWereNamed = true
            case "--but":
                guard let subject = Subject(rawValue: value) else { return nil }
                subjects.removeAll { $0 == subject }
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            case "--count":
                guard let number = UInt64(value) else { return nil }
                count = number
            case "--only":
                guard let number = UInt64(value) else { return nil }
                only = number
            case "--save": save = value
            case "--write-seeds": seeds = value
            case "--corpus": corpus = value
            case "--scenarios": scenarios = value
            default: return nil
            }
        }
    }
}
