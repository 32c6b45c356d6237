public import Bytes
internal import CommandLine
public import Configuration
public import Identity
internal import System
public import WireProtocol

/// A node in this process without a broker: a source, and the messages that a gateway with it would publish.
///
///     let node = try LocalNode(source, items: items, node: nil, speed: "max", command: "whereabouts range")
///     while case .wait(let wall) = node.step(atWall: WallClock.now(), { message in … }) { … }
public final class LocalNode {
    /// The state after a step.
    public enum Progress: Sendable {
        /// Nothing is due before this wall time, or before `descriptor` is readable; a past time for an unpaced source.
        case wait(until: Timestamp)
        /// A recording broke off, with the reason and its place; the next step continues with the next recording.
        case broken(String)
        /// The source has ended.
        case ended
    }

    /// The most events read from a source in one step.
    static let batch = 512
    /// The number of messages at which a step ends early.
    static let outboxBound = 500

    /// Its id: that of the scenario's node, or `local`.
    public let name: String
    /// The source's time up to which everything was published; nil before the first event.
    public private(set) var time: Timestamp?
    private var pipeline: NodePipeline
    /// The descriptor, readable when the source may have more; nil if only time brings it.
    public var descriptor: Int32? { source.descriptor }
    /// The reason why nothing can be received, with the remedy; nil if there is none.
    public var obstacle: String? {
        source.radio.flatMap { radio in
            radio.problem.map { "\(source.adapter): \($0)" + (radio.mend.map { mend in "; \(mend)" } ?? "") }
        }
    }
    private let source: any PacketSource
    private var recording: SourceTime?
    private var outbox: [Message] = []

    /// Opens a source. Every beacon is published.
    ///
    /// - Parameters:
    ///   - source: the source of the events.
    ///   - items: the registered beacons.
    ///   - node: the receiving node of a simulated house; nil for its first node.
    ///   - speed: the value of `--speed`.
    ///   - command: the program's name in usage errors.
    ///
    /// Throws `UsageError`, faults of a scenario, and `ProgramFault` for an adapter that is missing or can't be used.
    public convenience init(
        _ source: AgentSource, items: [Item], node: String?, speed: String?, command: String
    ) throws {
        let speed = try Speed(speed, command: command)
        let judged = try Source(source, node: node, speed, command: command)
        self.init(judged.nodeName ?? node ?? "local", try judged.open(), items: items)
    }

    init(_ name: String, _ source: any PacketSource, items: [Item]) {
        self.name = name
        self.source = source
        var settings = NodeSettings(node: name, version: Version.current, adapter: source.adapter)
        settings.publishesAll = true
        pipeline = NodePipeline(
            settings: settings, registry: Registry(items: items), epoch: SystemRandom.epoch(), started: WallClock.now())
    }

    /// Passes on the messages that are due at a wall time. Doesn't wait, except for the disk.
    public func step(atWall wall: Timestamp, _ body: (Message) -> Void) -> Progress {
        defer {
            for message in outbox { body(message) }
            outbox.removeAll(keepingCapacity: true)
        }
        do {
            return try advance(atWall: wall)
        } catch {
            endRecording()
            return .broken("\(error)")
        }
    }

    private func advance(atWall wall: Timestamp) throws(SourceFault) -> Progress {
        if recording == nil || recording == .unknown {
            recording = try source.beginRecording(atWall: wall)
            if case .own(let clock) = recording { pipeline.description.clock = clock }
        }
        // Checked again after a while; a descriptor is checked as soon as it is readable.
        let later = wall.advanced(by: .seconds(1))
        switch recording {
        case nil: return .ended
        case .unknown: return .wait(until: later)
        case .own(let clock):
            guard let now = clock.time(atWall: wall) else { break }
            return try advance(to: now) { clock.wallTime(at: $0) ?? wall } ?? .wait(until: wall)
        case .wall: return try advance(to: wall) { $0 } ?? .wait(until: wall)
        }
        // One at a time: an event that ends a long silence may cause thousands of messages.
        var left = Self.batch
        repeat {
            try deliverEvents(until: nil, limit: 1)
            left -= 1
        } while left > 0 && source.next.time != nil && outbox.count < Self.outboxBound
        if source.next == .ended { endRecording() }
        return .wait(until: source.next == .whenReadable ? later : wall)
    }

    /// Advances to a time of a clock that `wall` reads; returns nil if more is due at once.
    private func advance(to now: Timestamp, _ wall: (Timestamp) -> Timestamp) throws(SourceFault) -> Progress? {
        try deliverEvents(until: now, limit: Self.batch)
        if source.next == .ended {
            endRecording()
            return nil
        }
        if let next = source.next.time, next < now { return nil }
        pipeline.advance(to: now, &outbox)
        time = now
        let due = [source.next.time, pipeline.nextDeadline].compactMap { $0 }.min()
        return due.map { .wait(until: wall($0)) }
    }

    private func deliverEvents(until: Timestamp?, limit: Int) throws(SourceFault) {
        try source.deliverEvents(until: until, limit: limit) { time, event in
            pipeline.receive(event, at: time, &outbox)
            self.time = time
        }
    }

    /// Ends a recording, with the windows of its last interval.
    private func endRecording() {
        pipeline.finish(&outbox)
        recording = nil
    }
}
