internal import Bytes
internal import Crypto
internal import WireProtocol

/// Holds an interval's messages back by up to a quarter of a window, derived from the node's name, so that a fleet's
/// messages don't arrive in one burst.
struct PublicationStagger: Sendable {
    /// The time for which messages are held back.
    private(set) var delay = Duration.zero
    /// The delay in 65,536ths of a quarter of a window, by the node's name.
    private let share: Int64
    /// The messages that aren't held back yet.
    var outbox: [Message] = []
    private var held: [Message] = []
    /// The time at which the held messages are due; nil if there are none.
    private(set) var due: Timestamp?

    init(node: String, window: Duration) {
        let digest = SHA256.digest(node)
        share = Int64(digest[0]) << 8 | Int64(digest[1])
        use(window: window)
    }

    /// The share of `length` that is specific to this node.
    func share(of length: Duration) -> Duration { length * share / 65_536 }

    /// Applies another length of a window; messages that are already held keep their time.
    mutating func use(window: Duration) {
        delay = share(of: window / 4)
    }

    /// Holds all messages of the outbox back, which were due at `time`.
    mutating func deferMessages(at time: Timestamp) {
        guard !outbox.isEmpty else { return }
        if due == nil { due = time.advanced(by: delay) }
        held.append(contentsOf: outbox)
        outbox.removeAll(keepingCapacity: true)
    }

    /// Publishes the messages that are due at `time`, or all of them if it is nil.
    mutating func release(at time: Timestamp?, _ publish: (Message) -> Void) {
        guard let due, time.map({ $0 >= due }) ?? true else { return }
        for message in held { publish(message) }
        held.removeAll(keepingCapacity: true)
        self.due = nil
    }
}
