internal import CommandLine

/// The position of a value in a configuration.
public struct ConfigurationPosition: Hashable, Sendable, CustomStringConvertible {
    /// The file under its given name; or the environment variable or option with the value.
    public var source: String
    /// The line, counted from 1; 0 for a value from outside a file.
    public var line: Int
    /// The character within the line, counted from 1; 0 for a value from outside a file.
    public var column: Int

    /// A place in a file.
    public init(file: String, line: Int, column: Int) {
        self.source = file
        self.line = line
        self.column = column
    }

    /// A value of a variable or an option.
    public init(outside source: String) {
        self.init(file: source, line: 0, column: 0)
    }

    /// True if the value is in a file.
    public var isInFile: Bool { line > 0 }

    /// `file:line:column`, or the variable's name.
    public var description: String { isInFile ? "\(source):\(line):\(column)" : source }
}

/// A fault of a configuration, with its position and the expected value.
public struct ConfigurationFault: Hashable, Sendable, CustomStringConvertible {
    /// The position.
    public var position: ConfigurationPosition
    /// The fault and its remedy, without a full stop.
    public var message: String

    /// A fault at a place.
    public init(_ position: ConfigurationPosition, _ message: String) {
        self.position = position
        self.message = message
    }

    /// A text such as `agent.yaml:3:7: expected a whole number, found the text 'many'`.
    public var description: String { "\(position): \(message)" }
}

/// All faults of a configuration: by file in the order of reading, by line, by column.
public struct ConfigurationFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults, at least one.
    public var faults: [ConfigurationFault]

    /// The exit status of a program with a faulty configuration.
    public static let exitStatus = ExitStatus.usage.rawValue

    /// Sorts the faults; those at one position keep their order. `sources` come first, in their order.
    public init(_ faults: [ConfigurationFault], sources: [String] = []) {
        var files: [String: Int] = [:]
        for source in sources where files[source] == nil { files[source] = files.count }
        for fault in faults where files[fault.position.source] == nil { files[fault.position.source] = files.count }
        let keyed = faults.enumerated().map { index, fault in
            (order: (files[fault.position.source] ?? 0, fault.position.line, fault.position.column, index), fault)
        }
        self.faults = keyed.sorted { $0.order < $1.order }.map { $0.1 }
    }

    /// One line for each fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
