public import Configuration
public import System

/// The configuration of a running program, which is read anew on request.
///
/// A new reading takes effect as a whole, or not at all: `changes` for the keys that can change at run time, while the others
/// keep their values until the next start, and are named again with each request until then.
public struct ConfigurationReload<Value: ReloadableConfiguration> {
    /// The configuration in force.
    public private(set) var current: Value
    private let read: () throws -> Value

    /// A configuration in force, and how its file is read anew: with all checks of a start, but without effects.
    public init(_ current: Value, read: @escaping () throws -> Value) {
        (self.current, self.read) = (current, read)
    }

    /// Reads the file anew, and logs what becomes of each key that has another value. Returns the configuration that is to
    /// take effect; nil if nothing is to be done.
    public mutating func readAnew(_ log: Log) -> Value? {
        let new: Value
        do {
            new = try read()
        } catch {
            // A line each: the log writes what stands in one as one.
            for line in "\(error)".split(separator: "\n") { log.error("\(line)") }
            log.error("the configuration was not applied: mend the file, and reload again")
            return nil
        }
        Program.logWarnings(new.warnings, log)
        let changes = current.changes(to: new)
        let applied = changes.keys(.atRunTime)
        let waiting = changes.keys(.atStart)
        if applied.isEmpty, waiting.isEmpty { log.notice("the configuration was read anew: nothing has changed") }
        if !applied.isEmpty { log.notice("the configuration was read anew, and is applied: \(Self.list(applied))") }
        if !waiting.isEmpty { log.warning("another value needs a restart to take effect: \(Self.list(waiting))") }
        guard !applied.isEmpty else { return nil }
        current = current.adopting(new)
        return current
    }

    private static func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }
}
