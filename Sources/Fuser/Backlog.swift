internal import Sightings

/// What waits to be published, in order, so that a burst does not overflow the session's queue.
///
/// Of a retained topic only the latest message waits, in the place of the first. So it holds at most one message for each
/// retained topic, and `capacity` others; those beyond are dropped and counted.
struct Backlog {
    /// Messages that are not retained.
    static let capacity = 10_000

    private var queue: [Message] = []
    private var head = 0
    private var placeOfTopic: [String: Int] = [:]
    private var passing = 0
    /// Messages that were not retained and are lost.
    private(set) var dropped: UInt64 = 0

    /// Whether nothing waits.
    var isEmpty: Bool { head == queue.count }

    /// Adds a message behind those that wait.
    mutating func add(_ message: Message) {
        if message.retained {
            if let place = placeOfTopic[message.topic] {
                queue[place] = message
                return
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

    /// Takes out what is not to be sent any more.
    mutating func removeAll(where isOver: (Message) -> Bool) {
        let rest = queue[head...].filter { !isOver($0) }
        (queue, head, placeOfTopic, passing) = ([], 0, [:], 0)
        for message in rest { add(message) }
    }

    /// Gives messages in order as long as they are taken.
    mutating func send(_ take: (Message) -> Bool) {
        while head < queue.count, take(queue[head]) {
            if queue[head].retained { placeOfTopic[queue[head].topic] = nil } else { passing -= 1 }
            head += 1
        }
        guard head == queue.count || head > 4096 else { return }
        queue.removeFirst(head)
        for (topic, place) in placeOfTopic { placeOfTopic[topic] = place - head }
        head = 0
    }
}
