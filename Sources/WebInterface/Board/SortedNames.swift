internal import Bytes

/// Names in the order of their bytes, to be listed in pages.
struct SortedNames: Hashable, Sendable {
    private var names: [String] = []

    var count: Int { names.count }

    mutating func insert(_ name: String) {
        let index = firstIndex(notBefore: name)
        if index < names.count, names[index] == name { return }
        names.insert(name, at: index)
    }

    mutating func remove(_ name: String) {
        let index = firstIndex(notBefore: name)
        if index < names.count, names[index] == name { names.remove(at: index) }
    }

    /// The names behind one, `limit` at most.
    func page(after name: String?, limit: Int) -> ArraySlice<String> {
        var start = name.map(firstIndex(notBefore:)) ?? 0
        if start < names.count, names[start] == name { start += 1 }
        return names[start...].prefix(limit)
    }

    private func firstIndex(notBefore name: String) -> Int { names.partitionPoint(where: { $0 < name }) }
}
