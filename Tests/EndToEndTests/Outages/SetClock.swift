import Foundation
import Support

/// A wall clock of one program alone that a test can set: the kernel's time, and seconds on top, from a file.
final class SetClock {
    static let compiler = Execution.find("cc")

    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>

        int clock_gettime(clockid_t clock, struct timespec *time) {
            static volatile long *seconds;
            if (!seconds) {
                int file = open(getenv("CLOCK_SECONDS"), O_RDONLY | O_CLOEXEC);
                seconds = mmap(0, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
                close(file);
            }
            int result = syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += *seconds;
            return result;
        }
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(Array(Self.source.utf8), to: "clock.c")
        _ = try folder.write([UInt8](repeating: 0, count: 8), to: "seconds")
        let outcome = try Execution.run(
            Self.compiler ?? "cc", ["-shared", "-fPIC", "-o", folder.file("clock.so"), folder.file("clock.c")])
        guard outcome.status == 0 else { throw CompilerFault(description: outcome.error) }
    }

    struct CompilerFault: Error {
        var description: String
    }

    /// The variables that a program must have in its environment.
    var variables: [String] {
        ProcessInfo.processInfo.environment.map { "\($0)=\($1)" } + [
            "LD_PRELOAD=\(folder.file("clock.so"))", "CLOCK_SECONDS=\(folder.file("seconds"))",
        ]
    }

    /// Sets the clock so many seconds forward of the machine's, or back.
    func set(_ seconds: Int64) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: folder.file("seconds")))
        try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
        try file.close()
    }
}
