import Bytes
import Sightings
import Support

/// A subscriber that keeps a node's events by (epoch, seq), sees what it missed by the next event or by `scan`, and asks
/// for a `replay`, as README tells subscribers to.
final class Bookkeeper {
    let recorder: Recorder
    private let node: String
    private let topics = Topics()
    private var taken = 0
    private var asked: UInt64 = 0
    /// The events of each epoch, by number.
    private(set) var events: [String: [UInt64: NodeEvent]] = [:]
    /// The highest number that was seen or told in each epoch.
    private(set) var highest: [String: UInt64] = [:]
    /// What must never happen: one number for two events, or an event told anew that nobody asked for.
    private(set) var faults: [String] = []
    private(set) var repairs = 0

    init(_ broker: Broker, node: String) throws {
        self.node = node
        recorder = try Recorder(broker, qos: .atLeastOnce)
    }

    /// Takes what has come.
    func take() throws {
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

    /// The first number of an epoch that is missing; nil where none is.
    private func missing(_ epoch: String) -> UInt64? {
        let known = events[epoch] ?? [:]
        return (1...max(1, highest[epoch] ?? 0)).first { known[$0] == nil && $0 <= highest[epoch] ?? 0 }
    }

    /// Asks for what is missing until nothing is; the node must be there to answer.
    func repair(within seconds: Double) async throws -> Bool {
        try await until(seconds) {
            self.recorder.poll()
            try self.take()
            guard let epoch = self.highest.keys.first(where: { self.missing($0) != nil }),
                let seq = self.missing(epoch)
            else { return true }
            // Once for what one answer can hold; what it doesn't is asked for when it has come.
            if seq != self.asked {
                self.asked = seq
                self.repairs += 1
                let text = "{\"id\":\"r\(seq)\",\"action\":\"replay\",\"epoch\":\"\(epoch)\",\"from_seq\":\(seq)}"
                self.recorder.publish(
                    Message(topic: self.topics.nodeCommand(self.node), text: text, qos: .atLeastOnce))
            }
            return false
        }
    }
}
