/// Devices and entities that were cleared at the broker while Home Assistant may have been off. It would retain them
/// for ever, since it receives removals only while it is connected. After its start they are published once more, and
/// removed.
struct RemovedEntities: Sendable {
    /// The most devices that are remembered; removals beyond that are left to Home Assistant's user.
    static let capacity = 1000
    /// The most entities of those devices that are remembered.
    static let entityCapacity = 20_000

    private var components: [String: [String: String]] = [:]
    /// The devices removed before Home Assistant's start, in order, to be published again.
    private(set) var opened: [String] = []
    /// The mark of open devices in the row: a published one must be removed, also by a later run.
    private static let mark = "!"
    private var entities = 0

    /// The row of an earlier run: a line for each device, with its id and `key:platform` of each entity.
    ///
    /// - Parameter kinds: the prefixes of ids; a line of another device is ignored, since no publisher would publish
    ///   it.
    init(_ row: String, kinds: [String]) {
        for line in row.split(separator: "\n").prefix(Self.capacity) {
            let words = line.split(separator: " ").map { String($0) }
            guard let object = words.first, StandingDocument.isKey(object), object.begins(withAnyOf: kinds) else {
                continue
            }
            if words.contains(Self.mark), !opened.contains(object) { opened.append(object) }
            for word in words.dropFirst().prefix(StandingDocument.capacity + 1) {
                let parts = word.split(separator: ":").map { String($0) }
                guard parts.count == 2, parts.allSatisfy(StandingDocument.isKey) else { continue }
                _ = bury(object, [parts[0]: parts[1]])
            }
        }
    }

    var row: String {
        let opened = Set(opened)
        return components.sorted { $0.key < $1.key }.map { object, components in
            let mark = opened.contains(object) ? [Self.mark] : []
            let words = components.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
            return ([object] + words + mark).joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Records Home Assistant's start, at which it doesn't know of their removal; returns true if there are any.
    mutating func open() -> Bool {
        opened = components.keys.sorted()
        return !opened.isEmpty
    }

    /// Records Home Assistant's end; returns true if any were open.
    mutating func close() -> Bool {
        defer { opened = [] }
        return !opened.isEmpty
    }

    func components(of object: String) -> [String: String]? { components[object] }

    /// Remembers entities of a device that were cleared; returns true if there were any, and room for them.
    mutating func bury(_ object: String, _ gone: [String: String]) -> Bool {
        let before = components[object] ?? [:]
        let all = before.merging(gone) { _, new in new }
        let added = all.count - before.count
        guard !gone.isEmpty, !before.isEmpty || components.count < Self.capacity,
            entities + added <= Self.entityCapacity
        else { return false }
        components[object] = all
        entities += added
        return true
    }

    /// Drops those that are retained again; returns true if there were any.
    mutating func recover(_ object: String, _ standing: [String: String]) -> Bool {
        guard let buried = components[object] else { return false }
        let left = buried.filter { standing[$0.key] == nil }
        entities -= buried.count - left.count
        components[object] = left.isEmpty ? nil : left
        if left.isEmpty { opened.removeAll { $0 == object } }
        return left.count != buried.count
    }

    mutating func forget(_ object: String) {
        entities -= components.removeValue(forKey: object)?.count ?? 0
        opened.removeAll { $0 == object }
    }
}
