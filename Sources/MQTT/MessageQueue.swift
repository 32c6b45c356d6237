internal import Bytes
internal import WireProtocol

/// A first-in, first-out queue of messages that counts its bytes. Its user bounds it.
///
/// On a retained topic a later message can replace the one that waits. A message that has waited beyond its expiry is
/// dropped and counted.
struct MessageQueue {
    private struct Entry {
        var message: Message
        var deadline: MonotonicTime?
    }

    /// The entries; a place that was emptied out of order is nil.
    private var entries: [Entry?] = []
    private var head = 0
    /// The number of entries that preceded those in `entries`.
    private var base = 0
    /// The numbers of retained messages by topic, counted from the queue's beginning.
    private var placeOfTopic: [String: Int] = [:]
    /// The number before which there is no message of QoS 0.
    private var firstSample = 0
    /// The number of messages of QoS 0.
    private(set) var samples = 0
    /// The number of messages.
    private(set) var count = 0
    /// The bytes of topics and payloads.
    private(set) var bytes = 0
    /// The number of messages that expired since the start.
    private(set) var expired = 0

    /// The next message; expired ones before it are dropped.
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

    /// The bytes of the message that this one would replace; nil if there is none.
    func replaces(_ message: Message) -> Int? {
        guard message.isReplaceable, let place = placeOfTopic[message.topic] else { return nil }
        return entries[place - base]?.message.size
    }

    /// Adds a message; with `replacing`, a retained one replaces the last one of its topic.
    mutating func append(_ message: Message, at now: MonotonicTime, replacing: Bool) {
        let deadline = message.expiry.map { now.advanced(bySeconds: Double($0)) }
        append(Entry(message: message, deadline: deadline), replacing: replacing)
    }

    /// Removes and returns the next message, which must exist, with the rest of its expiry.
    mutating func removeFirst(at now: MonotonicTime) -> Message {
        while true {
            guard let entry = entries[head] else {
                advance()
                continue
            }
            subtractCounts(entry.message, at: head)
            advance()
            var message = entry.message
            if let deadline = entry.deadline {
                message.expiry = UInt32(max(1, (deadline - now + .nanoseconds(999_999_999)).components.seconds))
            }
            return message
        }
    }

    /// Drops the oldest message of QoS 0; returns true if there was one.
    mutating func dropSample() -> Bool {
        guard samples > 0 else { return false }
        var index = max(head, firstSample - base)
        while index < entries.count {
            if let entry = entries[index], entry.message.qos == .atMostOnce {
                subtractCounts(entry.message, at: index)
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

    /// Puts these messages before all others and drops the other ones of QoS 0.
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

    private mutating func subtractCounts(_ message: Message, at index: Int) {
        count -= 1
        bytes -= message.size
        if message.qos == .atMostOnce { samples -= 1 }
        if message.retained, placeOfTopic[message.topic] == base + index { placeOfTopic[message.topic] = nil }
    }

    /// Skips a completed place; the memory is released when half of all places are completed.
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
    /// True if a later message of its topic supersedes it.
    fileprivate var isReplaceable: Bool { retained && qos == .atLeastOnce }
}
