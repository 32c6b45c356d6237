internal import Synchronization
internal import System

/// The state that a page shows: the newest payload of each topic. The fuser's thread writes, the server's reads.
///
/// One lock guards all of it, and is held for a fraction of a millisecond. Payloads are stored once, however many
/// viewers there are.
public final class Board: Sendable {
    /// The number of a topic's change, and the run of the program in which it was counted.
    public struct Position: Hashable, Sendable {
        /// The run.
        public var epoch: String
        /// The number.
        public var number: UInt64

        /// A position by its parts.
        public init(epoch: String, number: UInt64) {
            self.epoch = epoch
            self.number = number
        }

        /// Reads `<epoch>-<number>`; nil for any other text.
        public init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt64(parts[1])
            else { return nil }
            self.init(epoch: String(parts[0]), number: number)
        }

        /// The text of an event's id.
        public var text: String { "\(epoch)-\(number)" }
    }

    /// A piece of what a reader has not seen.
    struct Piece {
        /// Elements `["topic",value]` with commas between them.
        var elements: [UInt8]
        /// The number up to which the reader has seen everything.
        var upTo: UInt64
        /// True if there is nothing behind.
        var isWhole: Bool
        /// The number that a reader must have reached not to begin anew.
        var floor: UInt64
    }

    private struct Shared {
        var state: BoardState
        /// The names under `items`, `nodes` and `rooms`, by the first level.
        var names: [String: SortedNames] = [:]
        /// The number of streams that follow the levels of an item.
        var followers: [String: Int] = [:]
        /// The number of streams that follow the reception of the house.
        var receptionFollowers = 0
    }

    /// The items of which levels are made at once. More are not made.
    public static let levelBound = 64
    /// The most changes that are looked at under the lock.
    private static let steps = 512
    /// The levels below which names are listed.
    private static let collections: Set<String> = ["items", "nodes", "rooms"]

    /// The run of the program: numbers of another mean nothing here.
    public let epoch: String
    private let shared: Mutex<Shared>
    private let levelsFollowed = Atomic(false)
    private let receptionFollowed = Atomic(false)
    private let isConnectedToBroker = Atomic(false)

    /// An empty board.
    public convenience init() { self.init(epoch: SystemRandom.epoch(), state: BoardState()) }

    init(epoch: String, state: BoardState) {
        self.epoch = epoch
        shared = Mutex(Shared(state: state))
    }

    // MARK: The writer's side

    /// Sets the value of a topic, JSON without line ends, or removes it; true if that is a change.
    @discardableResult
    func set(_ topic: String, _ value: [UInt8]?) -> Bool {
        shared.withLock { shared in
            guard shared.state.set(topic, value) else { return false }
            let levels = topic.split(separator: "/", maxSplits: 2)
            guard levels.count == 3, Self.collections.contains(String(levels[0])) else { return true }
            let (collection, name) = (String(levels[0]), String(levels[1]))
            if value != nil {
                shared.names[collection, default: SortedNames()].insert(name)
            } else if !Self.kinds(of: collection).contains(where: {
                shared.state.value("\(collection)/\(name)/\($0)") != nil
            }) {
                shared.names[collection]?.remove(name)
            }
            return true
        }
    }

    /// The topics that have a value.
    var topics: [String] { shared.withLock { $0.state.topics } }

    /// True while the program is connected to its broker.
    public var hasBroker: Bool {
        get { isConnectedToBroker.load(ordering: .relaxed) }
        set { isConnectedToBroker.store(newValue, ordering: .relaxed) }
    }

    /// True if a stream follows the levels of any item.
    var areLevelsFollowed: Bool { levelsFollowed.load(ordering: .relaxed) }

    /// True if a stream follows the levels of an item.
    func isFollowed(levelsOf item: String) -> Bool {
        areLevelsFollowed && shared.withLock { $0.followers[item] != nil }
    }

    /// True if a stream follows the reception of the house.
    public var isReceptionFollowed: Bool { receptionFollowed.load(ordering: .relaxed) }

    // MARK: The readers' side

    /// The number of topics.
    public var count: Int { shared.withLock { $0.state.count } }

    /// The value of a topic as JSON.
    func value(_ topic: String) -> [UInt8]? { shared.withLock { $0.state.value(topic) } }

    /// The last topic levels under which messages of a collection are.
    static func kinds(of collection: String) -> [String] {
        switch collection {
        case "items": ["config", "location", "alert", "telemetry", "battery"]
        case "nodes": ["status", "info", "health", "scan"]
        default: ["occupancy"]
        }
    }

    /// The names of a collection with their values by kind, in the order of the names.
    func page(
        of collection: String, after name: String?, limit: Int
    ) -> (entries: [(name: String, values: [(kind: String, value: [UInt8])])], isLast: Bool) {
        shared.withLock { shared in
            guard let names = shared.names[collection] else { return ([], true) }
            let page = names.page(after: name, limit: limit + 1)
            return (page.prefix(limit).map { ($0, Self.values(of: collection, $0, shared.state)) }, page.count <= limit)
        }
    }

    /// The values of one name by kind; empty if there is none.
    func values(of collection: String, _ name: String) -> [(kind: String, value: [UInt8])] {
        shared.withLock { Self.values(of: collection, name, $0.state) }
    }

    private static func values(
        of collection: String, _ name: String, _ state: BoardState
    ) -> [(kind: String, value: [UInt8])] {
        kinds(of: collection).compactMap { kind in
            state.value("\(collection)/\(name)/\(kind)").map { (kind, $0) }
        }
    }

    /// The changes behind a number, up to which a reader has seen everything.
    func piece(after number: UInt64, _ selection: TopicSelection, bytes: Int) -> Piece {
        shared.withLock { shared in
            let (elements, upTo) = shared.state.changes(
                after: number, selection, bytes: bytes, steps: Self.steps)
            return Piece(
                elements: elements, upTo: upTo, isWhole: upTo == shared.state.last, floor: shared.state.floor)
        }
    }

    /// The number from which a reader may go on; nil if it must begin anew.
    func resumption(at position: Position?) -> UInt64? {
        guard let position, position.epoch == epoch else { return nil }
        return shared.withLock { shared in
            (shared.state.floor...shared.state.last).contains(position.number) ? position.number : nil
        }
    }

    /// The highest number of a forgotten removal.
    var floor: UInt64 { shared.withLock { $0.state.floor } }

    // MARK: Levels on demand

    /// Has levels of items made, as many as the bound permits, until `unfollow`; returns those that are made.
    func follow(levelsOf items: [String]) -> [String] {
        shared.withLock { shared in
            var followed: [String] = []
            for item in items where shared.followers[item] != nil || shared.followers.count < Self.levelBound {
                shared.followers[item, default: 0] += 1
                followed.append(item)
            }
            levelsFollowed.store(!shared.followers.isEmpty, ordering: .relaxed)
            return followed
        }
    }

    /// Ends what `follow` began. Levels that nobody follows are removed.
    func unfollow(levelsOf items: [String]) {
        shared.withLock { shared in
            for item in items {
                guard let count = shared.followers[item] else { continue }
                shared.followers[item] = count > 1 ? count - 1 : nil
                if count == 1 { _ = shared.state.set(TopicSelection.levels + item, nil) }
            }
            levelsFollowed.store(!shared.followers.isEmpty, ordering: .relaxed)
        }
    }

    /// Has the reception of the house made until `unfollowReception`.
    func followReception() {
        shared.withLock { shared in
            shared.receptionFollowers += 1
            receptionFollowed.store(true, ordering: .relaxed)
        }
    }

    /// Ends what `followReception` began.
    func unfollowReception() {
        shared.withLock { shared in
            shared.receptionFollowers -= 1
            guard shared.receptionFollowers == 0 else { return }
            receptionFollowed.store(false, ordering: .relaxed)
            _ = shared.state.set(TopicSelection.reception, nil)
        }
    }
}
