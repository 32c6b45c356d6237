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
                try deliverEvents(until: nil, limit: 1)
                left -= 1
            } while left > 0 && source.next.time != nil && outgoing.outbox.count < Self.pacingLow
            if try publishPaced() { return true }
            storeAndPublish()
            if source.next == .whenReadable, try waitForSource() { return true }
        }
        return false
    }

    /// Publishes everything as fast as the broker accepts it, and loses nothing to a full queue or a missing
    /// connection. Returns true if a signal asked to end.
    func publishPaced() throws -> Bool {
        if try waitForEvents(until: MonotonicClock.now()) { return true }
        receiveNotices()
        for (index, message) in outgoing.outbox.enumerated() {
            while !session.isConnected || session.unsent >= Self.pacingHigh {
                let isConnected = session.isConnected
                if isConnected { _ = session.waitUntilUnsent(below: Self.pacingLow, timeout: 1) }
                let deadline = MonotonicClock.now() + (isConnected ? .zero : .seconds(1))
                if try waitForEvents(until: deadline) {
                    outgoing.outbox.removeFirst(index)
                    return true
                }
                receiveNotices()
            }
            session.publish(message)
        }
        outgoing.outbox.removeAll(keepingCapacity: true)
        return false
    }

    /// Runs by the wall clock, or by one with the source's speed.
    func runPaced() throws -> Bool {
        while let deadline = try processTurn() {
            if try waitForEvents(listening: true, until: deadline) { return true }
            receiveNotices()
        }
        return false
    }

    /// Processes the time since the last turn; returns the monotonic moment of the next one, nil at the source's end.
    func processTurn() throws(SourceFault) -> MonotonicTime? {
        let now = applyClockChanges()
        countForScan()
        try deliverEvents(until: now, limit: Self.batch)
        publishRadio(at: now)
        // A recording ends with its last event, whatever the clock shows: the result is the same at any speed.
        let isCaughtUp = source.next != .ended && source.next.time.map { $0 >= now } ?? true
        let reached = now.advanced(by: -input.lag)
        if isCaughtUp { pipeline.advance(to: reached, &outgoing.outbox) }
        input.now = now
        storeAndPublish()
        outgoing.deferMessages(at: reached)
        outgoing.release(at: now) { session.publish($0) }
        if source.next == .ended {
            outgoing.release(at: nil) { session.publish($0) }
            return nil
        }
        let ending = pipeline.nextDeadline?.advanced(by: input.lag)
        let due = [source.next.time, ending, outgoing.due].compactMap { $0 }.min()
        return deadline(of: due)
    }

    private func deliverEvents(until: Timestamp?, limit: Int) throws(SourceFault) {
        try input.deliverEvents(until: until, limit: limit) { [self] time, event in
            takeListening()
            pipeline.receive(event, at: time, &outgoing.outbox)
        }
        takeListening()
    }

    private func takeListening() {
        while let change = input.source.takeListening() {
            switch change {
            case .stopped(let time): pipeline.stopListening(at: time, &outgoing.outbox)
            case .resumed(let time): pipeline.resumeListening(at: time, &outgoing.outbox)
            }
        }
    }
}
