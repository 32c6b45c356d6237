internal import Bytes
internal import CommandLine
internal import Glibc
internal import Synchronization
internal import System

/// One line on a terminal for what takes longer than two seconds: a bar with a rate and the time that is left, or the rate
/// alone where the end is not known. In a pipe there is none.
///
/// A thread of its own draws it, so that it goes on while a step blocks. It is erased by `end()`, which must be called before
/// anything else is written to the same terminal.
final class Progress: Sendable {
    /// The unit of what is counted.
    enum Unit: Sendable {
        /// Things, such as items.
        case count
        case bytes
        /// A share of the whole, whose rate means nothing.
        case share
        /// Seconds of a recording, or of a simulated house.
        case seconds
    }

    /// The time before the line is shown, and between two drawings.
    private static let patience = Duration.seconds(2), pause: UInt32 = 100_000
    /// The widest line, and the widest bar.
    private static let width = 100, barWidth = 30

    private struct State {
        var words: String
        var total: Double?
        var unit = Unit.count
        var done = 0.0
        /// The begin of the step.
        var begun = MonotonicClock.now()
        var drawn = 0
        var isEnded = false
        var isHidden = false
        var thread: pthread_t?
    }

    private let state: Mutex<State>
    private let descriptor: Int32
    private let patience: Duration
    /// The begin of the whole.
    private let begun = MonotonicClock.now()
    /// True if it is drawn at all.
    let isShown: Bool

    /// A line for work in words, such as `locating`.
    ///
    /// - Parameters:
    ///   - printsMeanwhile: true if the program writes lines meanwhile: it is shown only if they go elsewhere.
    ///   - descriptor: the terminal.
    ///   - patience: the time before the line is shown.
    init(
        _ words: String, total: Double? = nil, unit: Unit = .count, printsMeanwhile: Bool = false,
        descriptor: Int32 = 2, patience: Duration = patience
    ) {
        state = Mutex(State(words: words, total: total, unit: unit))
        self.descriptor = descriptor
        self.patience = patience
        isShown = Terminal.isAttached(descriptor) && !(printsMeanwhile && Terminal.isAttached(1))
        if isShown { startThread() }
    }

    /// Begins a step, whose end is known if there is a total.
    func begin(_ words: String, total: Double? = nil, unit: Unit = .count) {
        guard isShown else { return }
        state.withLock { state in
            (state.words, state.total, state.unit, state.done) = (words, total, unit, 0)
            state.begun = MonotonicClock.now()
            state.isHidden = false
        }
        startThread()
    }

    /// Records how much of the step is done.
    func advance(to done: Double) {
        guard isShown else { return }
        state.withLock { $0.done = done }
        startThread()
    }

    /// Erases the line until the next step begins, for lines on the same terminal.
    func hide() {
        guard isShown else { return }
        state.withLock { $0.isHidden = true }
        erase()
    }

    /// Erases the line, and ends.
    func end() {
        guard isShown else { return }
        let thread = state.withLock { state in
            defer { (state.isEnded, state.thread) = (true, nil) }
            return state.thread
        }
        if let thread { pthread_join(thread, nil) }
        erase()
    }

    private func erase() {
        state.withLock { state in
            if state.drawn > 0 { write("\r" + String(repeating: " ", count: state.drawn) + "\r") }
            state.drawn = 0
        }
    }

    // MARK: Drawing

    private func startThread() {
        state.withLock { state in
            guard state.thread == nil, !state.isEnded else { return }
            let context = unsafe Unmanaged.passRetained(self).toOpaque()
            var thread = pthread_t()
            var all = sigset_t()
            var before = sigset_t()
            unsafe sigfillset(&all)
            // A thread starts with its maker's mask: signals are the program's.
            unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
            let code = unsafe pthread_create(&thread, nil, drawProgress, context)
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            if code == 0 {
                state.thread = thread
            } else {
                unsafe Unmanaged<Progress>.fromOpaque(context).release()
            }
        }
    }

    fileprivate func draw() {
        while !state.withLock({ $0.isEnded }) {
            usleep(Self.pause)
            let now = MonotonicClock.now()
            guard now >= begun + patience else { continue }
            let columns = min(Self.width, (Terminal.size(descriptor)?.columns ?? 80) - 1)
            state.withLock { state in
                guard !state.isEnded, !state.isHidden else { return }
                let text = Self.line(
                    state.words, done: state.done, total: state.total, unit: state.unit,
                    seconds: (now - state.begun).seconds, columns: columns)
                let rest = max(0, min(columns, state.drawn) - text.count)
                write("\r" + text + String(repeating: " ", count: rest))
                state.drawn = text.count
            }
        }
    }

    private func write(_ text: String) {
        var output = StandardOutput(descriptor: descriptor)
        output.write(text)
        output.flush()
    }

    // MARK: Text

    /// The line for a step, of so many columns at most.
    static func line(
        _ words: String, done: Double, total: Double?, unit: Unit, seconds: Double, columns: Int
    ) -> String {
        let rate = seconds > 0 ? done / seconds : 0
        guard let total, total > 0 else {
            let parts =
                done > 0
                ? [words, amount(done, unit), "\(amount(rate, unit))/s"] : [words, "\(Int(seconds)) s"]
            return String(parts.joined(separator: "  ").prefix(columns))
        }
        let share = min(1, max(0, done / total))
        var parts = ["\(Int(share * 100)) %"]
        if rate > 0 {
            if unit != .share { parts.append("\(amount(rate, unit))/s") }
            parts.append("\(time(max(0, total - done) / rate)) left")
        }
        let figures = parts.joined(separator: "  ")
        let room = min(barWidth, columns - words.count - figures.count - 6)
        guard room >= 5 else {
            // A narrow terminal has no room for a bar, and perhaps none for the figures.
            let all = "\(words)  \(figures)"
            return all.count <= columns ? all : String("\(words)  \(parts[0])".prefix(columns))
        }
        let full = Int(share * Double(room))
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: room - full)
        return "\(words)  [\(bar)]  \(figures)"
    }

    private static func amount(_ number: Double, _ unit: Unit) -> String {
        switch unit {
        case .count, .share: number < 10 ? tenths(number) : "\(Int(number))"
        case .seconds: number < 10 ? "\(tenths(number)) s" : "\(Int(number)) s"
        case .bytes:
            number < 1e6
                ? "\(Int(number / 1e3)) kB" : number < 1e9 ? "\(tenths(number / 1e6)) MB" : "\(tenths(number / 1e9)) GB"
        }
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func time(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 1e6).rounded(.up))
        if seconds < 100 { return "\(seconds) s" }
        return seconds < 6000 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
    }
}

private func drawProgress(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<Progress>.fromOpaque(context).takeRetainedValue().draw()
    return nil
}
