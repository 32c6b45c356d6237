import CommandLine
import Glibc
import Support
import System
import Testing

@Suite struct OutputTests {
    @Test func textIsHeldUntilItIsFlushedOrTheWriterGoes() {
        let pipe = ReadablePipe()
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
        let pipe = ReadablePipe()
        var output = StandardOutput(descriptor: pipe.writing, bound: 8)
        output.write("1234567")
        #expect(pipe.available() == "")
        output.write("8")
        #expect(pipe.available() == "12345678")
    }

    @Test func aReaderThatGoesAwayEndsTheOutputQuietly() {
        let pipe = ReadablePipe()
        pipe.closeReading()
        var output = StandardOutput(descriptor: pipe.writing)
        // A process that another test starts has a copy of the pipe until it executes its program.
        for _ in 0..<5000 where output.isOpen {
            output.line("lost")
            _ = output.flush()
            usleep(1000)
        }
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
}
