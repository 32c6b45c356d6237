public import Configuration

/// A house of its own, as the file of sites names it.
public struct Site: Hashable, Sendable {
    /// The bounds on what is kept of a site; what is beyond is left out and counted.
    public struct Limit: Hashable, Sendable {
        /// The most items and persons, 1 to `itemBound`.
        public var items = 5000
        /// The most messages a second, 1 to 10,000. What the broker retains may come at once beside them.
        public var messagesPerSecond = 500

        /// The most items and persons of one site, and of all sites of a file together.
        public static let itemBound = 100_000

        /// The default bounds.
        public init() {}
    }

    /// Its id.
    public var id: String
    /// Its name for people; the id if it has none.
    public var name: String
    /// The connection to its broker.
    public var mqtt: MQTTSettings
    /// The first levels of its topics.
    public var topicPrefix = "whereabouts"
    /// The address of its own page, `http://…` or `https://…`; nil for none.
    public var page: String?
    /// The bounds on what is kept of it.
    public var limit = Limit()

    /// A site with the defaults of everything else.
    public init(id: String, mqtt: MQTTSettings) {
        self.id = id
        name = id
        self.mqtt = mqtt
    }
}
