internal import BrokerSession
internal import Bytes
internal import System
internal import WireProtocol

/// The clocks of a running agent.
extension AgentService {
    /// Reads the clocks, and returns the wall clock with the changes since the last reading.
    func readClocks() -> (wall: Timestamp, change: ClockWatch.Change) {
        let (wall, change) = loop.readClocks()
        if change.slept > .zero { log.notice("the machine slept for \(change.slept.components.seconds) s") }
        if change.step != .zero {
            log.notice(ClockWatch.stepText(change.step))
            pipeline.description.started = pipeline.description.started.advanced(by: change.step)
            // The waiting messages are due by a clock that no longer applies.
            outgoing.release(at: nil) { session.publish($0) }
        }
        return (wall, change)
    }

    /// Passes the changes of the clocks to the pipeline, and returns the source's time.
    func applyClockChanges() -> Timestamp {
        let (wall, change) = readClocks()
        guard let clock = pipeline.description.clock else {
            let before = wall.advanced(by: -change.step)
            if change.slept > .zero {
                pipeline.gap(from: before.advanced(by: -change.slept), to: before, &outgoing.outbox)
            }
            if change.step != .zero { pipeline.clockStepped(by: change.step, at: wall, &outgoing.outbox) }
            return wall
        }
        let shifted = source.clock(clock, afterStep: change.step)
        if shifted != clock {
            pipeline.description.clock = shifted
            publishInfo()
        }
        return shifted.time(atWall: wall) ?? now
    }

    /// The monotonic moment at which the source's time is `time`, at most a second from now, so that a change of the
    /// wall clock is noticed.
    func deadline(of time: Timestamp?) -> MonotonicTime {
        loop.deadline(ofWall: time.flatMap { time in pipeline.description.clock.map { $0.wallTime(at: time) } ?? time })
    }
}
