/// Regions by web address: one hash look-up for each length of prefix that any region has.
struct URLIndex: Sendable {
    private var exact: [String: [Int32]] = [:]
    private var prefixes: [String: [Int32]] = [:]
    /// The different lengths of `prefixes` in bytes, the shortest first.
    private var lengths: [Int] = []

    mutating func insert(_ pattern: URLPattern, _ place: Int32) {
        // A frame can't hold a longer one.
        guard pattern.text.utf8.count <= URLPattern.maximumLength else { return }
        if pattern.isPrefix {
            prefixes[pattern.text, default: []].append(place)
            let length = pattern.text.utf8.count
            if !lengths.contains(length) {
                lengths.append(length)
                lengths.sort()
            }
        } else {
            exact[pattern.text, default: []].append(place)
        }
    }

    /// `url` is ASCII, as Eddystone's are, so that every byte is an end of a prefix.
    func forEachRegion(of url: String, _ body: (Int32) -> Void) {
        for place in exact[url] ?? [] { body(place) }
        for length in lengths {
            guard let end = url.utf8.index(url.startIndex, offsetBy: length, limitedBy: url.endIndex) else { return }
            for place in prefixes[String(url[..<end])] ?? [] { body(place) }
        }
    }
}
