public import WireProtocol

/// All that a publisher has to do with discovery: the book in force, where the output is on, and those of discovery
/// prefixes under which it stood before, until nothing is left there.
public struct Discovery: Sendable {
    /// Former prefixes that are remembered at most.
    public static let formerBound = 4

    /// The book in force; nil where the output is off.
    public private(set) var book: DiscoveryBook?
    private var former: [(prefix: String, book: DiscoveryBook)]
    private let prefix: String?
    /// The places of all books but that in force: what comes of one that is done is still nobody else's.
    private let formerPlaces: [DiscoveryPlace]

    /// - Parameters:
    ///   - prefix: the discovery prefix; nil where the output is off.
    ///   - topicPrefix: what all topics of the house begin with.
    ///   - kinds: what the objects begin with that may be this publisher's, such as `item_`.
    ///   - name: the publisher's.
    ///   - row: what an earlier run kept; nil where there was none.
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
        // Under another prefix Home Assistant finds the same entities; what it missed matters where there are none.
        former = places.filter { $0.prefix != prefix && !$0.prefix.isEmpty }.prefix(Self.formerBound).map { place in
            (place.prefix, book(place.prefix, keeping: prefix == nil ? place.graves : nil))
        }
        formerPlaces = former.map(\.book.place)
    }

    private static let mark = "at "

    /// What is to be kept over restarts: the prefixes where something may stand, and what Home Assistant may have missed.
    public var row: String {
        var lines = prefix.map { [Self.mark + $0, book?.row ?? ""] } ?? []
        for (prefix, book) in former { lines += [Self.mark + prefix, self.prefix == nil ? book.row : ""] }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The discovery prefixes where something of this publisher may stand, the one in force first.
    public var prefixes: [String] { (prefix.map { [$0] } ?? []) + former.map(\.prefix) }

    /// What is to be subscribed to: of each place what `filters` gives, or else all of it.
    public func subscriptions(_ filters: (DiscoveryPlace) -> [String] = { [$0.all] }) -> [String] {
        let books = (book.map { [$0] } ?? []) + former.map(\.book)
        let live = book.map { [$0] } ?? former.map(\.book)
        return books.flatMap { filters($0.place) } + live.map(\.place.birth)
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
        return formerPlaces.contains { $0.isBirth(message.topic) || $0.object(of: message.topic) != nil }
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
    /// Has these devices stand from now on, and no others.
    public mutating func want(only objects: Set<String>) { book?.want(only: objects) }
    /// Has those of these devices stand from now on that are to be told for the first time.
    public mutating func want(also objects: some Sequence<String>) {
        for object in objects where book?.wants(object) == false { want(object) }
    }
    /// Looks at all devices anew, as where what all are made of has changed.
    public mutating func lookAtAll() { book?.changeAll() }
    /// Looks anew at those whose objects begin so.
    public mutating func lookAtAll(of kind: String) { book?.changeAll(of: kind) }

    /// Lets time pass: see `DiscoveryBook.advance`.
    public mutating func advance(
        to now: Int64, owns: @escaping (String) -> Bool, isGone: @escaping (String, String?) -> Bool = { _, _ in true },
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
