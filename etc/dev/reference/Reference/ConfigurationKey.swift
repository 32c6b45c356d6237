/// One key of a configuration file, as the documentation describes it.
///
/// Its type and its range stand nowhere here: the page takes them from what the decoder says it expects (``ConfigurationProbe``).
public struct ConfigurationKey: Sendable {
    /// The value that holds where a key is absent.
    public enum Default: Sendable, ExpressibleByStringLiteral {
        /// The key must be there.
        case required
        /// Nothing: what the key asks for is left out.
        case none
        /// A value, as YAML.
        case value(String)
        /// A rule, in words.
        case words(String)

        /// A value, as YAML.
        public init(stringLiteral value: String) { self = .value(value) }

        /// The cell of the page.
        var text: String {
            switch self {
            case .required: "required"
            case .none: "–"
            case .value(let value): Markdown.code(value)
            case .words(let words): words
            }
        }
    }

    /// The path from the root: keys joined by `.`, `[]` for each element of a list, `<name>` for any key of a map of names.
    public var path: String
    /// The value that holds without it.
    public var standard: Default
    /// The meaning, in Markdown.
    public var meaning: String

    init(_ path: String, _ standard: Default, _ meaning: String) {
        (self.path, self.standard, self.meaning) = (path, standard, meaning)
    }

    /// The same key in a map at another path.
    func moved(under parent: String) -> ConfigurationKey {
        ConfigurationKey("\(parent).\(path)", standard, meaning)
    }
}

/// The keys of one part of a file, under a heading of their own.
public struct ConfigurationPart: Sendable {
    /// The name in the page's markers.
    public var name: String
    /// The keys, in the order of the page.
    public var keys: [ConfigurationKey]

    init(_ name: String, _ keys: [ConfigurationKey]) {
        (self.name, self.keys) = (name, keys)
    }
}
