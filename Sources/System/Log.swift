public import Bytes
internal import Glibc
internal import Synchronization

/// The messages of a program to its operator: one line each on standard error. Any thread may write.
///
/// Under systemd (JOURNAL_STREAM is set) a line begins with its priority (sd-daemon(3)), as in `<4>`; elsewhere with
/// local time and level, or as an object of JSON. Control characters are escaped, so that a line from outside stays one
/// line. A line that can't be written is dropped and counted. Of the lines of one place in the sources a burst is written
/// and then one a second; the next one says how many were left out.
public final class Log: Sendable {
    /// The importance of a line; a lower value is more important.
    public enum Level: Int, CaseIterable, Comparable, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        /// The level's name, as in `warning`.
        public var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .notice: "notice"
            case .info: "info"
            case .debug: "debug"
            }
        }

        /// The level with this name; nil if there is none.
        public init?(name: String) {
            guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }

        /// True if `left` is more important.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The beginning of a line.
    public enum Style: Sendable {
        /// The priority in angle brackets; the journal adds the time.
        case journal
        /// Local time and level.
        case plain
        /// A line of JSON: `{"at":"2026-11-26T20:15:01.250Z","level":"warning","text":"…"}`.
        case json
    }

    /// A place in the sources that writes lines.
    struct Place: Hashable {
        let file: String
        let line: UInt
    }

    /// The rest of a place's allowance.
    private struct Allowance {
        var bucket = TokenBucket<MonotonicTime>(burst: Log.burst, interval: .seconds(1))
        var leftOut = 0
    }

    private struct State {
        var level: Level
        var allowances: [Place: Allowance] = [:]
        var changes: [String: String] = [:]
        var dropped = 0
        var isJSON = false
    }

    /// The lines of one place that are written at once; then one follows a second. Details (`debug`) are not limited.
    public static let burst = 100
    /// The most keys that `change` remembers; lines of further keys are written each time.
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

    /// The log of a program, in the style for its environment, or in JSON.
    public convenience init(environment: [String: String], level: Level = .info, isJSON: Bool = false) {
        self.init(level: level, style: environment["JOURNAL_STREAM"] == nil ? .plain : .journal)
        self.isJSON = isJSON
    }

    /// True if lines are objects of JSON whatever the style. May be changed at any time.
    public var isJSON: Bool {
        get { state.withLock { $0.isJSON } }
        set { state.withLock { $0.isJSON = newValue } }
    }

    /// The least important level that is written. May be changed at any time.
    public var level: Level {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// The number of lines that couldn't be written to standard error.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Writes a line. Blocks while standard error does.
    ///
    /// - Parameters:
    ///   - file: the place that writes it, by which lines are limited …
    ///   - line: … as the compiler fills it in.
    public func write(
        _ level: Level, _ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) {
        write(level, text(), from: level == .debug ? nil : Place(file: "\(file)", line: line))
    }

    private func write(_ level: Level, _ text: @autoclosure () -> String, from place: Place?) {
        guard level <= self.level, let leftOut = admit(place) else { return }
        let more = leftOut == 0 ? "" : " (\(leftOut) lines like this one were left out before it)"
        let line = line(level, text() + more)
        state.withLock { state in
            // One call for each line keeps the lines of several processes whole.
            do { try Descriptors.write(line.span, to: descriptor) } catch { state.dropped += 1 }
        }
    }

    /// The number of lines of a place that were left out since its last one; nil if this one is as well.
    private func admit(_ place: Place?) -> Int? {
        guard let place else { return 0 }
        let now = MonotonicClock.now()
        return state.withLock { state in
            var allowance = state.allowances[place] ?? Allowance()
            defer { state.allowances[place] = allowance }
            guard allowance.bucket.take(at: now) else {
                allowance.leftOut += 1
                return nil
            }
            defer { allowance.leftOut = 0 }
            return allowance.leftOut
        }
    }

    /// Writes a line if it differs from the last one of this key.
    public func logChange(
        _ key: String, _ level: Level, _ text: String, file: StaticString = #fileID, line: UInt = #line
    ) {
        if recordChange(key, text) { write(level, text, file: file, line: line) }
    }

    /// Records the text of a key; true if it is another one than before.
    private func recordChange(_ key: String, _ text: String) -> Bool {
        state.withLock { state in
            guard state.changes[key] != text else { return false }
            if state.changes[key] != nil || state.changes.count < Self.changeBound { state.changes[key] = text }
            return true
        }
    }

    /// Writes a line about items: whole as information, and at a more important level without their names.
    public func write(
        _ level: Level, _ text: String, about names: [String], file: StaticString = #fileID, line: UInt = #line
    ) {
        guard level < .info, !names.isEmpty else { return write(level, text, file: file, line: line) }
        let place = Place(file: "\(file)", line: line)
        write(level, WithheldNames.text(text, without: names), from: place)
        if self.level >= .info { write(.info, text, from: place) }
    }

    /// Writes a line about items, as `write` does, if it differs from the last one of this key.
    public func logChange(
        _ key: String, _ level: Level, _ text: String, about names: [String], file: StaticString = #fileID,
        line: UInt = #line
    ) {
        if recordChange(key, text) { write(level, text, about: names, file: file, line: line) }
    }

    /// Logs a failure on which a person must act.
    public func error(_ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
        write(.error, text(), file: file, line: line)
    }
    /// Logs a fault in spite of which the program continues.
    public func warning(_ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
        write(.warning, text(), file: file, line: line)
    }
    /// Logs a change that concerns the operator.
    public func notice(_ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
        write(.notice, text(), file: file, line: line)
    }
    /// Logs a step of normal operation.
    public func info(_ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
        write(.info, text(), file: file, line: line)
    }
    /// Logs a detail for the search for a fault.
    public func debug(_ text: @autoclosure () -> String) { write(.debug, text(), from: nil) }

    private func line(_ level: Level, _ text: String) -> [UInt8] {
        switch isJSON ? .json : style {
        case .journal: return Array("<\(level.rawValue)>\(Self.escaped(text))\n".utf8)
        case .plain: return Array("\(LocalTime.text(clock())) \(level.name): \(Self.escaped(text))\n".utf8)
        case .json:
            var json = JSONWriter()
            json.beginObject()
            json.field("at", CalendarTime.iso8601(clock()))
            json.field("level", level.name)
            json.field("text", text)
            json.endObject()
            return json.bytes + [0x0A]
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
