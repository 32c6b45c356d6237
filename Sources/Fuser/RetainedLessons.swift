internal import Bytes
internal import WireProtocol

/// What the broker retains of lessons, so that each fuser finds there what others were taught, and puts back what is
/// missing.
struct RetainedLessons: Sendable {
    /// What a topic of a lesson says.
    enum Word: Sendable {
        case taught, undone
    }

    /// The time without a lesson's message after which all that the broker retains has come.
    static let settling: Duration = RegistryFollower.settling
    /// Keys that are remembered; what else the broker holds is looked at and not put in order.
    static let capacity = 4096

    private let topics: Topics
    private(set) var words: [String: Word] = [:]
    private var settled: Timestamp?

    init(topics: Topics) { self.topics = topics }

    /// When `takeSettled` may be true; nil where nothing is open.
    var nextDeadline: Timestamp? { settled }

    /// A connection was made: what the broker retains will come anew.
    mutating func connected(at now: Timestamp) {
        words = [:]
        settled = now.advanced(by: Self.settling)
    }

    /// Begins to wait for what is retained: the subscription was granted only now.
    mutating func expectRetained(at now: Timestamp) {
        settled = now.advanced(by: Self.settling)
    }

    /// Records the broker's retained message of a lesson; nil for none.
    mutating func recordLesson(_ word: Word?, of key: String, at now: Timestamp) {
        if settled != nil { settled = now.advanced(by: Self.settling) }
        storeOwn(word, of: key)
    }

    /// The same, by one's own message.
    mutating func storeOwn(_ word: Word?, of key: String) {
        guard words.count < Self.capacity || words[key] != nil else { return }
        words[key] = word
    }

    /// Whether all that the broker retains has come; told once a connection.
    mutating func takeSettled(at now: Timestamp) -> Bool {
        guard let due = settled, now >= due else { return false }
        settled = nil
        return true
    }

    /// A message that is to be retained for a lesson.
    func message(_ payload: [UInt8], of key: String) -> Message {
        Message(topic: topics.lesson(key), payload: payload, qos: .atLeastOnce, retained: true)
    }
}
