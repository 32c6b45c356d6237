internal import Bytes
internal import Captures
internal import System

/// The recording of a source's events. It belongs to the thread of its source.
final class EventRecorder {
    /// The bound of a recording in bytes.
    static let bound: Int64 = 64 << 20
    /// The time whose events a crash may lose.
    static let flushInterval: Duration = .seconds(1)

    private let log: Log
    private let path: String
    /// The recording; nil after a failure, since a file that may be truncated is not written to again.
    private var ring: CaptureRing?
    private var flushed = MonotonicClock.now()

    /// Begins a recording at a path; an earlier one there is retained as described at ``CaptureRing``.
    init(to path: String, log: Log) throws(SourceFault) {
        self.path = path
        self.log = log
        do {
            ring = try CaptureRing(path: path, bound: Self.bound)
        } catch {
            throw SourceFault(place: path, reason: "\(error)")
        }
    }

    /// Records an event.
    func record(_ event: Span<UInt8>, at time: Timestamp) {
        do {
            try ring?.append(event, kind: .event, direction: .received, time: time)
        } catch {
            endRecording(error)
        }
    }

    /// Writes the recorded events to the file, at most once in `flushInterval`.
    func flush(at now: MonotonicTime) {
        guard now - flushed >= Self.flushInterval else { return }
        flushed = now
        do {
            try ring?.flush()
        } catch {
            endRecording(error)
        }
    }

    /// Ends a recording that failed, with an error in the log; listening continues.
    private func endRecording(_ error: CaptureError) {
        log.error("\(path): \(error); the recording has ended, listening goes on")
        ring = nil
    }
}
