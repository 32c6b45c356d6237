/// A flag or an option with a value, as a command declares it.
public struct CommandOption: Sendable {
    /// The value after the option's name.
    public enum Value: Sendable {
        /// None: the option is a flag.
        case none
        /// Any text, with a placeholder for the help such as `FILE`.
        case text(String)
        /// An integer within bounds.
        case integer(String, ClosedRange<Int>)
        /// A number within bounds.
        case number(String, ClosedRange<Double>)
        /// One of several texts.
        case word([String])
        /// A text checked by a function, which returns the expected form, or nil for a valid text.
        case judged(String, @Sendable (String) -> String?)

        /// The placeholder for the value in the help and in the documents; nil for a flag.
        public var placeholder: String? {
            switch self {
            case .none: nil
            case .text(let name), .integer(let name, _), .number(let name, _), .judged(let name, _): name
            case .word(let words): words.joined(separator: "|")
            }
        }

        /// The form expected in place of `text`; nil for a valid text.
        func complaint(_ text: String) -> String? {
            switch self {
            case .none: return nil
            case .text: return text.isEmpty ? "a value that isn't empty" : nil
            case .integer(_, let range):
                if let value = Int(text), range.contains(value) { return nil }
                if range.upperBound == .max { return "a whole number of at least \(range.lowerBound)" }
                return "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .number(_, let range):
                if let value = Double(text), range.contains(value) { return nil }
                if range.upperBound == .infinity { return "a number of at least \(range.lowerBound)" }
                return "a number from \(range.lowerBound) to \(range.upperBound)"
            case .word(let words):
                if words.contains(text) { return nil }
                return "one of \(words.joined(separator: ", "))" + Spelling.question(text, among: words)
            case .judged(_, let judge): return judge(text)
            }
        }
    }

    /// The name with its hyphens, such as `--config`.
    public var name: String
    /// The kind of value after it.
    public var value: Value
    /// True if it may be given several times; otherwise that is a fault.
    public var repeats: Bool
    /// True if its absence is a fault.
    public var required: Bool
    /// One line of help.
    public var help: String

    /// The name with the placeholder for its value, such as `--config FILE`.
    public var spelling: String { value.placeholder.map { "\(name) \($0)" } ?? name }

    /// An option with a value.
    public init(_ name: String, _ value: Value, repeats: Bool = false, required: Bool = false, help: String) {
        self.name = name
        self.value = value
        self.repeats = repeats
        self.required = required
        self.help = help
    }

    /// A flag.
    public init(_ name: String, help: String) {
        self.init(name, .none, help: help)
    }
}
