internal import Bytes
internal import System
internal import WireProtocol

/// The source of a running agent, with the recording of its events and its time. It belongs to one thread.
final class SourceInput {
    let source: any PacketSource
    /// The recording of the events; nil for none.
    private let recorder: EventRecorder?
    /// The latest moment of the source's time.
    var now: Timestamp
    /// True if the first recording has begun, so that the node's clock is known.
    private(set) var hasBegun = false

    init(_ source: any PacketSource, recorder: EventRecorder?, at now: Timestamp) {
        self.source = source
        self.recorder = recorder
        self.now = now
    }

    /// The time for which an interval stays open after its end: a packet passes through the kernel for
    /// a while after its stamp, and belongs to the interval of its stamp, as in a recording of it.
    var lag: Duration { source.isLive ? .milliseconds(20) : .zero }

    /// Begins the source's next recording; returns nil if there is none left.
    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? {
        let time = try source.beginRecording(atWall: wall)
        switch time {
        case nil, .unknown: return time
        case .own(let clock): now = clock.start
        case .wall: now = wall
        }
        hasBegun = true
        return time
    }

    /// Passes on the source's events, as ``PacketSource/deliver`` does, and records them.
    func deliverEvents(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        defer { recorder?.flush(at: MonotonicClock.now()) }
        try source.deliverEvents(until: until, limit: limit) { [self] time, event in
            recorder?.record(event, at: time)
            body(time, event)
            now = time
        }
    }
}
