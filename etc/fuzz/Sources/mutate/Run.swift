import Bytes
import CHarness
import Subjects

/// Feeds every parser with mutations and tells what became of them. It fails only by a trap.
struct Run {
    let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func start() -> Int32 {
        if let folder = options.seeds { return write(seedsInto: folder) }
        harness_watch()
        if options.only == nil { print("seed \(options.seed)") }
        print(row("parser", "executions", "whole", "faulty", "seeds", "seconds"))
        for subject in options.subjects { run(subject) }
        return 0
    }

    private func run(_ subject: Subject) {
        var kept = options.corpus.map { Corpus.read("\($0)/\(subject.corpus)") } ?? []
        if subject == .yaml, let scenarios = options.scenarios { kept += Corpus.read(scenarios) }
        let seeds = subject.seeds + kept
        var mutator = Mutator(seeds: seeds, whole: subject.seeds.count, isText: subject.isText)
        let range = options.only.map { $0..<$0 + 1 } ?? 0..<options.count
        var whole: UInt64 = 0
        let begin = harness_cpu_seconds()
        for execution in range {
            var random = Generator(seed: options.seed, execution: execution)
            mutator.make(&random)
            if options.only != nil, let path = options.save {
                _ = harness_write(path, mutator.input, mutator.input.count)
            }
            harness_running(subject.rawValue, options.seed, execution)
            if subject.parse(mutator.input.span) { whole += 1 }
        }
        let tenths = Int((harness_cpu_seconds() - begin) * 10)
        print(
            row(
                subject.rawValue, "\(range.count)", "\(whole)", "\(UInt64(range.count) - whole)", "\(seeds.count)",
                "\(tenths / 10).\(tenths % 10)"))
    }

    /// Puts the seeds where the fuzzers find them.
    private func write(seedsInto folder: String) -> Int32 {
        for subject in options.subjects where subject.corpus != "none" {
            for (index, seed) in subject.seeds.enumerated() {
                let path = "\(folder)/\(subject.corpus)/\(subject.rawValue)-\(index)"
                guard harness_write(path, seed, seed.count) == 0 else {
                    print("cannot write \(path)")
                    return 2
                }
            }
        }
        return 0
    }

    private func row(_ name: String, _ numbers: String...) -> String {
        let padded = numbers.map { String(repeating: " ", count: max(0, 11 - $0.utf8.count)) + $0 }
        return name + String(repeating: " ", count: max(1, 17 - name.utf8.count)) + padded.joined()
    }
}

/// The files of a folder, in the order of their names.
private enum Corpus {
    static func read(_ path: String) -> [[UInt8]] {
        guard let folder = harness_folder_open(path) else { return [] }
        defer { harness_folder_close(folder) }
        var names: [String] = []
        while let name = harness_folder_next(folder) { names.append(String(cString: name)) }
        var room = [UInt8](repeating: 0, count: 65_536)
        return names.sorted().compactMap { name in
            let count = harness_read("\(path)/\(name)", &room, room.count)
            return count > 0 ? Array(room[..<count]) : nil
        }
    }
}
