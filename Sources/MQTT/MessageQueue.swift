internal import WireProtocol

/// A first-in, first-out queue of messages that knows its bytes. Its user bounds it.
///
/// Of a retained topic a later message can take the place of the one that waits. A message that has waited for longer than
/// its expiry is not given any more, and counted.
struct MessageQueue {
    private struct Entry {
        var message: Message
        var deadline: MonotonicTime?
    }

    /// Places that were emptied out of turn are nil.
    private var entries: [Entry?] = []
    private var head = 0
    /// How many entries went before those in `entries`.
    private var base = 0
    /// The numbers, counted from the queue's beginning, of retained messages by their topics.
    private var placeOfTopic: [String: Int] = [:]
    /// No message of QoS 0 stands before this number.
    private var firstSample = 0
    /// Messages of QoS 0.
    private(set) var samples = 0
    /// Messages.
    private(set) var count = 0
    /// Bytes of topics and payloads.
    private(set) var bytes = 0
    /// Messages that waited for too long, since the start.
    private(set) var expired = 0

    /// The next message; those before it that waited for too long are let go.
    mutating func first(at now: MonotonicTime) -> Message? {
        while head < entries.count {
            guard let entry = entries[head] else {
                advance()
                continue
            }
            guard let deadline = entry.deadline, deadline < now else { return entry.message }
            _ = removeFirst(at: now)
            expired += 1
        }
        return nil
    }

    /// The bytes of the message whose place this one would take; nil where it would take none.
    func replaces(_ message: Message) -> Int? {
        guard message.isReplaceable, let place = placeOfTopic[message.topic] else { return nil }
        return entries[place - base]?.message.size
    }

    /// Adds a message; `replacing`, a retained one takes the place of its topic's last.
    mutating func append(_ message: Message, at now: MonotonicTime, replacing: Bool) {
        let deadline = message.expiry.map { now.advanced(bySeconds: Double($0)) }
        append(Entry(message: message, deadline: deadline), replacing: replacing)
    }

    /// Takes out the next message, which must be there, with what is left of its expiry.
    mutating func removeFirst(at now: MonotonicTime) -> Message {
        while true {
            guard let entry = entries[head] else {
                advance()
                continue
            }
            forget(entry.message, at: head)
            advance()
            var message = entry.message
            if let deadline = entry.deadline {
                message.expiry = UInt32(max(1, (deadline.nanoseconds - now.nanoseconds + 999_999_999) / 1_000_000_000))
            }
            return message
        }
    }

    /// Lets go of the oldest message of QoS 0; whether there was one.
    mutating func dropSample() -> Bool {
        guard samples > 0 else { return false }
        var index = max(head, firstSample - base)
        while index < entries.count {
            if let entry = entries[index], entry.message.qos == .atMostOnce {
                forget(entry.message, at: index)
                entries[index] = nil
                firstSample = base + index + 1
                return true
            }
            index += 1
        }
        return false
    }

    mutating func removeAll() {
        let expired = expired
        self = MessageQueue()
        self.expired = expired
    }

    /// Puts these before all others and drops the others of QoS 0.
    mutating func keepAcknowledged(after earlier: [Message], at now: MonotonicTime) {
        let rest = entries[head...].compactMap { $0 }.filter { $0.message.qos != .atMostOnce }
        removeAll()
        for message in earlier { append(message, at: now, replacing: true) }
        for entry in rest { append(entry, replacing: true) }
    }

    private mutating func append(_ entry: Entry, replacing: Bool) {
        let message = entry.message
        if message.isReplaceable {
            if replacing, let place = placeOfTopic[message.topic], let old = entries[place - base] {
                bytes += message.size - old.message.size
                entries[place - base] = entry
                return
            }
            placeOfTopic[message.topic] = base + entries.count
        }
        if message.qos == .atMostOnce { samples += 1 }
        entries.append(entry)
        count += 1
        bytes += message.size
    }

    private mutating func forget(_ message: Message, at index: Int) {
        count -= 1
        bytes -= message.size
        if message.qos == .atMostOnce { samples -= 1 }
        if message.retained, placeOfTopic[message.topic] == base + index { placeOfTopic[message.topic] = nil }
    }

    /// Passes a place that is done with; the memory goes when half of all are.
    private mutating func advance() {
        entries[head] = nil
        head += 1
        if head == entries.count {
            base += head
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 256 && head * 2 >= entries.count {
            base += head
            entries.removeFirst(head)
            head = 0
        }
    }
}

extension Message {
    /// Whether a later message of its topic says all that it does.
    fileprivate var isReplaceable: Bool { retained && qos == .atLeastOnce }
}
