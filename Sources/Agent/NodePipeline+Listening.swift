public import Bytes
internal import Presence
public import WireProtocol

/// When a node doesn't listen, and when its clock is set: neither makes a crossing.
extension NodePipeline {
    /// Says that nothing is listened to from now on, as while an adapter is gone: intervals go on, and their scans tell it.
    public mutating func stopListening(at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        guard !missed.isDeaf else { return }
        missed.stop(at: time)
        presence?.stopListening(at: time)
    }

    /// Says that it is listened to again.
    public mutating func resumeListening(at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        missed.resume(at: time)
        presence?.resumeListening(at: time)
    }

    /// Says that nothing was listened to from one moment to another, as while the machine slept. Intervals between are
    /// left out, and the next `scan` counts them as its gap.
    public mutating func gap(from start: Timestamp, to stop: Timestamp, _ outbox: inout [Message]) {
        advance(to: start, &outbox)
        guard let end = listener.windows.end, !missed.isDeaf else { return advance(to: stop, &outbox) }
        presence?.gap(from: start, to: stop)
        guard stop >= end else { return missed.add(stop.microseconds(since: start)) }
        missed.add(end.microseconds(since: start))
        self.end(&outbox)
        open(at: stop, &outbox)
        missed.add(stop.microseconds(since: end))
    }

    /// Says that the wall clock was set forward by so many microseconds, or back where they are negative, and shows `time`
    /// now. Intervals are multiples on the new setting from here on; nothing else has happened.
    ///
    /// What a `scan` says was listened to is no more than what was: the rest of the interval that ends early, and the part
    /// of the new one that was over before, are its gap.
    public mutating func clockStepped(by step: Int64, at time: Timestamp, _ outbox: inout [Message]) {
        let before = time.advanced(byMicroseconds: -step)
        advance(to: before, &outbox)
        missed.clockStepped(from: before, to: time)
        presence?.clockStepped(by: step)
        nearby.clockStepped(by: step)
        radioEvents.clockStepped(by: step)
        guard let begin = listener.windows.begin, let end = listener.windows.end else { return }
        guard time < begin || time >= end else { return missed.add(step) }
        missed.add(end.microseconds(since: before))
        let isDeaf = missed.isDeaf
        missed.endEarly()
        self.end(&outbox)
        open(at: time, &outbox)
        if isDeaf { missed.stop(at: time) }
        missed.add(listener.windows.begin.map { time.microseconds(since: $0) } ?? 0)
    }
}
