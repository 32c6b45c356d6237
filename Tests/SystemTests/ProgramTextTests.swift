@testable import System
import Testing

@Suite struct ProgramTextTests {
    @Test("Release the code that only the start needed, and continue")
    func release() throws {
        // Other tests run meanwhile and need code of theirs: one try of several has to show it.
        let hasShrunk = try (0..<20).contains { _ in
            let before = try residentCode()
            ProgramText.release()
            return try residentCode() < before
        }
        #expect(hasShrunk)
    }

    @Test(
        "Release only pages that are read from a file: other mappings may have the only copy",
        arguments: [
            ("55d0c000-55d0e000 r-xp 00002000 08:01 42      /usr/bin/agent", 0x55d0_c000..<0x55d0_e000),
            ("55d0c000-55d0e000 r-xp 00002000 08:01 42      /srv/a folder/agent", 0x55d0_c000..<0x55d0_e000),
            ("55d0c000-55d0e000 r--p 00000000 08:01 42      /usr/bin/agent", 0x55d0_c000..<0x55d0_e000),
            ("55d0c000-55d0e000 r--s 00000000 08:01 42      /usr/bin/agent", nil),
            ("55d0c000-55d0e000 rw-p 00002000 08:01 42      /usr/bin/agent", nil),
            ("55d0c000-55d0e000 rwxp 00002000 08:01 42      /usr/bin/agent", nil),
            ("55d0c000-55d0e000 r-xp 00000000 00:00 0", nil),
            ("55d0c000-55d0e000 r-xp 00000000 00:00 0       [vdso]", nil),
            ("55d0e000-55d0c000 r-xp 00002000 08:01 42      /usr/bin/agent", nil),
            ("x-55d0c000 r-xp 00002000 08:01 42      /usr/bin/agent", nil),
            ("", nil),
        ] as [(String, Range<UInt>?)])
    func range(line: String, expected: Range<UInt>?) {
        #expect(ProgramText.range(ofFile: line) == expected)
    }

    @Test("Don't release pages that the dynamic linker changed, or unknown ones")
    func relocated() {
        let maps = """
            1000-2000 r--p 00000000 08:01 42      /usr/lib/a.so
            Size:                  4 kB
            Anonymous:             0 kB
            AnonHugePages:         0 kB
            VmFlags: rd mr mw me
            2000-3000 r--p 00001000 08:01 42      /usr/lib/a.so
            Anonymous:             4 kB
            3000-4000 r-xp 00001000 08:01 42      /usr/lib/a.so
            Rss:                   4 kB
            4000-5000 r-xp 00002000 08:01 42      /usr/lib/a.so
            Anonymous:             0 kB
            5000-6000 rw-p 00000000 00:00 0
            Anonymous:             0 kB

            """
        for ending in ["", "garbage", "7000-8000 r--p 00000000 08:01 42 /a"] {
            #expect(
                ProgramText.unmodifiedRanges(inMaps: Array((maps + ending).utf8).span)
                    == [0x1000..<0x2000, 0x4000..<0x5000])
        }
    }

    /// Kilobytes resident of mappings that are code (proc_pid_smaps(5)).
    private func residentCode() throws -> Int {
        let text = String(decoding: try WholeFile.read("/proc/self/smaps", bound: 1 << 24), as: UTF8.self)
        var (sum, isCode) = (0, false)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.count >= 5, fields[0].contains("-") { isCode = fields[1] == "r-xp" && fields.last?.first == "/" }
            if isCode, fields.first == "Rss:" { sum += Int(fields[1]) ?? 0 }
        }
        return sum
    }
}
