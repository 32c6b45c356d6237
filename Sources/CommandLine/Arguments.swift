internal import Identity

/// The result of a command line: checked values by the name of their option.
public struct Arguments: Hashable, Sendable {
    /// The positional arguments, in order.
    public internal(set) var positionals: [String] = []
    var given: [String: [String]] = [:]

    /// True if a flag or an option was given.
    public func has(_ option: String) -> Bool { given[option] != nil }

    /// The value of an option; nil if it is absent. Of several the last.
    public func text(_ option: String) -> String? { given[option]?.last }

    /// All values of an option that may repeat, in order.
    public func texts(_ option: String) -> [String] { given[option] ?? [] }

    /// The value of an option declared as an integer; nil if it is absent.
    public func integer(_ option: String) -> Int? { text(option).flatMap { Int($0) } }

    /// The value of an option declared as a number; nil if it is absent.
    public func number(_ option: String) -> Double? { text(option).flatMap { Double($0) } }
}

/// Reads a command line argument by argument and collects the faults.
struct ArgumentParser {
    enum Wish { case help, version }

    let command: Command
    var arguments = Arguments()
    var faults: [String] = []
    var wish: Wish?

    init(command: Command) {
        self.command = command
    }

    mutating func read(_ words: [String]) {
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                arguments.positionals += words[index...]
                return
            }
            guard word.hasPrefix("-"), word != "-", Double(word) == nil else {
                arguments.positionals.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let inline = parts.count == 2 ? String(parts[1]) : nil
            readOption(String(parts[0]), inline, words, &index)
        }
    }

    /// Makes the checks that are only possible at the end.
    mutating func finish() {
        if let first = arguments.positionals.first, let known = command.positionals?.firstWords, !known.isEmpty,
            !known.contains(first)
        {
            // The other arguments belong to an unknown command: their faults would be misleading.
            let hint = Spelling.questionOrList(first, among: known)
            faults = ["unknown word '\(KeyText.hidden(in: first))' after '\(command.lastWord)'\(hint)"]
            return
        }
        for option in command.options where option.required && !arguments.has(option.name) {
            faults.append("\(option.name) \(option.value.placeholder ?? "") is missing")
        }
        let count = arguments.positionals.count
        guard let positionals = command.positionals else {
            for extra in arguments.positionals.prefix(8) {
                let hint = Spelling.question("--\(extra)", among: command.options.map(\.name), quotes: "")
                faults.append("unexpected '\(KeyText.hidden(in: extra))'\(hint)")
            }
            return
        }
        if count < positionals.count.lowerBound {
            faults.append("\(positionals.name) is missing")
        } else if count > positionals.count.upperBound {
            let extra = arguments.positionals[positionals.count.upperBound]
            let most = "at most \(positionals.count.upperBound) \(positionals.name)"
            faults.append("unexpected '\(KeyText.hidden(in: extra))': \(most)")
        }
    }

    private mutating func readOption(_ name: String, _ inline: String?, _ words: [String], _ index: inout Int) {
        switch name {
        case "--help", "-h": wish = wish ?? .help
        case "--version": wish = wish ?? .version
        default:
            guard let option = command.options.first(where: { $0.name == name }) else { return faultUnknown(name) }
            if arguments.has(name), !option.repeats { faults.append("\(name) is given twice") }
            guard let placeholder = option.value.placeholder else {
                if inline != nil { faults.append("\(name) takes no value") }
                arguments.given[name, default: []].append("")
                return
            }
            var value = inline
            if value == nil, index < words.count, !words[index].hasPrefix("--") {
                value = words[index]
                index += 1
            }
            arguments.given[name, default: []].append(value ?? "")
            guard let value else { return faults.append("\(name) needs a value: \(name) \(placeholder)") }
            if let expected = option.value.complaint(value) {
                faults.append("\(name): '\(KeyText.hidden(in: value))' is not \(expected)")
            }
        }
    }

    private mutating func faultUnknown(_ name: String) {
        let known = command.options.map(\.name) + ["--help", "--version"]
        let hint = Spelling.question(name, among: known, quotes: "")
        faults.append("unknown option '\(name)'\(hint)")
    }
}
