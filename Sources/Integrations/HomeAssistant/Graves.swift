/// Devices and entities that were cleared at the broker while Home Assistant may have been off: it would keep them for ever,
/// since it hears of what is cleared only while it listens. When it starts they are shown to it once more, and taken away.
struct Graves: Sendable {
    /// Devices that are remembered at most; of those beyond, what Home Assistant missed is left to its user.
    static let capacity = 1000
    /// … and entities of theirs.
    static let entityCapacity = 20_000

    private var components: [String: [String: String]] = [:]
    /// Those of before Home Assistant's start, in order: it is to be shown them.
    private(set) var opened: [String] = []
    /// Stands in the lines of those that are opened: what was shown must be taken away, also by a later run.
    private static let mark = "!"
    private var entities = 0

    /// What an earlier run kept: a line for each device, and on it its id and `key:platform` of each entity.
    ///
    /// - Parameter kinds: what ids begin with; a line of another device is left aside, since nobody would show it.
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

    /// Home Assistant has started, and so knows of none of them that it is gone; whether there are any.
    mutating func open() -> Bool {
        opened = components.keys.sorted()
        return !opened.isEmpty
    }

    /// Home Assistant has ended; whether any were open.
    mutating func close() -> Bool {
        defer { opened = [] }
        return !opened.isEmpty
    }

    func components(of object: String) -> [String: String]? { components[object] }

    /// Remembers entities of a device that were cleared; whether there was anything to remember, and room for it.
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

    /// Forgets those that stand again; whether there were any.
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
