/// An order's words: those in order, and those of the form `key=value`.
struct Order {
    let verb: String
    private let plain: [Substring]
    private let named: [Substring: Substring]

    init(verb: Substring, words: some Sequence<Substring>) throws(SystemFault) {
        self.verb = String(verb)
        var plain: [Substring] = []
        var named: [Substring: Substring] = [:]
        for word in words {
            if let sign = word.firstIndex(of: "=") {
                named[word[..<sign]] = word[word.index(after: sign)...]
            } else {
                plain.append(word)
            }
        }
        (self.plain, self.named) = (plain, named)
    }

    func text(_ key: String) -> String? { named[key[...]].map(String.init) }

    func has(_ word: String) -> Bool { plain.contains(word[...]) }

    /// The word at a place, that must be there and be a number.
    func number<Value: LosslessStringConvertible>(_ place: Int, _ what: String) throws(SystemFault) -> Value {
        guard plain.indices.contains(place), let value = Value(String(plain[place])) else {
            throw SystemFault("\(verb): \(what) is missing or no number that fits")
        }
        return value
    }

    /// A named number, or what it is where it isn't named.
    func number<Value: LosslessStringConvertible>(_ key: String, or usual: Value) throws(SystemFault) -> Value {
        guard let word = named[key[...]] else { return usual }
        guard let value = Value(String(word)) else {
            throw SystemFault("\(verb): \(key)=\(word) is no number that fits")
        }
        return value
    }

    /// The beacon at a place: nil for `all`.
    func beacon(_ place: Int) throws(SystemFault) -> Int? {
        if plain.indices.contains(place), plain[place] == "all" { return nil }
        return try number(place, "a beacon's number, or 'all',") as Int
    }

    /// The word at a place as it stands.
    func word(_ place: Int, _ what: String) throws(SystemFault) -> Substring {
        guard plain.indices.contains(place) else { throw SystemFault("\(verb): \(what) is missing") }
        return plain[place]
    }
}
