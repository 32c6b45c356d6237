/// Suggestions for misspelt words.
public enum Spelling {
    /// The question that ends a message about an unknown word, such as `; did you mean 'add'?`; empty if no word is
    /// near.
    ///
    /// - Parameter quotes: the quotes around the word; none for options, which are recognizable by their hyphens.
    public static func question(
        _ word: String, among known: some Sequence<String>, quotes: String = "'"
    ) -> String {
        nearest(to: word, among: known).map { "; did you mean \(quotes)\($0)\(quotes)?" } ?? ""
    }

    /// The question; without a near word the list of all known words.
    public static func questionOrList(_ word: String, among known: [String]) -> String {
        let question = question(word, among: known)
        return question.isEmpty ? "; known are \(known.joined(separator: ", "))" : question
    }

    /// The word with the fewest slips from `word`; nil if none is near enough.
    ///
    /// A slip is a letter too many, too few, wrong, or swapped with its neighbour (Damerau–Levenshtein, restricted).
    /// Near is up to a third of the longer word's letters, at least one. Words of over 64 bytes are never near.
    public static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        var best: (word: String, distance: Int)?
        for candidate in known {
            let longer = max(word.utf8.count, candidate.utf8.count)
            guard longer <= 64 else { continue }
            let distance = distance(word, candidate)
            guard distance <= max(1, longer / 3), distance < longer else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// The number of slips between two words. Upper and lower case are equal.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased().utf8)
        let right = Array(right.lowercased().utf8)
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(last[column + 1] + 1, current[column] + 1, replaced)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
