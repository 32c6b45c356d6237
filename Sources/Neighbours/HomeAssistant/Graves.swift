/// Devices and entities that were cleared at the broker while Home Assistant may have been off: it would keep them for ever,
/// since it hears of what is cleared only while it listens. When it starts they are shown to it once more, and taken away.
struct Graves: Sendable {
    /// Devices that are remembered at most; of those beyond, what Home Assistant missed is left to its user.
    static let capacity = 1000

    private var components: [String: [String: String]] = [:]
    /// Those of before Home Assistant's start, in order: it is to be shown them.
    private(set) var opened: [String] = []
    /// Stands in the lines of those that are opened: what was shown must be taken away, also by a later run.
    private static let mark = "!"

    /// What an earlier run kept: a line for each device, and on it its id and `key:platform` of each entity.
    init(_ row: String) {
        for line in row.split(separator: "\n").prefix(Self.capacity) {
            let words = line.split(separator: " ").map { String($0) }
            guard let object = words.first, StandingDocument.isKey(object) else { continue }
            if words.contains(Self.mark), !opened.contains(object) { opened.append(object) }
            for word in words.dropFirst().prefix(StandingDocument.capacity + 1) {
                let parts = word.split(separator: ":").map { String($0) }
                guard parts.count == 2, parts.allSatisfy(StandingDocument.isKey) else { continue }
                components[object, default: [:]][parts[0]] = parts[1]
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
        guard !gone.isEmpty, components[object] != nil || components.count < Self.capacity else { return false }
        components[object, default: [:]].merge(gone) { _, new in new }
        return true
    }

    /// Forgets those that stand again; whether there were any.
    mutating func recover(_ object: String, _ standing: [String: String]) -> Bool {
        guard let buried = components[object] else { return false }
        let left = buried.filter { standing[$0.key] == nil }
        if left.isEmpty { forget(object) } else { components[object] = left }
        return left.count != buried.count
    }

    mutating func forget(_ object: String) {
        components[object] = nil
        opened.removeAll { $0 == object }
    }
}
