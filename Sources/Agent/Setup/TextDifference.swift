/// The difference of two texts, line by line.
enum TextDifference {
    /// The most pairs of lines that are compared; beyond it the whole part that differs counts as changed.
    private static let bound = 4_000_000

    /// The lines that go, each behind `- `, and those that come, each behind `+ `.
    static func lines(from old: [String], to new: [String]) -> [String] {
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let (old, new) = (Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
        guard old.count * new.count <= bound else { return old.map { "- " + $0 } + new.map { "+ " + $0 } }
        // The length of the longest common part of what follows each pair of lines.
        var common = [[Int]](repeating: [Int](repeating: 0, count: new.count + 1), count: old.count + 1)
        for i in old.indices.reversed() {
            for j in new.indices.reversed() {
                common[i][j] = old[i] == new[j] ? common[i + 1][j + 1] + 1 : max(common[i + 1][j], common[i][j + 1])
            }
        }
        var (i, j) = (0, 0)
        var lines: [String] = []
        while i < old.count || j < new.count {
            if i < old.count, j < new.count, old[i] == new[j] {
                (i, j) = (i + 1, j + 1)
            } else if i < old.count, j == new.count || common[i + 1][j] >= common[i][j + 1] {
                lines.append("- " + old[i])
                i += 1
            } else {
                lines.append("+ " + new[j])
                j += 1
            }
        }
        return lines
    }
}
