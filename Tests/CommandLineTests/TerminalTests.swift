import CommandLine
import Glibc
import Support
import Testing

@Suite struct TerminalTests {
    @Test("Return the current size of a terminal, and none for a pipe")
    func size() throws {
        let pipe = ReadablePipe()
        #expect(!Terminal.isAttached(pipe.writing))
        #expect(Terminal.size(pipe.writing) == nil)

        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        defer { close(master) }
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which the Glibc module leaves out.
        var (lock, number) = (Int32(0), Int32(-1))
        try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        for columns in [UInt16(80), 132] {
            // struct winsize: rows, columns, and both in pixels.
            var size: [UInt16] = [24, columns, 0, 0]
            try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
            #expect(Terminal.size(terminal).map { [$0.columns, $0.rows] } == [Int(columns), 24])
        }
        #expect(Terminal.isAttached(terminal))
    }
}
