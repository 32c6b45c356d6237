internal import Bytes
internal import Glibc
public import System

/// The standard output of a program, in a buffer of 64 KiB; a terminal gets each line at once.
///
/// A reader that ends early (`| head`) is no fault: the writer becomes `.closed`, drops further text, and the program
/// ends with status 0. SIGPIPE is ignored from the first writer on. Not for several threads. Writing blocks while the
/// reader is slow. Buffered text is written at the release of the value; call `flush()` for the result of that.
public struct StandardOutput: ~Copyable {
    /// The state of the output.
    public enum State: Hashable, Sendable {
        /// No fault so far.
        case open
        /// The reader has closed the pipe (EPIPE): end without a message, with status 0.
        case closed
        /// The text can't be written, as on a full disk: report that, and end with status 1.
        case failed(SystemError)
    }

    /// The state.
    public private(set) var state = State.open
    private let descriptor: Int32
    private let bound: Int
    private let isTerminal: Bool
    private var held: [UInt8] = []

    /// A writer to a descriptor, which stays open after the writer's release.
    public init(descriptor: Int32 = 1, bound: Int = 65536) {
        self.descriptor = descriptor
        self.bound = bound
        isTerminal = isatty(descriptor) == 1
        held.reserveCapacity(bound)
        _ = signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        guard state == .open, !held.isEmpty else { return }
        let rest = held
        try? Descriptors.write(rest.span, to: descriptor)
    }

    /// True if more may be written.
    public var isOpen: Bool { state == .open }

    /// Writes text.
    public mutating func write(_ text: String) {
        guard isOpen else { return }
        held.append(contentsOf: text.utf8)
        settleState(isTerminal && text.utf8.contains(0x0A))
    }

    /// Writes bytes.
    public mutating func write(_ bytes: Span<UInt8>) {
        guard isOpen else { return }
        held.append(contentsOf: bytes)
        settleState(isTerminal && bytes.indices.contains { bytes[$0] == 0x0A })
    }

    /// Writes text and ends the line.
    public mutating func line(_ text: String = "") {
        guard isOpen else { return }
        held.append(contentsOf: text.utf8)
        held.append(0x0A)
        settleState(isTerminal)
    }

    /// Writes the buffered text; returns true if more may be written.
    @discardableResult
    public mutating func flush() -> State {
        if isOpen, !held.isEmpty {
            do {
                try Descriptors.write(held.span, to: descriptor)
            } catch {
                state = error.code == EPIPE ? .closed : .failed(error)
            }
        }
        held.removeAll(keepingCapacity: true)
        return state
    }

    private mutating func settleState(_ lineEnded: Bool) {
        if lineEnded || held.count >= bound { flush() }
    }
}
