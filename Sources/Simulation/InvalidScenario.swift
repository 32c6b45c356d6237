/// Something in a scenario that can't be.
public struct ScenarioFault: Hashable, Sendable, CustomStringConvertible {
    /// Where: the keys of a scenario file with places in lists from 0, such as `rooms[2].polygon`.
    public let path: String
    /// What is wrong, and what was expected.
    public let message: String

    /// A fault at a path.
    public init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// Path and message.
    public var description: String { "\(path): \(message)" }
}

/// The refusal of a scenario: every fault that it has.
public struct InvalidScenario: Error, Hashable, CustomStringConvertible {
    /// At least one.
    public let faults: [ScenarioFault]

    /// A line for each fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
