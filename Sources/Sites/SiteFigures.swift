public import Bytes

/// The figures of a site, as the tool prints them and the page shows them.
public struct SiteFigures: Hashable, Sendable {
    /// The state of the connection, and of what comes over it.
    public enum Status: String, Hashable, Sendable {
        /// Messages arrive.
        case online
        /// The broker answers, and nothing of the house arrives.
        case silent
        /// No connection, or no right to read.
        case unreachable
        /// The first answer of the broker is awaited.
        case connecting
    }

    /// The counts of what was left out. Messages are counted since the start of the program.
    public struct LeftOut: Hashable, Sendable {
        /// Items, nodes and fusers beyond the limits, of this connection; 10,000 at most are counted.
        public var items = 0
        /// Names that are too long, or have control characters: the ids are shown in place of them.
        public var names = 0
        /// Messages beyond the rate, or beyond what can wait.
        public var messages = 0
        /// Messages that could not be read.
        public var unreadable = 0
    }

    /// The state of the site.
    public var status = Status.connecting
    /// The time since which it has that state.
    public var since: Timestamp
    /// The reason why it is unreachable.
    public var problem: String?
    /// The fusers that are online, and all that are known; likewise nodes.
    public var fusersOnline = 0, fusers = 0
    public var nodesOnline = 0, nodes = 0
    /// The items that are present or quiet, and those that are away; the rest is unknown. Likewise persons.
    public var items = 0, itemsPresent = 0, itemsAway = 0
    public var persons = 0, personsPresent = 0, personsAway = 0
    /// The alerts that stand open.
    public var alerts = 0
    /// The time of the last message; nil before the first. Of retained ones it is that of their content.
    public var lastMessage: Timestamp?
    /// The counts of what was left out.
    public var leftOut = LeftOut()

    /// Figures of a site of which nothing is known yet.
    public init(since: Timestamp) {
        self.since = since
    }

    /// Writes the object of a site.
    public func write(_ site: Site, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", site.id)
        json.field("name", site.name)
        json.field("page", site.page)
        json.field("status", status.rawValue)
        json.field("since", since)
        json.field("problem", problem)
        json.field("fusers_online", fusersOnline)
        json.field("fusers", fusers)
        json.field("nodes_online", nodesOnline)
        json.field("nodes", nodes)
        json.field("items", items)
        json.field("items_present", itemsPresent)
        json.field("items_away", itemsAway)
        json.field("persons", persons)
        json.field("persons_present", personsPresent)
        json.field("persons_away", personsAway)
        json.field("alerts", alerts)
        json.field("last_message", lastMessage)
        json.beginObject("left_out")
        json.field("items", leftOut.items)
        json.field("names", leftOut.names)
        json.field("messages", leftOut.messages)
        json.field("unreadable", leftOut.unreadable)
        json.endObject()
        json.endObject()
    }
}
