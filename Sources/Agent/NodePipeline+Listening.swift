public import Bytes
internal import Presence
public import WireProtocol

/// Gaps of listening and changes of the clock: neither causes a crossing.
extension NodePipeline {
    /// Records the end of listening, as while an adapter is gone: intervals continue, and their scans report it.
    public mutating func stopListening(at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        guard !scans.missed.isDeaf else { return }
        scans.missed.stopListening(at: time)
        presence?.stopListening(at: time)
    }

    /// Records that listening has resumed.
    public mutating func resumeListening(at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        scans.missed.resumeListening(at: time)
        presence?.resumeListening(at: time)
    }

    /// Records a gap found afterwards, as of the machine's sleep. Intervals within it are left out, and the next `scan`
    /// counts them as its gap.
    public mutating func gap(from start: Timestamp, to stop: Timestamp, _ outbox: inout [Message]) {
        advance(to: start, &outbox)
        guard let end = builder.windows.end, !scans.missed.isDeaf else { return advance(to: stop, &outbox) }
        presence?.gap(from: start, to: stop)
        guard stop >= end else { return scans.missed.addGap(stop.duration(since: start)) }
        scans.missed.addGap(end.duration(since: start))
        self.closeInterval(&outbox)
        beginInterval(at: stop, &outbox)
        scans.missed.addGap(stop.duration(since: end))
    }

    /// Records that the wall clock was set forward by `step`, or back if negative, and shows `time` now.
    /// From here on intervals are multiples on the new setting; nothing else has happened.
    ///
    /// A `scan` never reports more listening than there was: the rest of the interval that ends early, and the part of
    /// the new one that was over before, are its gap.
    public mutating func clockStepped(by step: Duration, at time: Timestamp, _ outbox: inout [Message]) {
        let before = time.advanced(by: -step)
        advance(to: before, &outbox)
        scans.missed.clockStepped(from: before, to: time)
        presence?.clockStepped(by: step)
        nearby.clockStepped(by: step)
        radioEvents.clockStepped(by: step)
        guard let begin = builder.windows.begin, let end = builder.windows.end else { return }
        guard time < begin || time >= end else { return scans.missed.addGap(step) }
        scans.missed.addGap(end.duration(since: before))
        let isDeaf = scans.missed.isDeaf
        scans.missed.endEarly()
        self.closeInterval(&outbox)
        beginInterval(at: time, &outbox)
        if isDeaf { scans.missed.stopListening(at: time) }
        scans.missed.addGap(builder.windows.begin.map { time.duration(since: $0) } ?? .zero)
    }
}
