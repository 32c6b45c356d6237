import Bytes
import Daemon
import Glibc
import Testing

@Suite struct OutputTests {
    @Test func textIsHeldUntilItIsFlushedOrTheWriterGoes() {
        let pipe = Pipe()
        do {
            var output = StandardOutput(descriptor: pipe.writing)
            output.line("one")
            #expect(pipe.available() == "")
            #expect(output.flush() == .open)
            #expect(pipe.available() == "one\n")
            output.write("two")
        }
        #expect(pipe.available() == "two")
    }

    @Test func aFullBufferIsHandedOn() {
        let pipe = Pipe()
        var output = StandardOutput(descriptor: pipe.writing, bound: 8)
        output.write("1234567")
        #expect(pipe.available() == "")
        output.write("8")
        #expect(pipe.available() == "12345678")
    }

    @Test func aReaderThatGoesAwayEndsTheOutputQuietly() {
        let pipe = Pipe()
        pipe.closeReading()
        var output = StandardOutput(descriptor: pipe.writing)
        output.line("lost")
        #expect(output.flush() == .closed)
        output.line("dropped")
        let isOpen = output.isOpen
        #expect(!isOpen)
    }

    @Test func aFullDiskIsToldApartFromAReaderThatLeft() {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        var output = StandardOutput(descriptor: full)
        output.line("lost")
        guard case .failed(let error) = output.flush() else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == ENOSPC)
        #expect(error.description == "write: No space left on device")
    }

    @Test func theJournalGetsPrioritiesAndAPersonGetsTheTime() {
        let pipe = Pipe()
        Log(style: .journal, descriptor: pipe.writing).warning("low battery")
        #expect(pipe.available() == "<4>low battery\n")
        let log = Log(style: .plain, descriptor: pipe.writing) { Timestamp(microseconds: 1_500_000) }
        log.notice("up")
        let line = pipe.available()
        #expect(line.hasSuffix(":01.500 notice: up\n"))
        #expect(line.count == "1970-01-01 00:00:01.500 notice: up\n".count)
    }

    @Test func aLineBelowTheLevelIsNotWritten() {
        let pipe = Pipe()
        let log = Log(level: .notice, style: .journal, descriptor: pipe.writing)
        log.info("hidden")
        #expect(pipe.available() == "")
        log.level = .debug
        log.debug("shown")
        #expect(pipe.available() == "<7>shown\n")
        #expect(Log.Level(name: "debug") == .debug && Log.Level(name: "loud") == nil)
    }

    @Test func aTextFromOutsideCannotForgeALine() {
        let pipe = Pipe()
        Log(style: .journal, descriptor: pipe.writing).info("name: a\n<3>forged\u{1B}[2J")
        #expect(pipe.available() == "<6>name: a\\n<3>forged\\u{1b}[2J\n")
    }

    @Test func aThingIsSaidOncePerChange() {
        let pipe = Pipe()
        let log = Log(style: .journal, descriptor: pipe.writing)
        log.change("broker", .warning, "not reached")
        log.change("broker", .warning, "not reached")
        log.change("adapter", .warning, "not reached")
        log.change("broker", .notice, "connected")
        log.change("broker", .warning, "not reached")
        #expect(pipe.available() == "<4>not reached\n<4>not reached\n<5>connected\n<4>not reached\n")
    }

    @Test func aLogThatNobodyReadsCountsWhatItDrops() {
        let pipe = Pipe()
        _ = StandardOutput(descriptor: pipe.writing)
        pipe.closeReading()
        let log = Log(style: .journal, descriptor: pipe.writing)
        log.error("lost")
        #expect(log.dropped == 1)
    }
}
