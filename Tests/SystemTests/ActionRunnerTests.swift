import Bytes
import Glibc
import Support
import System
import Testing

@Suite struct ActionRunnerTests {
    /// Runs the loop until so many results came, or `seconds` have passed.
    static func results(_ count: Int, of runner: ActionRunner, within seconds: Int = 20) throws -> [ActionResult] {
        let loop = try RunLoop()
        let end = MonotonicClock.now() + .seconds(seconds)
        var results: [ActionResult] = []
        while results.count < count, MonotonicClock.now() < end {
            _ = try loop.wait(readable: [runner.descriptor], until: min(end, runner.nextDeadline ?? end))
            results += runner.advance()
        }
        return results
    }

    static func run(_ command: ActionCommand, _ limits: ActionRunner.Limits = .init()) throws -> ActionResult {
        let runner = try ActionRunner(limits: limits)
        runner.start(command, label: "test")
        return try #require(try results(1, of: runner).first)
    }

    static func shell(
        _ script: String, input: Secret? = nil, timeout: Duration = .seconds(15)
    ) -> ActionCommand {
        ActionCommand("/bin/sh", ["-c", script], input: input, timeout: timeout)
    }

    static var impatient: ActionRunner.Limits {
        var limits = ActionRunner.Limits()
        limits.patience = .milliseconds(200)
        return limits
    }

    static func text(_ result: ActionResult) -> String { String(decoding: result.output, as: UTF8.self) }

    @Test func aProgramRunsAndItsFirstLinesAreKept() throws {
        let result = try Self.run(ActionCommand("echo", ["keys", "$HOME; ls"]))
        #expect(result.isGood && Self.text(result) == "keys $HOME; ls\n" && result.outputDropped == 0)
        #expect(!result.leftOthers)
    }

    @Test func aProgramThatFailsIsToldWithItsStatus() throws {
        let result = try Self.run(Self.shell("echo no >&2; exit 3"))
        #expect(result.ending == .exited(3) && Self.text(result) == "no\n")
        #expect(result.description == "test ended with status 3")
        #expect(try Self.run(Self.shell("kill -9 $$")).ending == .signalled(9))
    }

    @Test func aProgramThatHangsIsEndedAndToldSo() throws {
        let result = try Self.run(Self.shell("exec sleep 1000", timeout: .milliseconds(100)), Self.impatient)
        #expect(result.ending == .timedOut)
    }

    @Test func aProgramThatTakesNoHintIsKilledWithItsGroup() throws {
        let script = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait; sleep 1000"
        // Long enough for it to say who it is.
        let result = try Self.run(Self.shell(script, timeout: .seconds(3)), Self.impatient)
        #expect(result.ending == .timedOut)
        let child = try #require(Int32(Self.text(result).split(separator: "\n").first ?? ""))
        #expect(Self.isGone(child))
    }

    @Test func whatAProgramLeavesRunningIsEndedAndTold() throws {
        let result = try Self.run(Self.shell("sleep 1000 & echo $!"))
        #expect(result.isGood && result.leftOthers)
        let child = try #require(Int32(Self.text(result).split(separator: "\n").first ?? ""))
        #expect(Self.isGone(child))
        #expect(result.description == "test ended with status 0; what it left running was ended")
    }

    @Test func aProgramCannotTurnItselfIntoADaemon() throws {
        guard let setsid = Execution.find("setsid") else {
            print("skipped: setsid (util-linux) is not installed")
            return
        }
        // As a child, since the leader of a group may fork before it tries.
        let result = try Self.run(Self.shell("\(setsid) sleep 1000 || echo held; exit 0"))
        #expect(result.isGood && Self.text(result).hasSuffix("held\n") && !result.leftOthers)
    }

    /// True if a process has ended; an orphan that nobody waits for yet counts as ended.
    static func isGone(_ process: Int32) -> Bool {
        waitUntil(5) {
            guard kill(process, 0) == 0 else { return true }
            let status = (try? WholeFile.read("/proc/\(process)/stat", bound: 4096)) ?? []
            return String(decoding: status, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") ?? true
        }
    }

    @Test func aProgramThatPrintsTenMegabytesIsReadToItsEndInBoundedRoom() throws {
        let result = try Self.run(Self.shell("head -c 10000000 /dev/zero"))
        #expect(result.isGood && result.output.count == 4096 && result.outputDropped == 10_000_000 - 4096)
    }

    @Test func aProgramThatClosesItsDescriptorsIsWaitedForWithoutATurningLoop() throws {
        let runner = try ActionRunner()
        let loop = try RunLoop()
        runner.start(Self.shell("exec <&- >&- 2>&-; sleep 0.5"), label: "test")
        var turns = 0
        var results: [ActionResult] = []
        while results.isEmpty, turns < 1000 {
            _ = try loop.wait(readable: [runner.descriptor], until: runner.nextDeadline)
            results += runner.advance()
            turns += 1
        }
        #expect(results.map(\.isGood) == [true] && turns < 10)
    }

    @Test func aProgramReadsItsInputToTheEndOrNotAtAll() throws {
        let folder = try TemporaryFolder()
        let command = Self.shell("cat > \(folder.path)/got", input: Secret("WIFI:T:WPA;;"))
        #expect(try Self.run(command).isGood)
        #expect(try WholeFile.read(folder.path + "/got", bound: 100) == Array("WIFI:T:WPA;;".utf8))
        let large = Secret(String(repeating: "x", count: ActionRunner.inputBound))
        #expect(try Self.run(Self.shell("exec <&-; exit 0", input: large)).isGood)
        #expect(try Self.run(Self.shell("wc -c | grep -q 65536", input: large)).isGood)
        #expect(try Self.run(Self.shell("test -z \"$(cat)\"")).isGood)
        let tooLarge = try Self.run(Self.shell("cat", input: Secret(large.text + "x")))
        #expect(tooLarge.ending == .notStarted(SystemError(code: E2BIG, context: "standard input")))
    }

    @Test func whatAProgramWasGivenIsNotKeptOfItsOutput() throws {
        let result = try Self.run(Self.shell("cat", input: Secret("hunter2hunter2")))
        var dumped = ""
        dump(result, to: &dumped)
        dump(Self.shell("cat", input: Secret("hunter2hunter2")), to: &dumped)
        #expect(result.output.isEmpty && result.outputDropped == 14 && !dumped.contains("hunter2"))
    }

    @Test(arguments: ["no-such-program-at-all", "/no/such/program", "relative/path", "/etc/passwd", "/tmp", ""])
    func aProgramThatIsNotThereIsTold(_ program: String) throws {
        let result = try Self.run(ActionCommand(program))
        guard case .notStarted(let error) = result.ending else {
            Issue.record("\(result)")
            return
        }
        #expect([ENOENT, EACCES].contains(error.code) && result.description.contains("could not be started"))
    }

    @Test func aHundredAtOnceAreBoundedEndedAndTold() throws {
        let runner = try ActionRunner()
        var most = 0
        for number in 0..<100 {
            runner.start(Self.shell("exit 0"), label: "\(number)")
            most = max(most, runner.runningCount)
        }
        let results = try Self.results(100, of: runner)
        #expect(results.count == 100 && most == 4 && runner.runningCount == 0)
        #expect(results.filter(\.isGood).count == 36)
        #expect(results.filter { $0.ending == .dropped }.count == 64 && runner.dropped == 64)
        #expect(runner.nextDeadline == nil)
    }

    @Test func theEndOfTheServiceEndsWhatRuns() throws {
        let runner = try ActionRunner(limits: Self.impatient)
        for number in 0..<6 { runner.start(Self.shell("trap '' TERM; sleep 1000"), label: "\(number)") }
        let results = runner.stop()
        #expect(results.count == 6 && results.allSatisfy { $0.ending == .stopped } && runner.runningCount == 0)
    }

    @Test func theEnvironmentIsMinimal() throws {
        let result = try Self.run(ActionCommand("/usr/bin/env", variables: ["WHEREABOUTS_ITEM": "keys", "PATH": "/x"]))
        #expect(
            Self.text(result).split(separator: "\n").sorted() == [
                "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "WHEREABOUTS_ITEM=keys",
            ])
    }

    @Test func nothingOfTheServiceIsInherited() throws {
        // A descriptor without the flag that closes it, and a blocked signal.
        let stray = dup(1)
        defer { close(stray) }
        let loop = try RunLoop()
        let script = """
            ls /proc/self/fd | wc -l; pwd; umask; grep -E '^(SigBlk|SigIgn|NoNewPrivs)' /proc/self/status
            test "$(cut -d' ' -f5 /proc/$$/stat)" = $$ && test "$(cut -d' ' -f6 /proc/$$/stat)" = $$ && echo own
            """
        let runner = try ActionRunner()
        runner.start(Self.shell(script), label: "test")
        var results: [ActionResult] = []
        while results.isEmpty {
            _ = try loop.wait(readable: [runner.descriptor], until: runner.nextDeadline)
            results += runner.advance()
        }
        // The fourth descriptor is the folder that ls reads.
        #expect(
            Self.text(results[0]).split(separator: "\n").map { $0.split(separator: "\t").joined(separator: " ") } == [
                "4", "/", "0077", "SigBlk: 0000000000000000", "SigIgn: 0000000000000000", "NoNewPrivs: 1", "own",
            ])
    }

    @Test func aProgramHasNoCapabilityEvenWhereTheServiceHasAll() throws {
        let result = try Self.run(ActionCommand("/bin/grep", ["-E", "^Cap(Inh|Prm|Eff|Amb)", "/proc/self/status"]))
        let lines = Self.text(result).split(separator: "\n")
        #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix("0000000000000000") }, "\(lines)")
    }
}
