internal import WireProtocol

/// Messages that wait to be published, in order, so that a burst does not overflow the session's queue.
///
/// Of a retained topic only the latest message waits: in the place of the first, or behind the events before it if it is
/// about them. So it holds at most one message for each retained topic, and `capacity` others; further ones are dropped
/// and counted.
struct Backlog {
    /// Messages that are not retained.
    static let capacity = 10_000

    /// Nil if a later message of the same topic waits further behind.
    private var queue: [Message?] = []
    private var head = 0
    private var gaps = 0
    private var placeOfTopic: [String: Int] = [:]
    private var passing = 0
    /// Messages that were not retained and are lost.
    private(set) var dropped: UInt64 = 0

    /// The number of messages that wait.
    var count: Int { queue.count - head }
    /// True if nothing waits.
    var isEmpty: Bool { head == queue.count }

    /// Adds a message behind those that wait.
    ///
    /// - Parameter isBehindEvents: true if a retained one is about events that wait, and must not overtake them.
    mutating func addMessage(_ message: Message, isBehindEvents: Bool = false) {
        if message.retained {
            if let place = placeOfTopic[message.topic] {
                guard isBehindEvents else {
                    queue[place] = message
                    return
                }
                queue[place] = nil
                gaps += 1
                if gaps > Self.capacity { removeAll { _ in false } }
            }
            placeOfTopic[message.topic] = queue.count
        } else {
            guard passing < Self.capacity else {
                dropped += 1
                return
            }
            passing += 1
        }
        queue.append(message)
    }

    /// Removes the messages that are not to be sent any more.
    mutating func removeAll(where isOver: (Message) -> Bool) {
        let rest = queue[head...].compactMap { $0 }.filter { !isOver($0) }
        (queue, head, gaps, placeOfTopic, passing) = ([], 0, 0, [:], 0)
        for message in rest { addMessage(message) }
    }

    /// Passes messages to the closure in order, until it accepts no more.
    mutating func sendMessages(_ take: (Message) -> Bool) {
        while head < queue.count {
            if let message = queue[head] {
                guard take(message) else { break }
                if message.retained { placeOfTopic[message.topic] = nil } else { passing -= 1 }
            } else {
                gaps -= 1
            }
            head += 1
        }
        guard head == queue.count || head > 4096 else { return }
        queue.removeFirst(head)
        for (topic, place) in placeOfTopic { placeOfTopic[topic] = place - head }
        head = 0
    }
}
