import Bytes
import CommandLine
import Glibc
import Support
import System
import Testing

@Suite struct LogTests {
    @Test func theJournalGetsPrioritiesAndAPersonGetsTheTime() {
        let pipe = ReadablePipe()
        Log(style: .journal, descriptor: pipe.writing).warning("low battery")
        #expect(pipe.available() == "<4>low battery\n")
        let log = Log(style: .plain, descriptor: pipe.writing) { Timestamp(microseconds: 1_500_000) }
        log.notice("up")
        let line = pipe.available()
        #expect(line.hasSuffix(":01.500 notice: up\n"))
        #expect(line.count == "1970-01-01 00:00:01.500 notice: up\n".count)
    }

    @Test func aLineBelowTheLevelIsNotWritten() {
        let pipe = ReadablePipe()
        let log = Log(level: .notice, style: .journal, descriptor: pipe.writing)
        log.info("hidden")
        #expect(pipe.available() == "")
        log.level = .debug
        log.debug("shown")
        #expect(pipe.available() == "<7>shown\n")
        #expect(Log.Level(name: "debug") == .debug && Log.Level(name: "loud") == nil)
    }

    @Test func aTextFromOutsideCannotForgeALine() {
        let pipe = ReadablePipe()
        Log(style: .journal, descriptor: pipe.writing).info("name: a\n<3>forged\u{1B}[2J")
        #expect(pipe.available() == "<6>name: a\\n<3>forged\\u{1b}[2J\n")
    }

    @Test func aThingIsSaidOncePerChange() {
        let pipe = ReadablePipe()
        let log = Log(style: .journal, descriptor: pipe.writing)
        log.logChange("broker", .warning, "not reached")
        log.logChange("broker", .warning, "not reached")
        log.logChange("adapter", .warning, "not reached")
        log.logChange("broker", .notice, "connected")
        log.logChange("broker", .warning, "not reached")
        #expect(pipe.available() == "<4>not reached\n<4>not reached\n<5>connected\n<4>not reached\n")
    }

    @Test func aLineAboutItemsIsWholeAsInformationAlone() {
        let pipe = ReadablePipe()
        let log = Log(style: .journal, descriptor: pipe.writing)
        let text = "'keys' and keys-2 have the key of 'bag': keys/bag.irk"
        log.logChange("k", .warning, text, about: ["keys", "bag"])
        log.logChange("k", .warning, text, about: ["keys", "bag"])
        #expect(pipe.available() == "<4>'…' and keys-2 have the key of '…': …/….irk\n<6>\(text)\n")
        log.level = .warning
        log.write(.error, "aa:bb:cc:dd:ee:ff is lost", about: ["", "aa:bb:cc:dd:ee:ff"])
        log.write(.info, "keys are here", about: ["keys"])
        #expect(pipe.available() == "<3>… is lost\n")
        log.level = .debug
        log.write(.info, "keys are here", about: ["keys"])
        log.write(.notice, "nobody is meant", about: [])
        #expect(pipe.available() == "<6>keys are here\n<5>nobody is meant\n")
    }

    @Test func theFormMayChangeAtRunTime() {
        let pipe = ReadablePipe()
        let log = Log(style: .journal, descriptor: pipe.writing)
        log.isJSON = true
        log.info("one")
        log.isJSON = false
        log.info("two")
        let lines = pipe.available().split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("{") && lines[1] == "<6>two")
    }

    @Test func programsGetLinesOfJSON() {
        let pipe = ReadablePipe()
        let log = Log(style: .json, descriptor: pipe.writing) { Timestamp(microseconds: 1_500_000) }
        log.warning("name: \"a\"\nb")
        #expect(
            pipe.available()
                == #"{"at":"1970-01-01T00:00:01.500Z","level":"warning","text":"name: \"a\"\u000ab"}"# + "\n")
    }

    @Test func aPlaceThatRepeatsItselfIsLimited() throws {
        let pipe = ReadablePipe()
        let log = Log(style: .journal, descriptor: pipe.writing)
        for number in 0..<Log.burst + 5 { log.warning("\(number)") }
        log.notice("another place")
        let lines = pipe.available().split(separator: "\n")
        // One more for each second that this takes.
        #expect((Log.burst + 1...Log.burst + 3).contains(lines.count))
        #expect(lines.last == "<5>another place")
        for number in 0..<1000 { log.debug("\(number)") }
        #expect(pipe.available() == "")
    }

    @Test func whatWasLeftOutIsCounted() async throws {
        let pipe = ReadablePipe()
        let log = Log(style: .journal, descriptor: pipe.writing)
        func write(_ text: String) { log.warning(text) }
        for _ in 0..<Log.burst + 7 { write("again") }
        _ = pipe.available()
        try await Task.sleep(for: .milliseconds(1500))
        write("later")
        // Fewer where the machine took more than a second for all of them.
        #expect(pipe.available().contains(/^<4>later \([1-7] lines like this one were left out before it\)\n$/))
    }

    @Test func aLogThatNobodyReadsCountsWhatItDrops() {
        let pipe = ReadablePipe()
        _ = StandardOutput(descriptor: pipe.writing)
        pipe.closeReading()
        let log = Log(style: .journal, descriptor: pipe.writing)
        log.error("lost")
        #expect(log.dropped == 1)
    }
}
