/// A subscription that a broker denies, as a publisher's problems name it.
public struct SubscriptionDenial: Hashable, Sendable {
    /// The maximum number of denials that are named; further ones are counted.
    public static let namedLimit = 4
    private static let opening = "the broker denies the subscription "

    /// The topic filter.
    public var filter: String
    /// The broker's reason, as text.
    public var reason: String

    /// A denial with the broker's reason.
    public init(filter: String, reason: String) {
        (self.filter, self.reason) = (filter, reason)
    }

    /// The denial, with its remedy.
    public var sentence: String {
        "\(Self.opening)\(filter): \(reason); it is requested again at least every minute: if that doesn't help, let the "
            + "broker's access list and limits grant it"
    }

    /// A sentence for each of the first denials, and one with the number of further ones.
    public static func sentences(_ denials: [SubscriptionDenial]) -> [String] {
        let rest = denials.count - namedLimit
        return denials.prefix(namedLimit).map(\.sentence)
            + (rest > 0 ? ["\(opening)of \(rest) more topic filters"] : [])
    }

    /// Returns true for a sentence made by `sentences`.
    public static func isSentence(_ problem: String) -> Bool { problem.utf8.starts(with: opening.utf8) }
}
