internal import Bytes
internal import System

/// The causes for which the node's `info` is published again, and the problems that it lists.
struct InfoPublication {
    /// The interval between checks of the items' keys, in the source's time: one second.
    private static let keyInterval: Duration = .seconds(1)
    /// The interval between publications of the radio's state.
    private static let radioInterval: Duration = .seconds(1)

    /// True if the content has changed; its publication can wait for a moment.
    private(set) var isStale = false
    private var registryDigest = ""
    private var radioChecked = Timestamp(microseconds: 0)
    private var keysChecked: Timestamp?
    /// The problem of the clock that a fuser reported.
    private var clockProblem: String?
    /// The problems with the keys of items.
    private var keyProblems: [(item: String, words: String)] = []

    /// The problems of the clock and of keys, a sentence each.
    var problems: [String] { (clockProblem.map { [$0] } ?? []) + keyProblems.map(\.words) }

    /// Records a change of the content.
    mutating func markStale() { isStale = true }

    /// Returns true if an `info` with the digest of the current registry is to be published.
    func isDue(registry digest: String) -> Bool { isStale || registryDigest != digest }

    /// Records a publication.
    mutating func recordPublication(registry digest: String) {
        (isStale, registryDigest) = (false, digest)
    }

    /// Returns true if the radio's state is to be looked at, which is at most once a second.
    mutating func checksRadio(at now: Timestamp) -> Bool {
        guard now.duration(since: radioChecked).magnitude >= Self.radioInterval else { return false }
        radioChecked = now
        return true
    }

    /// Returns true if the keys are to be checked, which is at most once a second.
    mutating func checksKeys(at now: Timestamp) -> Bool {
        if let checked = keysChecked, now.duration(since: checked).magnitude < Self.keyInterval { return false }
        keysChecked = now
        return true
    }

    /// Receives the present problems with keys, and logs the new ones, once.
    mutating func receive(keyProblems found: [(item: String, words: String)], log: Log) {
        guard !found.isEmpty || !keyProblems.isEmpty else { return }
        for (item, words) in found { log.logChange("known \(item)", .warning, words, about: found.map(\.item)) }
        for (item, _) in keyProblems where !found.contains(where: { $0.item == item }) {
            log.logChange("known \(item)", .notice, "'\(item)' is heard as it should be, or no more", about: [item])
        }
        keyProblems = found
    }

    /// Receives a fuser's measurement of the node's clock: its error, to be added.
    mutating func receive(clockOffset offset: Duration, log: Log) {
        let seconds = (offset.magnitude + .milliseconds(500)).components.seconds
        clockProblem =
            offset == .zero
            ? nil : "the clock is \(seconds) s \(offset > .zero ? "behind" : "ahead") of the fuser's; is it set (NTP)?"
        if let clockProblem {
            log.logChange("clock", .warning, clockProblem)
        } else {
            log.logChange("clock", .notice, "the clock is right again")
        }
    }
}
