internal import BrokerSession
internal import Bytes
internal import HCI
internal import System

/// The pace of a source: by a clock, or as fast as the broker accepts the messages.
extension AgentService {
    /// Runs as fast as the source delivers and the broker accepts.
    func runUnpaced() throws -> Bool {
        while source.next != .ended {
            countForScan()
            // One at a time: an event that ends a long silence may cause thousands of messages.
            var left = Self.batch
            repeat {
                try deliver(until: nil, limit: 1)
                left -= 1
            } while left > 0 && source.next.time != nil && outbox.count < Self.pacingLow
            if try publishPaced() { return true }
            settle()
            if source.next == .whenReadable, try waitForSource() { return true }
        }
        return false
    }

    /// Publishes everything as fast as the broker accepts it, and loses nothing to a full queue or a missing
    /// connection. Returns true if a signal asked to end.
    func publishPaced() throws -> Bool {
        if try wait(until: MonotonicClock.now()) { return true }
        receive()
        for (index, message) in outbox.enumerated() {
            while !session.isConnected || session.unsent >= Self.pacingHigh {
                let isConnected = session.isConnected
                if isConnected { _ = session.waitUntilUnsent(below: Self.pacingLow, timeout: 1) }
                let deadline = MonotonicClock.now() + (isConnected ? 0 : 1_000_000_000)
                if try wait(until: deadline) {
                    outbox.removeFirst(index)
                    return true
                }
                receive()
            }
            session.publish(message)
        }
        outbox.removeAll(keepingCapacity: true)
        return false
    }

    /// Runs by the wall clock, or by one with the source's speed.
    func runPaced() throws -> Bool {
        while let deadline = try turn() {
            if try wait(listening: true, until: deadline) { return true }
            receive()
        }
        return false
    }

    /// Processes the time since the last turn; returns the monotonic moment of the next one, nil at the source's end.
    func turn() throws(SourceFault) -> Int64? {
        let now = look()
        countForScan()
        try deliver(until: now, limit: Self.batch)
        tellRadio(at: now)
        // A recording ends with its last event, whatever the clock shows: the result is the same at any speed.
        let isCaughtUp = source.next != .ended && source.next.time.map { $0 >= now } ?? true
        let reached = now.advanced(byMicroseconds: -lag)
        if isCaughtUp { pipeline.advance(to: reached, &outbox) }
        self.now = now
        settle()
        stagger.take(&outbox, at: reached)
        stagger.release(at: now) { session.publish($0) }
        if source.next == .ended {
            stagger.release(at: nil) { session.publish($0) }
            return nil
        }
        let ending = pipeline.nextDeadline?.advanced(byMicroseconds: lag)
        let due = [source.next.time, ending, stagger.due].compactMap { $0 }.min()
        return deadline(of: due)
    }

    /// The time in microseconds for which an interval stays open after its end: a packet passes through the kernel for
    /// a while after its stamp, and belongs to the interval of its stamp, as in a recording of it.
    private var lag: Int64 { source.isLive ? 20_000 : 0 }

    private func deliver(until: Timestamp?, limit: Int) throws(SourceFault) {
        defer { recorder?.flush(at: MonotonicClock.now()) }
        try source.deliver(until: until, limit: limit) { time, event in
            takeListening()
            recorder?.record(event, at: time)
            pipeline.receive(event, at: time, &outbox)
            now = time
        }
        takeListening()
    }

    private func takeListening() {
        while let change = source.takeListening() {
            switch change {
            case .stopped(let time): pipeline.stopListening(at: time, &outbox)
            case .resumed(let time): pipeline.resumeListening(at: time, &outbox)
            }
        }
    }
}
