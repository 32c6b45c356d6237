import WireProtocol
import Support

/// A subscriber that stores a node's events by (epoch, seq), detects missing ones by the next event or by `scan`, and
/// requests a `replay`, as docs/protocol/event-delivery.md asks subscribers to.
final class Bookkeeper {
    let recorder: Recorder
    private let node: String
    private let topics = Topics()
    private var taken = 0
    private var asked: (seq: UInt64, at: ContinuousClock.Instant) = (0, .now)
    /// The events of each epoch, by number.
    private(set) var events: [String: [UInt64: NodeEvent]] = [:]
    /// The highest number that was seen or published in each epoch.
    private(set) var highest: [String: UInt64] = [:]
    /// Violations: one number for two events, or an event published anew without a request.
    private(set) var faults: [String] = []
    private(set) var repairs = 0

    init(_ broker: Broker, node: String) throws {
        self.node = node
        recorder = try Recorder(broker, qos: .atLeastOnce)
    }

    /// Consumes the received messages.
    private func take() throws {
        for message in recorder.messages[taken...] {
            if message.topic == topics.nodeEvents(node) {
                keep(try NodeEvent(payload: message.payload.span))
            } else if message.topic == topics.scan(node) {
                let scan = try Scan(payload: message.payload.span)
                highest[scan.epoch] = max(highest[scan.epoch] ?? 0, scan.lastEvent)
            }
        }
        taken = recorder.messages.count
    }

    private func keep(_ event: NodeEvent) {
        var plain = event
        plain.isReplayed = false
        highest[event.epoch] = max(highest[event.epoch] ?? 0, event.seq)
        if let known = events[event.epoch]?[event.seq] {
            if known != plain { faults.append("\(event.seq) was \(known), and then \(plain)") }
            if !event.isReplayed { faults.append("\(event.seq) came twice") }
        }
        events[event.epoch, default: [:]][event.seq] = plain
    }

    /// The first number of an epoch that is missing; nil if none is.
    private func missing(_ epoch: String) -> UInt64? {
        let known = events[epoch] ?? [:]
        guard let last = highest[epoch], known.count < last else { return nil }
        return (1...last).first { known[$0] == nil }
    }

    /// Consumes the received messages, and requests missing events; true if nothing is missing. A node that is absent,
    /// or is killed before it answers, is asked again.
    func step() throws -> Bool {
        recorder.poll()
        try take()
        guard let epoch = highest.keys.first(where: { missing($0) != nil }), let seq = missing(epoch) else {
            return true
        }
        if seq != asked.seq || asked.at + .milliseconds(300) < .now {
            asked = (seq, .now)
            repairs += 1
            let text = "{\"id\":\"r\(seq)\",\"action\":\"replay\",\"epoch\":\"\(epoch)\",\"from_seq\":\(seq)}"
            recorder.publish(Message(topic: topics.nodeCommand(node), text: text, qos: .atLeastOnce))
        }
        return false
    }
}
