internal import Bytes
internal import Captures
internal import HCI
internal import System
internal import WireProtocol

/// A source that records its events while it passes them on.
final class RecordingSource: PacketSource {
    /// The bound of a recording in bytes.
    static let bound: Int64 = 64 << 20
    /// Nanoseconds of events that a crash may lose.
    static let flushInterval: Int64 = 1_000_000_000

    private let source: any PacketSource
    private let log: Log
    private let path: String
    /// The recording; nil after a failure, since a file that may be truncated is not written to again.
    private var ring: CaptureRing?
    private var flushed = MonotonicClock.now()

    /// Begins a recording at a path; an earlier one there is retained as described at ``CaptureRing``.
    init(_ source: any PacketSource, to path: String, log: Log) throws(SourceFault) {
        self.source = source
        self.path = path
        self.log = log
        do {
            ring = try CaptureRing(path: path, bound: Self.bound)
        } catch {
            throw SourceFault(place: path, reason: "\(error)")
        }
    }

    var adapter: String { source.adapter }
    var chosenAdapter: String? { source.chosenAdapter }
    var isLive: Bool { source.isLive }
    var descriptor: Int32? { source.descriptor }
    var next: Upcoming { source.next }
    var radio: RadioStatus? { source.radio }

    func begin(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? { try source.begin(atWall: wall) }
    func rescan() -> Bool { source.rescan() }
    func takeListening() -> ListeningChange? { source.takeListening() }
    func takeRadioChanges() -> [RadioChange] { source.takeRadioChanges() }
    func clock(_ clock: NodeClock, afterStep step: Int64) -> NodeClock { source.clock(clock, afterStep: step) }

    func deliver(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        defer { flush(at: MonotonicClock.now()) }
        try source.deliver(until: until, limit: limit) { time, event in
            record(event, at: time)
            body(time, event)
        }
    }

    private func record(_ event: Span<UInt8>, at time: Timestamp) {
        do {
            try ring?.append(event, kind: .event, direction: .received, time: time)
        } catch {
            fail(error)
        }
    }

    private func flush(at now: Int64) {
        guard now - flushed >= Self.flushInterval else { return }
        flushed = now
        do {
            try ring?.flush()
        } catch {
            fail(error)
        }
    }

    /// Ends a recording that failed, with an error in the log; listening continues.
    private func fail(_ error: CaptureError) {
        log.error("\(path): \(error); the recording has ended, listening goes on")
        ring = nil
    }
}
