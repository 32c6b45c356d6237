public import Foundation

/// Programs run to their end: the built ones of this package, and the system's.
public enum Execution {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The exit status.
        public var status: Int32
        /// Standard output.
        public var output: Data
        /// Standard error.
        public var error: String

        /// The lines of standard output.
        public var lines: [Substring] { String(decoding: output, as: UTF8.self).split(separator: "\n") }
    }

    /// The path of a product of this package, such as `whereabouts`: beside the tests' own program.
    public static func path(of product: String) -> String {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: product).path(percentEncoded: false)
    }

    /// The path of a program of the system, or nil if it is not installed.
    public static func find(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/", "/usr/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program with standard input from `input` and waits for its end. Its outputs go through files, so that none
    /// can fill up.
    public static func run(_ path: String, _ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        _ = try folder.write([], to: "output")
        _ = try folder.write([], to: "error")
        let output = try FileHandle(forWritingTo: URL(filePath: folder.file("output")))
        let error = try FileHandle(forWritingTo: URL(filePath: folder.file("error")))
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: try folder.write(input, to: "input")))
        process.standardOutput = output
        process.standardError = error
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try Data(contentsOf: URL(filePath: folder.file("output"))),
            error: try String(contentsOfFile: folder.file("error"), encoding: .utf8))
    }
}
