public import CommandLine
public import Configuration
package import MQTT
internal import Store
public import System
internal import WireProtocol

/// A reason to end with status 1, in a sentence for the operator.
public struct ProgramFault: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
    /// The reason and the cause, if a broker did not take the connection.
    package var connection: (reason: String, cause: MQTTError.Cause)?
    private let isDenial: Bool

    /// A fault with its sentence.
    ///
    /// - Parameter isRefusal: true if a broker answered that this user may not.
    public init(_ description: String, isRefusal: Bool = false) {
        self.description = description
        isDenial = isRefusal
    }

    /// True if a broker rejected this user, or what it asked for: waiting does not help.
    public var isRefusal: Bool { isDenial || connection?.cause == .credentials }
}

/// The program was asked to end, as by ^C, during a wait.
public struct Interruption: Error, CustomStringConvertible {
    /// The message for the operator.
    public let description = "interrupted"

    /// An interruption; it carries no details.
    public init() {}
}

/// The frame of all programs: reads the command line, runs, and turns thrown errors into texts and a status.
public enum Program {
    /// Parses `words` (without the program's name) by `command` and runs `body` with them.
    ///
    /// Returns 0 if help was requested; 2 for wrong usage or configuration, each fault on a line of standard error; 1
    /// for any other error; otherwise the result of `body`.
    public static func run(
        _ command: Command, _ words: some Sequence<String>, _ body: (Arguments) throws -> Int32
    ) -> Int32 {
        do {
            switch try command.parse(words) {
            case .show(let text):
                var output = StandardOutput()
                output.write(text)
                return finishOutput(&output)
            case .run(let arguments): return try body(arguments)
            }
        } catch let fault as UsageError {
            return printFault("\(fault)", UsageError.exitStatus)
        } catch let faults as ConfigurationFaults {
            return printFault("\(faults)", ConfigurationFaults.exitStatus)
        } catch let error as StoreError {
            // Wrong usage, which no other start mends.
            if case .newerSchema = error.kind { return printFault("\(command.name): \(error)", UsageError.exitStatus) }
            return printFault("\(command.name): \(error)", 1)
        } catch {
            return printFault("\(command.name): \(error)", ExitStatus.failure.rawValue)
        }
    }

    /// Writes the rest of a command's output. Returns the exit status: 1, with a message, if it could not all be
    /// written; a closed pipe is no failure.
    public static func finishOutput(_ output: inout StandardOutput) -> Int32 {
        guard case .failed(let error) = output.flush() else { return ExitStatus.success.rawValue }
        return printFault("standard output: \(error)", ExitStatus.failure.rawValue)
    }

    /// Logs the warnings of a configuration, and its keys without effect in this version.
    public static func logWarnings(_ warnings: [ConfigurationFault], withoutEffect keys: [String] = [], _ log: Log) {
        for warning in warnings { log.warning("\(warning)") }
        if !keys.isEmpty { log.notice("no effect in this version: \(keys.joined(separator: ", "))") }
    }

    /// The version of a program: that of its Debian package, which its unit names in `WHEREABOUTS_PACKAGE`, or else that of the
    /// sources. Anything that is no version of a package does not count.
    public static func version(_ environment: [String: String]) -> String {
        guard let package = environment["WHEREABOUTS_PACKAGE"], NodeCommand.isPackageVersion(package) else {
            return Version.current
        }
        return package
    }

    private static func printFault(_ text: String, _ status: Int32) -> Int32 {
        var output = StandardOutput(descriptor: 2)
        output.line(text)
        output.flush()
        return status
    }
}
