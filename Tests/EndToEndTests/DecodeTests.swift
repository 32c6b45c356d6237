import Foundation
import Support
import Testing

/// The output of the built `whereabouts decode`.
@Suite struct DecodeTests {
    static func decode(_ arguments: [String], input: [UInt8] = []) throws -> Execution.Outcome {
        try Execution.run(Execution.path(of: "whereabouts"), ["decode"] + arguments, input: input)
    }

    @Test func aCaptureOfOurOwnPrintsWhatItAlwaysPrinted() throws {
        let outcome = try Self.decode([GeneratedCapture.path])
        if ProcessInfo.processInfo.environment["WHEREABOUTS_RENEW_FIXTURES"] != nil {
            try outcome.output.write(to: URL(filePath: GeneratedCapture.goldenPath))
        }
        #expect(outcome.output == (try Data(contentsOf: URL(filePath: GeneratedCapture.goldenPath))))
        #expect(outcome.status == 0)
        let name = GeneratedCapture.path
        #expect(
            outcome.error == """
                whereabouts decode: \(name): malformed reports or events: 24, in 180 advertising events
                whereabouts decode: \(name): advertisements whose AD structures pass the end of their data: 12

                """)
    }

    @Test func theGeneratedCaptureIsTheOneThatIsKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("generated.btsnoop")
        try GeneratedCapture.write(to: path)
        let bytes = try Data(contentsOf: URL(filePath: path))
        if ProcessInfo.processInfo.environment["WHEREABOUTS_RENEW_FIXTURES"] != nil {
            try bytes.write(to: URL(filePath: GeneratedCapture.path))
        }
        #expect(bytes == (try Data(contentsOf: URL(filePath: GeneratedCapture.path))))
        #expect(bytes.count <= 64 << 10)
    }

    @Test func standardInputReadsLikeTheFile() throws {
        let capture = try Data(contentsOf: URL(filePath: GeneratedCapture.path))
        let golden = try Data(contentsOf: URL(filePath: GeneratedCapture.goldenPath))
        #expect(try Self.decode([], input: Array(capture)).output == golden)
        #expect(try Self.decode(["-"], input: Array(capture)).output == golden)
        let twice = try Self.decode([GeneratedCapture.path, "-"], input: Array(capture))
        #expect(twice.output == golden + golden)
    }

    @Test func aCutCaptureGivesItsWholePacketsAndSaysWhereItBroke() throws {
        let capture = try Data(contentsOf: URL(filePath: GeneratedCapture.path))
        let golden = try Data(contentsOf: URL(filePath: GeneratedCapture.goldenPath))
        let outcome = try Self.decode(["-"], input: Array(capture.prefix(5000)))
        #expect(outcome.status == 1)
        #expect(!outcome.output.isEmpty && golden.starts(with: outcome.output))
        #expect(outcome.error.contains("standard input: cut short at byte 5000: "))
    }

    @Test func aBadFileDoesNotHideTheNext() throws {
        let golden = try Data(contentsOf: URL(filePath: GeneratedCapture.goldenPath))
        let outcome = try Self.decode(["/nonexistent/capture", GeneratedCapture.path])
        #expect(outcome.status == 1)
        #expect(outcome.output == golden)
        #expect(
            outcome.error.hasPrefix(
                "whereabouts decode: /nonexistent/capture: cannot open: No such file or directory\n"))
    }

    @Test func aReaderThatGoesAwayIsNoFault() throws {
        let program = Execution.path(of: "whereabouts")
        let script = "'\(program)' decode '\(GeneratedCapture.path)' | true; echo ${PIPESTATUS[0]}"
        let outcome = try Execution.run("/bin/bash", ["-c", script])
        #expect(outcome.lines == ["0"])
        #expect(!outcome.error.contains("standard output"))
    }

    @Test func aFullDiskIsAFault() throws {
        let program = Execution.path(of: "whereabouts")
        let outcome = try Execution.run(
            "/bin/bash", ["-c", "'\(program)' decode '\(GeneratedCapture.path)' >/dev/full; echo $?"])
        #expect(outcome.lines == ["1"])
        #expect(outcome.error.contains("standard output: write: No space left on device"))
    }

    @Test func wrongUsageIsToldWithStatus2() throws {
        let outcome = try Self.decode(["--hx"])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("unknown option '--hx'; did you mean --hex?"))
    }
}
