internal import Bytes
internal import Crypto
internal import WireProtocol

/// Holds an interval's messages back by up to a quarter of a window, taken from the node's name, so that a fleet's don't
/// come in one burst.
struct Spread: Sendable {
    /// Microseconds for which messages are held back.
    private(set) var delay: Int64
    /// 65,536ths of a quarter of a window, by the node's name.
    private let share: Int64
    private var held: [Message] = []
    /// When the held messages are due; nil where there are none.
    private(set) var due: Timestamp?

    init(node: String, window: Int64) {
        let digest = SHA256.digest(node)
        share = Int64(digest[0]) << 8 | Int64(digest[1])
        delay = window / 4 * share / 65_536
    }

    /// A moment in so many nanoseconds that is this node's own.
    func moment(in length: Double) -> Int64 { Int64(length * Double(share) / 65_536) }

    /// Goes by another length of a window; what is held already stays so long as it was to.
    mutating func use(window: Int64) {
        delay = window / 4 * share / 65_536
    }

    /// Takes over all messages of `outbox`, which fell due at `time`.
    mutating func take(_ outbox: inout [Message], at time: Timestamp) {
        guard !outbox.isEmpty else { return }
        if due == nil { due = time.advanced(byMicroseconds: delay) }
        held.append(contentsOf: outbox)
        outbox.removeAll(keepingCapacity: true)
    }

    /// Gives what is due at `time`, or everything where that is nil.
    mutating func release(at time: Timestamp?, _ publish: (Message) -> Void) {
        guard let due, time.map({ $0 >= due }) ?? true else { return }
        for message in held { publish(message) }
        held.removeAll(keepingCapacity: true)
        self.due = nil
    }
}
