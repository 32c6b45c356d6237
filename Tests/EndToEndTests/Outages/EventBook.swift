import WireProtocol
import Support

/// A subscriber of all items' events that follows docs/protocol/event-delivery.md: it drops duplicates by `id`, detects
/// missing events by `seq`, and requests a `replay` of them.
struct EventBook {
    /// An event and its item.
    struct Entry: Hashable {
        var item: String
        var event: ItemEvent
    }

    private let topics = Topics()
    private let fuser: String
    private var taken = 0
    private var asked: (seq: UInt64, at: ContinuousClock.Instant)?
    /// The events of each epoch, by number.
    private(set) var events: [String: [UInt64: Entry]] = [:]
    /// Violations: one number for two events, one event under two numbers, or one published anew without a request.
    private(set) var faults: [String] = []
    private(set) var repairs = 0
    private var numberOfID: [String: UInt64] = [:]

    /// A book that begins behind so many messages of its recorder.
    init(fuser: String = "main", after taken: Int = 0) {
        self.fuser = fuser
        self.taken = taken
    }

    /// Consumes the messages received by a recorder.
    mutating func take(_ recorder: Recorder) throws {
        for message in recorder.messages[taken...] {
            guard case .itemEvents(let item) = topics.kind(of: message.topic) else { continue }
            keep(Entry(item: item, event: try ItemEvent(payload: message.payload.span)))
        }
        taken = recorder.messages.count
    }

    private mutating func keep(_ entry: Entry) {
        var plain = entry
        plain.event.isReplayed = false
        let event = entry.event
        if let known = events[event.epoch]?[event.seq] {
            if known != plain { faults.append("\(event.seq) was \(known), and then \(plain)") }
            if !event.isReplayed { faults.append("\(event.seq) came twice") }
        } else if let number = numberOfID[event.id] {
            faults.append("\(event.id) is \(number) and \(event.seq)")
        }
        numberOfID[event.id] = event.seq
        events[event.epoch, default: [:]][event.seq] = plain
    }

    /// The first number that is missing in an epoch up to the last that came, or else the one behind it.
    func next(_ epoch: String) -> UInt64 {
        let known = events[epoch] ?? [:]
        var seq: UInt64 = 1
        while known[seq] != nil { seq += 1 }
        return seq
    }

    /// True if an event is missing in the middle of an epoch.
    func hasGap(_ epoch: String) -> Bool { next(epoch) <= events[epoch]?.keys.max() ?? 0 }

    /// Requests the missing events of an epoch, or those that may follow it; again after a while.
    mutating func repair(_ epoch: String, _ recorder: Recorder) {
        let seq = next(epoch)
        if let asked, asked.seq == seq, asked.at + .milliseconds(500) > .now { return }
        asked = (seq, .now)
        repairs += 1
        let text = "{\"id\":\"r\(seq)\",\"action\":\"replay\",\"epoch\":\"\(epoch)\",\"from_seq\":\(seq)}"
        recorder.publish(Message(topic: "\(topics.prefix)/fuser/\(fuser)/command", text: text, qos: .atLeastOnce))
    }
}
