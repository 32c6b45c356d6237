import Glibc
import Support
import Testing

@testable import Operator

/// A pseudo-terminal: what is written to its other end.
private final class PseudoTerminal {
    let main: Int32
    let other: Int32

    init(columns: UInt16) throws {
        main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which the Glibc module leaves out.
        var (lock, number) = (Int32(0), Int32(-1))
        try #require(main >= 0 && ioctl(main, 0x4004_5431, &lock) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
        other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(other >= 0)
        var size: [UInt16] = [24, columns, 0, 0]
        try #require(ioctl(other, UInt(TIOCSWINSZ), &size) == 0)
        _ = fcntl(main, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(main)
        close(other)
    }

    /// The bytes that were written since the last call.
    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 65536)
        var all: [UInt8] = []
        while true {
            let count = Glibc.read(main, &bytes, bytes.count)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += bytes[0..<count]
        }
    }

    /// Waits for a text, some seconds at most; what was written until then.
    func wait(for text: String) -> String {
        var seen = ""
        let end = ContinuousClock.now + .seconds(20)
        while !seen.contains(text), ContinuousClock.now < end {
            usleep(20_000)
            seen += read()
        }
        return seen
    }
}

/// The text that is left on the last line of a terminal.
private func lastLine(_ written: String) -> String {
    var line: [Character] = []
    var place = 0
    for character in written {
        if character == "\r" {
            place = 0
        } else {
            if place < line.count { line[place] = character } else { line.append(character) }
            place += 1
        }
    }
    return String(line.reversed().drop { $0 == " " }.reversed())
}

@Suite struct ProgressTests {
    @Test("A bar has a rate and an end, fits the terminal, and is erased")
    func bar() throws {
        let terminal = try PseudoTerminal(columns: 72)
        let progress = Progress("importing", descriptor: terminal.other, patience: .milliseconds(1))
        progress.begin("importing", total: 1000)
        progress.advance(to: 400)
        let seen = terminal.wait(for: "40 %")
        #expect(lastLine(seen).hasPrefix("importing  [") && seen.contains("/s") && seen.contains(" left"))
        #expect(lastLine(seen).count <= 71 && seen.contains("#") && seen.contains("-"))
        #expect(!seen.contains("\n") && !seen.contains("\u{1B}"), "one line, and no colours")
        progress.end()
        #expect(lastLine(seen + terminal.read()) == "")
        progress.advance(to: 500)
        usleep(300_000)
        #expect(terminal.read() == "", "nothing is drawn after the end")
    }

    @Test("Without a total there is a rate alone, and while a step blocks the seconds go on")
    func unknownTotal() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let progress = Progress("reading", descriptor: terminal.other, patience: .milliseconds(1))
        let blocked = terminal.wait(for: "reading  1 s")
        #expect(blocked.contains("reading  0 s") && blocked.contains("reading  1 s"))
        progress.advance(to: 5_000_000)
        #expect(lastLine(terminal.wait(for: "5000000")).contains("/s"))
        progress.hide()
        usleep(300_000)
        _ = terminal.read()
        usleep(300_000)
        #expect(terminal.read() == "", "it is hidden until the next step")
        progress.begin("learning")
        #expect(terminal.wait(for: "learning").contains("learning"))
        progress.end()
    }

    @Test("What is done before the patience is over shows nothing, nor does anything in a pipe")
    func quiet() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let progress = Progress("reading", descriptor: terminal.other)
        progress.advance(to: 1)
        usleep(300_000)
        progress.end()
        #expect(terminal.read() == "")
        let pipe = ReadablePipe()
        let piped = Progress("reading", descriptor: pipe.writing, patience: .milliseconds(1))
        piped.advance(to: 1)
        usleep(300_000)
        piped.end()
        #expect(!piped.isShown)
        var byte: UInt8 = 0
        _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
        #expect(read(pipe.reading, &byte, 1) == -1 && errno == EAGAIN)
    }

    @Test(
        "The line is cut to what there is room for",
        arguments: [
            (100, "copying  [###############---------------]  50 %  5.0 MB/s  10 s left"),
            (40, "copying  50 %  5.0 MB/s  10 s left"), (20, "copying  50 %"), (7, "copying"),
        ])
    func widths(columns: Int, line: String) {
        #expect(
            Progress.line("copying", done: 50e6, total: 100e6, unit: .bytes, seconds: 10, columns: columns) == line)
    }

    @Test("Units and spans are in words of a sensible size")
    func units() {
        func line(_ done: Double, _ total: Double?, _ unit: Progress.Unit, _ seconds: Double) -> String {
            Progress.line("x", done: done, total: total, unit: unit, seconds: seconds, columns: 30)
        }
        #expect(line(0, nil, .count, 4) == "x  4 s")
        #expect(line(12, nil, .count, 4) == "x  12  3.0/s")
        #expect(line(3600, nil, .seconds, 4) == "x  3600 s  900 s/s")
        #expect(line(10, 7210, .count, 10) == "x  0 %  1.0/s  2 h left")
        #expect(line(10, 610, .count, 10) == "x  1 %  1.0/s  10 min left")
        #expect(line(0.5, 1, .share, 10) == "x  [####----]  50 %  10 s left")
        #expect(line(2e9, nil, .bytes, 4) == "x  2.0 GB  500.0 MB/s")
        #expect(line(5, 0, .count, 5) == "x  5.0  1.0/s")
        #expect(line(20, 10, .count, 10).hasPrefix("x  100 %"))
    }
}
