internal import WireProtocol

/// The topics that a stream follows: MQTT filters on topics without their prefix.
public struct TopicSelection: Hashable, Sendable {
    /// The most filters of one stream.
    public static let bound = 32
    /// The most bytes of a filter.
    static let filterBytes = 200
    static let levels = "levels/", enrolment = "enrolment/", reception = "reception"

    /// The filters; nil for all topics but those that are made on demand.
    private let filters: [String]?

    /// All topics but levels, reception and tags near nodes, which are made on demand.
    public static let standard = TopicSelection(filters: nil)

    private init(filters: [String]?) {
        self.filters = filters
    }

    /// Reads filters with commas between them; nil if one is malformed, or there are too many.
    public init?(_ text: String) {
        let filters = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard filters.count <= Self.bound,
            filters.allSatisfy({ $0.utf8.count <= Self.filterBytes && TopicFilter.isValid($0) })
        else { return nil }
        self.filters = filters
    }

    /// True if a topic is followed.
    func includes(_ topic: String) -> Bool {
        guard let filters else {
            return topic != Self.reception && !topic.utf8.starts(with: Self.levels.utf8)
                && !topic.utf8.starts(with: Self.enrolment.utf8)
        }
        return filters.contains { TopicFilter.matches($0, topic) }
    }

    /// True if the reception of the house is asked for by its name.
    var asksForReception: Bool { filters?.contains(Self.reception) ?? false }

    /// The items whose levels are asked for by their ids. Wildcards ask for none: levels are made for single items.
    var itemsOfLevels: [String] {
        (filters ?? []).compactMap { filter in
            guard filter.utf8.starts(with: Self.levels.utf8) else { return nil }
            let item = String(filter.dropFirst(Self.levels.count))
            return Identifier.isValid(item) ? item : nil
        }
    }
}
