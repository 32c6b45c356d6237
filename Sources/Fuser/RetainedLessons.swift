internal import Bytes
internal import WireProtocol

/// The lessons that the broker retains: each fuser finds there what others were taught, and restores what is missing.
struct RetainedLessons: Sendable {
    /// The content of a lesson's topic.
    enum Word: Sendable {
        case taught, undone
    }

    /// The time without a lesson's message after which all that the broker retains has come.
    static let settling: Duration = RegistryFollower.settling
    /// Keys known at once; further messages are read, and not repaired.
    static let capacity = 4096

    private let topics: Topics
    private(set) var words: [String: Word] = [:]
    private var settled: Timestamp?
    /// True once all that the broker retains has arrived on the present connection.
    private(set) var isKnown = false

    init(topics: Topics) { self.topics = topics }

    /// The time at which `takeSettled` may be true; nil if nothing is open.
    var nextDeadline: Timestamp? { settled }

    /// Records a connection: the broker's retained messages will arrive again.
    mutating func connected(at now: Timestamp) {
        (words, isKnown) = ([:], false)
        settled = now.advanced(by: Self.settling)
    }

    /// Begins to wait for the retained messages: the subscription was granted only now.
    mutating func expectRetained(at now: Timestamp) {
        isKnown = false
        settled = now.advanced(by: Self.settling)
    }

    /// Records the broker's retained message of a lesson; nil for none.
    mutating func recordLesson(_ word: Word?, of key: String, at now: Timestamp) {
        if settled != nil { settled = now.advanced(by: Self.settling) }
        storeOwn(word, of: key)
    }

    /// Records this fuser's own message of a lesson.
    mutating func storeOwn(_ word: Word?, of key: String) {
        guard words.count < Self.capacity || words[key] != nil else { return }
        words[key] = word
    }

    /// True, once a connection, when all retained messages have arrived.
    mutating func takeSettled(at now: Timestamp) -> Bool {
        guard let due = settled, now >= due else { return false }
        (settled, isKnown) = (nil, true)
        return true
    }

    /// A message that is to be retained for a lesson.
    func message(_ payload: [UInt8], of key: String) -> Message {
        Message(topic: topics.lesson(key), payload: payload, qos: .atLeastOnce, retained: true)
    }
}
