internal import Sightings

/// A first-in, first-out queue of messages that knows its bytes. Its user bounds it.
struct MessageQueue {
    private var messages: [Message] = []
    private var head = 0
    /// Bytes of topics and payloads.
    private(set) var bytes = 0

    var count: Int { messages.count - head }
    var first: Message? { head < messages.count ? messages[head] : nil }

    mutating func append(_ message: Message) {
        messages.append(message)
        bytes += message.size
    }

    /// The queue must not be empty.
    mutating func removeFirst() -> Message {
        let message = messages[head]
        bytes -= message.size
        // Lets go of the payload; the place itself goes when half of all are empty.
        messages[head] = Message(topic: "", payload: [])
        head += 1
        if head == messages.count {
            messages.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 256 && head * 2 >= messages.count {
            messages.removeFirst(head)
            head = 0
        }
        return message
    }

    mutating func removeAll() {
        self = MessageQueue()
    }

    /// Puts these before all others and drops the others of QoS 0.
    mutating func keepAcknowledged(after earlier: [Message]) {
        messages = earlier + messages[head...].filter { $0.qos != .atMostOnce }
        head = 0
        bytes = messages.reduce(0) { $0 + $1.size }
    }
}
