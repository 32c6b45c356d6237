/// What a node watches: a set of beacons, with a state inside, outside or unknown.
public struct Region: Hashable, Sendable {
    /// What lies inside it.
    public enum Members: Hashable, Sendable {
        /// Beacons by their identities.
        case beacons(BeaconPattern)
        /// One registered item, by its id.
        case item(String)
        /// All registered items that carry a tag.
        case tag(String)
        /// Transmitters of an Eddystone-URL.
        case url(URLPattern)
    }

    /// Its id.
    public var id: String
    /// Its name for people.
    public var name: String?
    /// What lies inside it.
    public var members: Members
    /// Microseconds of silence after which it is left; nil where that is learned.
    public var exitAfter: Int64?
    /// Whether arrivals are told as events (Core Location's `notifyOnEntry`). Its state is kept either way.
    public var notifyOnEntry = true
    /// Whether departures are told as events (Core Location's `notifyOnExit`). Its state is kept either way.
    public var notifyOnExit = true

    /// A region by its id and members, which tells both ways.
    public init(id: String, name: String? = nil, members: Members, exitAfter: Int64? = nil) {
        self.id = id
        self.name = name
        self.members = members
        self.exitAfter = exitAfter
    }
}

/// A set of web addresses, compared byte by byte: one, or all that begin alike.
public struct URLPattern: Hashable, Sendable {
    /// The longest address that an Eddystone-URL frame can hold: a scheme of 12 bytes and 17 expansions of 6.
    public static let maximumLength = 114

    /// The address, or what it begins with, such as `https://example.com/`.
    public var text: String
    /// Whether longer addresses that begin so belong to it.
    public var isPrefix: Bool

    /// One address, or all that begin with it.
    public init(_ text: String, isPrefix: Bool = false) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Whether an address belongs to it.
    public func contains(_ url: String) -> Bool {
        isPrefix ? url.utf8.starts(with: text.utf8) : url.utf8.elementsEqual(text.utf8)
    }
}

extension Region.Members {
    /// One text for each set: a stored state counts only for the members that it was of.
    public var text: String {
        switch self {
        case .beacons(let pattern): pattern.text
        case .item(let id): "item:\(id)"
        case .tag(let tag): "tag:\(tag)"
        case .url(let pattern): "url\(pattern.isPrefix ? "-prefix" : ""):\(pattern.text)"
        }
    }
}
