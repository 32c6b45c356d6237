/// A fault in a scenario.
public struct ScenarioFault: Hashable, Sendable, CustomStringConvertible {
    /// The path: the keys of a scenario file with indices in lists from 0, such as `rooms[2].polygon`.
    public let path: String
    /// The fault, with the expected value.
    public let message: String

    /// A fault at a path.
    public init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// Path and message.
    public var description: String { "\(path): \(message)" }
}

/// The rejection of a scenario: all of its faults.
public struct InvalidScenario: Error, Hashable, CustomStringConvertible {
    /// The faults, at least one.
    public let faults: [ScenarioFault]

    /// A line for each fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
