internal import Bytes
internal import CLinux
internal import Glibc

/// A running program, with its time limit and its output so far.
final class RunningAction {
    /// The bytes of output that are read at a time, so that endless output doesn't block the loop.
    static let stride = 65536
    /// The most strides that are read after its end: more than a pipe holds (makePipe(7)).
    static let lastStrides = 16

    /// The result of reading.
    enum Reading {
        case some
        case nothing
        case end
    }

    private enum Phase {
        case running
        case asked
        case killed
    }

    let process: pid_t
    /// A descriptor that is readable once the program has ended (pidfd_open(2)).
    let pidfd: Descriptor
    /// The reading end of its outputs.
    let output: Descriptor
    /// The time of its next signal, on `MonotonicClock`.
    private(set) var deadline: MonotonicTime
    private var result: ActionResult
    private var cause: ActionResult.Ending?
    private var phase = Phase.running
    private let outputBound: Int

    /// Starts a program. It blocks for the time of a fork and an exec.
    init(
        _ command: ActionCommand, label: String, environment: [String: String], outputBound: Int, now: MonotonicTime
    ) throws(SystemError) {
        let path = try ProgramSearch.path(of: command.program)
        let input = try Self.makeInput(command.input)
        let (reading, writing) = try Self.makePipe()
        // The child's end blocks as programs expect; ours never blocks.
        _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
        let variables = environment.merging(command.variables) { first, _ in first }.map { "\($0.key)=\($0.value)" }
        let code = unsafe WordList.with([command.program] + command.arguments) { arguments in
            unsafe WordList.with(variables.sorted()) { environment in
                unsafe wb_start(path, arguments, environment, input.number, writing.number)
            }
        }
        guard code > 0 else { throw SystemError(code: -code, context: "start \(path)") }
        process = code
        pidfd = try Self.openProcess(of: code)
        output = reading
        result = ActionResult(label: label, ending: .stopped)
        deadline = now + max(.zero, min(command.timeout, .days(1)))
        // Output is not retained if there is an input, since it may repeat the input.
        self.outputBound = command.input == nil ? outputBound : 0
    }

    private static func makePipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe wb_pipe(&ends) == 0 else { throw SystemError.last("pipe2") }
        return (try Descriptor(ends[0], "pipe2"), try Descriptor(ends[1], "pipe2"))
    }

    private static func openProcess(of process: pid_t) throws(SystemError) -> Descriptor {
        do {
            return try Descriptor(wb_pidfd_open(process), "pidfd_open")
        } catch {
            // Without this descriptor its end couldn't be observed.
            kill(-process, SIGKILL)
            while wb_reap(process) == -1 { usleep(1000) }
            throw error
        }
    }

    /// The standard input of a program: a file in memory, so that nothing waits for a program that doesn't read.
    private static func makeInput(_ secret: Secret?) throws(SystemError) -> Descriptor {
        guard let secret else {
            return try Descriptor(unsafe open("/dev/null", O_RDONLY | O_CLOEXEC), "open /dev/null")
        }
        let bytes = secret.bytes
        guard bytes.count <= ActionRunner.inputBound else {
            throw SystemError(code: E2BIG, context: "standard input")
        }
        let file = try Descriptor(unsafe wb_memory_file("input"), "memfd_create")
        try Descriptors.write(bytes.span, to: file.number)
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError.last("lseek") }
        return file
    }

    /// Reads its output, at most `stride` bytes.
    @discardableResult
    func drain() -> Reading {
        var room = [UInt8](repeating: 0, count: Self.stride)
        let count = unsafe room.withUnsafeMutableBytes { unsafe read(output.number, $0.baseAddress, $0.count) }
        if count < 0 { return errno == EINTR ? .some : .nothing }
        guard count > 0 else { return .end }
        let kept = max(0, min(count, outputBound - result.output.count))
        result.output += room.prefix(kept)
        let (sum, overflow) = result.outputDropped.addingReportingOverflow(count - kept)
        result.outputDropped = overflow ? .max : sum
        return .some
    }

    /// Ends its group: with SIGTERM on the first call, with SIGKILL `patience` later.
    func end(_ cause: ActionResult.Ending, now: MonotonicTime, patience: Duration) {
        self.cause = self.cause ?? cause
        switch phase {
        case .running:
            kill(-process, SIGTERM)
            phase = .asked
            deadline = now + patience
        case .asked, .killed:
            kill(-process, SIGKILL)
            phase = .killed
            deadline = .distantFuture
        }
    }

    /// Its result once it has ended, after everything else in its group is ended as well; nil while it runs.
    func reap() -> ActionResult? {
        let status = wb_reap(process)
        guard status != -1 else { return nil }
        // The group's number isn't reused while one of its processes lives (fork(2) assigns no number in use).
        result.leftOthers = kill(-process, SIGKILL) == 0
        var strides = 0
        while strides < Self.lastStrides, drain() == .some { strides += 1 }
        let isSignalled = status > 0 && status & 0x7F != 0
        result.ending = cause ?? (isSignalled ? .signalled(status & 0x7F) : .exited(status >> 8 & 0xFF))
        return result
    }
}
