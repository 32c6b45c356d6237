public import Bytes
internal import Glibc
internal import Synchronization

/// What a program tells its operator: one line each on standard error. Any thread may write.
///
/// Under systemd (JOURNAL_STREAM is set) a line begins with its priority (sd-daemon(3)), as in `<4>`; elsewhere with
/// local time and level. Control characters are written as escapes, so that a line from outside stays one line. A line
/// that can't be written is dropped and counted.
public final class Log: Sendable {
    /// How much a line matters; less matters more.
    public enum Level: Int, CaseIterable, Comparable, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        /// The level's word, as in `warning`.
        public var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .notice: "notice"
            case .info: "info"
            case .debug: "debug"
            }
        }

        /// The level that `name` says, or nil.
        public init?(name: String) {
            guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }

        /// Whether `left` matters more.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How a line begins.
    public enum Style: Sendable {
        /// Priority in angle brackets; the journal knows the time.
        case journal
        /// Local time and level.
        case plain
    }

    private struct State {
        var level: Level
        var changes: [String: String] = [:]
        var dropped = 0
    }

    /// Keys that `change` remembers; lines of further keys are written each time.
    public static let changeBound = 256
    private let descriptor: Int32
    private let style: Style
    private let clock: @Sendable () -> Timestamp
    private let state: Mutex<State>

    /// A log to a descriptor.
    public init(
        level: Level = .info, style: Style, descriptor: Int32 = 2,
        clock: @escaping @Sendable () -> Timestamp = { WallClock.now() }
    ) {
        self.descriptor = descriptor
        self.style = style
        self.clock = clock
        state = Mutex(State(level: level))
    }

    /// The log of a program, in the style that its environment asks for.
    public convenience init(environment: [String: String], level: Level = .info) {
        self.init(level: level, style: environment["JOURNAL_STREAM"] == nil ? .plain : .journal)
    }

    /// The least important level that is written. May be changed at any time.
    public var level: Level {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Lines that standard error didn't take.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Writes a line. Blocks while standard error does.
    public func write(_ level: Level, _ text: @autoclosure () -> String) {
        guard level <= self.level else { return }
        let line = Array((beginning(level) + Self.escaped(text()) + "\n").utf8)
        state.withLock { state in
            // One call a line keeps lines of several processes whole.
            do { try Descriptors.write(line.span, to: descriptor) } catch { state.dropped += 1 }
        }
    }

    /// Writes a line when it says something else than the last one of this key did.
    public func change(_ key: String, _ level: Level, _ text: String) {
        let isNew = state.withLock { state in
            guard state.changes[key] != text else { return false }
            if state.changes[key] != nil || state.changes.count < Self.changeBound { state.changes[key] = text }
            return true
        }
        if isNew { write(level, text) }
    }

    /// Something failed, and a person must act.
    public func error(_ text: @autoclosure () -> String) { write(.error, text()) }
    /// Something is wrong, and the program goes on.
    public func warning(_ text: @autoclosure () -> String) { write(.warning, text()) }
    /// A change that an operator wants to know.
    public func notice(_ text: @autoclosure () -> String) { write(.notice, text()) }
    /// The ordinary course.
    public func info(_ text: @autoclosure () -> String) { write(.info, text()) }
    /// For those who look for a fault.
    public func debug(_ text: @autoclosure () -> String) { write(.debug, text()) }

    private func beginning(_ level: Level) -> String {
        switch style {
        case .journal: "<\(level.rawValue)>"
        case .plain: "\(LocalTime.text(clock())) \(level.name): "
        }
    }

    /// Text with control characters and line ends written as `\n`, `\t` or `\u{1b}`.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\t": line += "\\t"
            case _ where isControl(scalar): line += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}
