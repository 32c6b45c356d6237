/// A set of beacons that a node watches, with a state inside, outside or unknown.
public struct Region: Hashable, Sendable {
    /// The members of a region.
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
    /// The members.
    public var members: Members
    /// The silence after which it is left; nil if that is learned.
    public var exitAfter: Duration?
    /// A Boolean value that is true if arrivals are published as events (Core Location's `notifyOnEntry`). The state is
    /// tracked in either case.
    public var notifyOnEntry = true
    /// A Boolean value that is true if departures are published as events (Core Location's `notifyOnExit`). The state
    /// is tracked in either case.
    public var notifyOnExit = true

    /// A region by its id and members, with events for arrivals and departures.
    public init(id: String, name: String? = nil, members: Members, exitAfter: Duration? = nil) {
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

    /// The address, or its prefix, such as `https://example.com/`.
    public var text: String
    /// A Boolean value that is true if longer addresses with this prefix belong to it.
    public var isPrefix: Bool

    /// One address, or all that begin with it.
    public init(_ text: String, isPrefix: Bool = false) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Returns true if an address belongs to it.
    public func contains(_ url: String) -> Bool {
        isPrefix ? url.utf8.starts(with: text.utf8) : url.utf8.elementsEqual(text.utf8)
    }
}

extension Region.Members {
    /// One text for each set: a stored state is valid only for the same members.
    public var text: String {
        switch self {
        case .beacons(let pattern): pattern.text
        case .item(let id): "item:\(id)"
        case .tag(let tag): "tag:\(tag)"
        case .url(let pattern): "url\(pattern.isPrefix ? "-prefix" : ""):\(pattern.text)"
        }
    }
}
