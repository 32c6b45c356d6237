/// Where a value of a configuration stands.
public struct ConfigurationPosition: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named; or the environment variable or option that gave the value.
    public var source: String
    /// The line, counted from 1; 0 where the value isn't from a file.
    public var line: Int
    /// The character within the line, counted from 1; 0 where the value isn't from a file.
    public var column: Int

    /// A place in a file.
    public init(file: String, line: Int, column: Int) {
        self.source = file
        self.line = line
        self.column = column
    }

    /// A value that a variable or an option gave.
    public init(outside source: String) {
        self.init(file: source, line: 0, column: 0)
    }

    /// Whether the value stands in a file.
    public var isInFile: Bool { line > 0 }

    /// `file:line:column`, or the variable's name.
    public var description: String { isInFile ? "\(source):\(line):\(column)" : source }
}

/// One thing that is wrong with a configuration, where, and what was expected.
public struct ConfigurationFault: Hashable, Sendable, CustomStringConvertible {
    /// Where it is.
    public var position: ConfigurationPosition
    /// What is wrong and how to mend it, without a full stop.
    public var message: String

    /// A fault at a place.
    public init(_ position: ConfigurationPosition, _ message: String) {
        self.position = position
        self.message = message
    }

    /// Such as `agent.yaml:3:7: expected a whole number, found the text 'many'`.
    public var description: String { "\(position): \(message)" }
}

/// Everything that is wrong with a configuration: by file in the order they were read, by line, by column.
public struct ConfigurationFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults, at least one.
    public var faults: [ConfigurationFault]

    /// The exit status of a program whose configuration is wrong.
    public static let exitStatus: Int32 = 2

    /// Puts faults in order; within one place they keep theirs. `sources` come first, in their order.
    public init(_ faults: [ConfigurationFault], sources: [String] = []) {
        var files: [String: Int] = [:]
        for source in sources where files[source] == nil { files[source] = files.count }
        for fault in faults where files[fault.position.source] == nil { files[fault.position.source] = files.count }
        let keyed = faults.enumerated().map { index, fault in
            (order: (files[fault.position.source] ?? 0, fault.position.line, fault.position.column, index), fault)
        }
        self.faults = keyed.sorted { $0.order < $1.order }.map { $0.1 }
    }

    /// A line a fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
