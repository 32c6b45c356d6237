import Identity
import Support
import Testing

@Suite struct RecencyTableTests {
    /// The same in the plainest way: keys from the oldest to the newest.
    private struct Model {
        var capacity: Int
        var entries: [(key: Int, value: Int)] = []
        var evicted: UInt64 = 0

        mutating func touch(_ key: Int, _ change: (inout Int) -> Void) {
            var value = 0
            if let place = entries.firstIndex(where: { $0.key == key }) {
                value = entries.remove(at: place).value
            } else if entries.count == capacity {
                entries.removeFirst()
                evicted += 1
            }
            change(&value)
            entries.append((key, value))
        }
    }

    @Test("Evict the least recently touched entry first, through any history", arguments: [1, 2, 3, 7, 32])
    func againstModel(capacity: Int) {
        let seed = UInt64(capacity) &* 0x51ED
        var random = SeededGenerator(seed: seed)
        var table = RecencyTable<Int, Int>(capacity: capacity)
        var model = Model(capacity: capacity)
        for step in 0..<4_000 {
            let key = Int.random(in: 0..<capacity * 2 + 2, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                let divisor = Int.random(in: 2...5, using: &random)
                table.removeAll { key, _ in key % divisor == 0 }
                model.entries.removeAll { $0.key % divisor == 0 }
            case 1:
                table.forEachValue { $1 += 1 }
                for place in model.entries.indices { model.entries[place].value += 1 }
            case 2:
                let found = table.withValue(ifPresent: key) { value in
                    value -= 1
                    return value
                }
                let place = model.entries.firstIndex { $0.key == key }
                if let place { model.entries[place].value -= 1 }
                #expect(found == place.map { model.entries[$0].value })
            default:
                table.withValue(forKey: key, initial: { 0 }) { $0 += step }
                model.touch(key) { $0 += step }
            }
            #expect(table.count == model.entries.count && table.evicted == model.evicted, "seed \(seed), step \(step)")
            for key in 0..<capacity * 2 + 2 {
                let expected = model.entries.first { $0.key == key }?.value
                guard table[key] == expected else {
                    Issue.record("key \(key) at step \(step), seed \(seed)")
                    return
                }
            }
        }
    }

    @Test("Bound the room for a flood of strangers")
    func bound() {
        var table = RecencyTable<Int, Int>(capacity: 100)
        for key in 0..<100_000 {
            table.withValue(forKey: key, initial: { key }) { _ in }
            if key >= 99 { #expect(table.count == 100) }
        }
        #expect(table.evicted == 99_900)
        #expect(table[99_900] == 99_900 && table[99_899] == nil)
    }
}
