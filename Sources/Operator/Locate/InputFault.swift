/// What is wrong with a file that a command reads.
public struct InputFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as it was named.
    public var file: String
    /// The line, counted from 1; nil where the whole file is meant.
    public var line: Int?
    /// What was wrong.
    public var message: String

    /// Such as `test.csv:17: 'abc' is not a number`.
    public var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
