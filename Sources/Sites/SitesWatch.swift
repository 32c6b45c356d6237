internal import Bytes
internal import Glibc
internal import Synchronization
public import System

/// The sites of a fuser's page, followed on a background thread.
///
/// The fuser's loop has no part in it. That thread shows once a second what it knows of each site, and the page's thread takes
/// it from there; neither waits for the other.
public final class SitesWatch: Sendable {
    /// A site, and what is shown of it.
    private final class WatchedSite: Sendable {
        let site: Site
        private let shown: Mutex<SiteState>

        init(_ site: Site) {
            self.site = site
            shown = Mutex(SiteState(site, at: WallClock.now()))
        }

        var state: SiteState {
            get { shown.withLock { $0 } }
            set { shown.withLock { $0 = newValue } }
        }
    }

    /// The most items that a search finds.
    public static let foundBound = 50
    /// The time between two states that are shown.
    private static let pause: Duration = .seconds(1)

    private let sites: [WatchedSite]
    private let name: String
    /// Errors alone: the page shows the problems of a site.
    private let log = Log(level: .error, style: .plain)

    /// Begins to follow the sites. Throws if the process may not have another thread.
    ///
    /// - Parameter name: the beginning of the client ids.
    public init(_ sites: [Site], name: String) throws(SystemError) {
        self.sites = sites.map(WatchedSite.init)
        self.name = name
        try BackgroundThread.start { [self] in run() }
    }

    private func run() {
        var states = sites.map(\.state)
        var connections: [SiteConnection?] = sites.map { _ in nil }
        var nextShow = MonotonicClock.now()
        while true {
            let (now, time) = (MonotonicClock.now(), WallClock.now())
            for index in sites.indices {
                if connections[index] == nil { connections[index] = connect(sites[index].site, &states[index]) }
                connections[index]?.receive(into: &states[index], at: now, time)
            }
            if now >= nextShow {
                nextShow = now + Self.pause
                for (watched, state) in zip(sites, states) { watched.state = state }
            }
            wait(for: connections.compactMap { $0?.descriptor }, until: nextShow)
        }
    }

    private func connect(_ site: Site, _ state: inout SiteState) -> SiteConnection? {
        do {
            return try SiteConnection(site, state, name: "\(name)-\(site.id)", log: log)
        } catch {
            state.lost("\(error)", at: WallClock.now())
            return nil
        }
    }

    private func wait(for descriptors: [Int32], until deadline: MonotonicTime) {
        let left = max(.zero, deadline - MonotonicClock.now()) / .milliseconds(1)
        var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&waiting, nfds_t(waiting.count), Int32(left.rounded(.up)))
    }

    /// The figures of all sites: `{"sites":[…]}`, in the order of the file.
    public var overview: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("at", WallClock.now())
        json.beginArray("sites")
        for watched in sites { watched.state.figures.write(watched.site, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// The items and persons of all sites that have these words, and the names of the sites that were not wholly
    /// searched: `{"items":[…],"more":false,"incomplete":[]}`; nil without a word.
    public func search(_ text: String) -> [UInt8]? {
        guard let words = SearchWords(text) else { return nil }
        return Self.answer(words, in: sites.map { ($0.site, $0.state) })
    }

    /// The answer to a search over these states.
    static func answer(_ words: SearchWords, in states: [(site: Site, state: SiteState)]) -> [UInt8] {
        let found = find(words, in: states)
        var json = JSONWriter()
        json.beginObject()
        json.beginArray("items")
        for (site, item) in found.items { item.write(of: site, to: &json) }
        json.endArray()
        json.field("more", found.hasMore)
        json.beginArray("incomplete")
        for (site, state) in states where !state.isWhole { json.value(site.name) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// The items that a search finds: the first of each site before the second of any, so that a site with many leaves room
    /// for the others. In the order of the file, at most `foundBound` of them.
    static func find(
        _ words: SearchWords, in states: [(site: Site, state: SiteState)]
    ) -> (items: [(site: Site, item: FoundItem)], hasMore: Bool) {
        let lists = states.map { $0.state.find(words, bound: foundBound + 1) }
        let count = lists.reduce(0) { $0 + $1.count }
        var taken = lists.map { _ in 0 }
        var left = min(count, foundBound)
        while left > 0 {
            for index in lists.indices where left > 0 && taken[index] < lists[index].count {
                taken[index] += 1
                left -= 1
            }
        }
        let items = states.indices.flatMap { index in
            lists[index].prefix(taken[index]).map { (states[index].site, $0) }
        }
        return (items, count > foundBound)
    }
}
