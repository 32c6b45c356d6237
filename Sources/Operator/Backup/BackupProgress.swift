internal import Bytes
internal import CommandLine
internal import System

/// One line on the terminal for what takes longer than two seconds; none in a pipe.
final class BackupProgress {
    private static let patience = 2.0, step = 0.2
    private static let width = 60

    private let begun = MonotonicClock.now()
    private var shown = MonotonicTime.start
    private let isShown = Terminal.isAttached(2)
    private var hasLine = false

    /// Shows the work, and the share of it that is done, from 0 to 1, if it is known.
    func show(_ words: String, _ share: Double? = nil) {
        let now = MonotonicClock.now()
        guard isShown, now >= begun + .seconds(Self.patience), now >= shown + .seconds(Self.step) else { return }
        shown = now
        hasLine = true
        let percent = share.map { " \(Int(min(1, max(0, $0)) * 100)) %" } ?? " …"
        let text = String((words + percent).prefix(Self.width))
        write("\r" + text + String(repeating: " ", count: Self.width - text.count))
    }

    /// Removes the line.
    func end() {
        guard hasLine else { return }
        hasLine = false
        write("\r" + String(repeating: " ", count: Self.width) + "\r")
    }

    private func write(_ text: String) {
        var errors = StandardOutput(descriptor: 2)
        errors.write(text)
        errors.flush()
    }
}
