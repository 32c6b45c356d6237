public import Sightings

/// All that a publisher has to do with discovery: the book in force, where the output is on, and those of discovery
/// prefixes under which it stood before, until nothing is left there.
public struct Discovery: Sendable {
    /// Former prefixes that are remembered at most.
    public static let formerBound = 4

    /// The book in force; nil where the output is off.
    public private(set) var book: DiscoveryBook?
    private var former: [(prefix: String, book: DiscoveryBook)]
    private let prefix: String?

    /// - Parameters:
    ///   - prefix: the discovery prefix; nil where the output is off.
    ///   - topicPrefix: what all topics of the house begin with.
    ///   - kinds: what the objects begin with that may be this publisher's, such as `item_`.
    ///   - name: the publisher's.
    ///   - row: what an earlier run kept; nil where there was none.
    public init(prefix: String?, topicPrefix: String, kinds: [String], name: String, keeping row: String?) {
        self.prefix = prefix
        let lines = (row ?? "").split(separator: "\n").map { String($0) }
        let places = lines.filter { $0.hasPrefix(Self.mark) }.map { String($0.dropFirst(Self.mark.count)) }
        let graves = lines.filter { !$0.hasPrefix(Self.mark) }.joined(separator: "\n")
        book = prefix.map { prefix in
            DiscoveryBook(
                DiscoveryPlace(prefix: prefix, topicPrefix: topicPrefix), kinds: kinds, name: name, keeping: graves)
        }
        former = places.filter { $0 != prefix && !$0.isEmpty }.prefix(Self.formerBound).map { prefix in
            (prefix, DiscoveryBook(DiscoveryPlace(prefix: prefix, topicPrefix: topicPrefix), kinds: kinds, name: name))
        }
    }

    private static let mark = "at "

    /// What is to be kept over restarts: the prefixes where something may stand, and what Home Assistant may have missed.
    public var row: String {
        (prefixes.map { Self.mark + $0 } + [book?.row ?? ""].filter { !$0.isEmpty }).joined(separator: "\n")
    }

    /// The discovery prefixes where something of this publisher may stand, the one in force first.
    public var prefixes: [String] { (prefix.map { [$0] } ?? []) + former.map(\.prefix) }

    /// What is to be subscribed to: of each place what `filters` gives, or else all of it.
    public func subscriptions(_ filters: (DiscoveryPlace) -> [String] = { [$0.all] }) -> [String] {
        let books = (book.map { [$0] } ?? []) + former.map(\.book)
        return books.flatMap { filters($0.place) } + (book.map { [$0.place.birth] } ?? [])
    }

    /// When `advance` has something to do; nil where nothing is open.
    public var nextDeadline: Int64? {
        ([book?.nextDeadline] + former.map(\.book.nextDeadline)).compactMap { $0 }.min()
    }

    /// A connection was made.
    public mutating func connected(at now: Int64) {
        book?.connected(at: now)
        for index in former.indices { former[index].book.connected(at: now) }
    }

    /// Takes a message; whether it is of one of the places.
    public mutating func receive(_ message: Message, at now: Int64) -> Bool {
        if book?.receive(message, at: now) == true { return true }
        for index in former.indices where former[index].book.receive(message, at: now) { return true }
        return false
    }

    /// Has a device stand from now on.
    public mutating func want(_ object: String) { book?.want(object) }
    /// Looks at a device anew, as where it has become this publisher's.
    public mutating func look(at object: String) {
        book?.change(object)
        for index in former.indices { former[index].book.change(object) }
    }
    /// Has a device stand no longer.
    public mutating func drop(_ object: String) { book?.drop(object) }
    /// Has these devices stand from now on, and no others; looks at all of them.
    public mutating func want(only objects: Set<String>) { book?.want(only: objects) }

    /// Lets time pass: see `DiscoveryBook.advance`.
    public mutating func advance(
        to now: Int64, owns: (String) -> Bool, describe: (String) -> DiscoveryDocument?
    ) -> DiscoveryBook.Steps {
        var steps = book?.advance(to: now, owns: owns, describe: describe) ?? DiscoveryBook.Steps()
        guard !former.isEmpty else { return steps }
        for index in former.indices {
            steps.messages += former[index].book.advance(to: now, owns: owns, describe: { _ in nil }).messages
        }
        let left = former.filter { !$0.book.isDone(at: now) }
        if left.count < former.count {
            former = left
            steps.isChanged = true
        }
        return steps
    }
}
