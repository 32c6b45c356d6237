public import Bytes
public import WireProtocol

/// A publisher's discovery documents: the current book, if the output is on, and those of former discovery prefixes,
/// until nothing is left there.
public struct Discovery: Sendable {
    /// The most former prefixes that are remembered.
    public static let formerBound = 4

    /// The current book; nil if the output is off.
    public private(set) var book: DiscoveryBook?
    private var former: [(prefix: String, book: DiscoveryBook)]
    private let prefix: String?
    /// The places of all books but the current one: a late message from a completed one still belongs to nobody else.
    private let formerPlaces: [DiscoveryPlace]

    /// - Parameters:
    ///   - prefix: the discovery prefix; nil if the output is off.
    ///   - topicPrefix: the beginning of all topics of the house.
    ///   - kinds: the prefixes of objects that may belong to this publisher, such as `item_`.
    ///   - name: the publisher's.
    ///   - row: the row persisted by an earlier run; nil if there was none.
    public init(prefix: String?, topicPrefix: String, kinds: [String], name: String, keeping row: String?) {
        self.prefix = prefix
        var places: [(prefix: String, graves: String)] = []
        for line in (row ?? "").split(separator: "\n") {
            if line.hasPrefix(Self.mark) {
                places.append((String(line.dropFirst(Self.mark.count)), ""))
            } else if !places.isEmpty {
                places[places.count - 1].graves += "\(line)\n"
            }
        }
        func book(_ prefix: String, keeping graves: String?) -> DiscoveryBook {
            let place = DiscoveryPlace(prefix: prefix, topicPrefix: topicPrefix)
            return DiscoveryBook(place, kinds: kinds, name: name, keeping: graves)
        }
        self.book = prefix.map { prefix in book(prefix, keeping: places.first { $0.prefix == prefix }?.graves) }
        // Home Assistant finds the same entities under another prefix; missed removals matter only without such
        // entities.
        former = places.filter { $0.prefix != prefix && !$0.prefix.isEmpty }.prefix(Self.formerBound).map { place in
            (place.prefix, book(place.prefix, keeping: prefix == nil ? place.graves : nil))
        }
        formerPlaces = former.map(\.book.place)
    }

    private static let mark = "at "

    /// The row to persist: the prefixes with possible documents, and the removals that Home Assistant may have missed.
    public var row: String {
        var lines = prefix.map { [Self.mark + $0, book?.row ?? ""] } ?? []
        for (prefix, book) in former { lines += [Self.mark + prefix, self.prefix == nil ? book.row : ""] }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The discovery prefixes with possible documents of this publisher, the current one first.
    public var prefixes: [String] { (prefix.map { [$0] } ?? []) + former.map(\.prefix) }

    /// The topic filters to subscribe to: for each place those of `filters`, by default all of it.
    public func subscriptions(_ filters: (DiscoveryPlace) -> [String] = { [$0.all] }) -> [String] {
        let books = (book.map { [$0] } ?? []) + former.map(\.book)
        let live = book.map { [$0] } ?? former.map(\.book)
        return books.flatMap { filters($0.place) } + live.map(\.place.birth)
    }

    /// The time of the next work for `advance`; nil if there is none.
    public var nextDeadline: MonotonicTime? {
        ([book?.nextDeadline] + former.map(\.book.nextDeadline)).compactMap { $0 }.min()
    }

    /// Records a new connection.
    public mutating func connected(at now: MonotonicTime) {
        book?.connected(at: now)
        for index in former.indices { former[index].book.connected(at: now) }
    }

    /// Receives a message; returns true if it belongs to one of the places.
    public mutating func receive(_ message: Message, at now: MonotonicTime) -> Bool {
        if book?.receive(message, at: now) == true { return true }
        for index in former.indices where former[index].book.receive(message, at: now) { return true }
        return formerPlaces.contains { $0.isBirth(message.topic) || $0.object(of: message.topic) != nil }
    }

    /// Marks a device as wanted from now on.
    public mutating func markWanted(_ object: String) { book?.markWanted(object) }
    /// Checks a device again, for example after it became this publisher's.
    public mutating func recheckDevice(at object: String) {
        book?.recheckDevice(object)
        for index in former.indices { former[index].book.recheckDevice(object) }
    }
    /// Marks a device as unwanted.
    public mutating func drop(_ object: String) { book?.drop(object) }
    /// Marks these devices as wanted from now on, and no others.
    public mutating func markWanted(only objects: Set<String>) { book?.markWanted(only: objects) }
    /// Marks those of these devices as wanted that are new.
    public mutating func markWanted(also objects: some Sequence<String>) {
        for object in objects where book?.wants(object) == false { markWanted(object) }
    }
    /// Checks all devices again, for example after a change of their common part.
    public mutating func lookAtAll() { book?.changeAll() }
    /// Checks all devices with objects of this kind again.
    public mutating func lookAtAll(of kind: String) { book?.changeAll(of: kind) }

    /// Carries out the steps that are due: see `DiscoveryBook.advance`.
    public mutating func advance(
        to now: MonotonicTime, owns: @escaping (String) -> Bool,
        isGone: @escaping (String, String?) -> Bool = { _, _ in true },
        describe: @escaping (String) -> DiscoveryDocument?
    ) -> DiscoveryBook.Steps {
        var steps =
            book?.advance(to: now, owns: owns, isGone: isGone, describe: describe) ?? DiscoveryBook.Steps()
        guard !former.isEmpty else { return steps }
        for index in former.indices {
            let found = former[index].book.advance(to: now, owns: owns, describe: { _ in nil })
            steps.messages += found.messages
            steps.isChanged = steps.isChanged || found.isChanged && prefix == nil
        }
        let left = former.filter { !$0.book.isDone(at: now) || prefix == nil && !$0.book.row.isEmpty }
        if left.count < former.count {
            former = left
            steps.isChanged = true
        }
        return steps
    }
}
