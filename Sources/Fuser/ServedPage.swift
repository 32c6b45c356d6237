internal import Alerts
internal import BrokerSession
internal import Bytes
internal import Configuration
internal import HouseTracking
internal import Sites
internal import System
internal import WebInterface
internal import WireProtocol

/// A fuser's page, as its loop sees it: what comes from the broker goes to the board.
struct ServedPage {
    let page: Page
    private var feed: BoardFeed
    /// The house as the configuration describes it.
    private var house: PageHouse
    /// The plan that is shown.
    private var shown: HousePlan?
    /// The silences that the board shows, and the end of the first of them.
    private var silences: [Crossing.Subject: Timestamp]?
    private var firstEnd: Timestamp?
    /// The time between two values of the reception.
    private static let receptionPause: Duration = .seconds(2)
    private var nextReception = MonotonicTime.start
    /// The findings about the fuser's configuration.
    private(set) var configurationFindings: [Finding]
    /// The file of the fuser's state, and what was found of its disk last.
    private let state: String?
    /// The fuser's version.
    private let version: String
    private var disk: (finding: Finding, until: MonotonicTime)?
    /// The time for which that holds: each look writes a file.
    private static let diskPause: Duration = .seconds(60)

    /// Starts the page of a configuration.
    ///
    /// - Parameters:
    ///   - version: the fuser's version.
    ///   - ended: the stored sessions that ended early.
    ///   - sites: the other sites that it shows; nil for none.
    init(
        _ settings: PageSettings, of configuration: FuserConfiguration, version: String, topics: Topics,
        ended: [EndedSessionChange], sites: SitesWatch?, wakeUp: WakeUp
    ) throws(PageError) {
        page = try Page(settings, ended: ended, sites: sites.map(ShownSites.init), wake: wakeUp.signal)
        feed = BoardFeed(page.board, page.plans, topics: topics, fuser: configuration.name)
        house = PageHouse(configuration, version: version)
        configurationFindings = Self.findings(of: configuration)
        state = configuration.state
        self.version = version
        feed.set(house: house)
        page.plans.set(nil, house)
    }

    private static func findings(of configuration: FuserConfiguration) -> [Finding] {
        ProgramChecks.configurationFindings(
            "the configuration is right", configuration.warnings, configuration.withoutEffect)
    }

    /// Applies what a configuration has at run time: the house, and the tokens. Other tokens end all sessions.
    mutating func use(_ configuration: FuserConfiguration, instead old: FuserConfiguration) {
        house = PageHouse(configuration, version: version)
        configurationFindings = Self.findings(of: configuration)
        let drawn = shown.map { house.drawn(by: $0) } ?? house
        page.plans.set(shown, drawn)
        feed.set(house: drawn)
        if let tokens = configuration.web?.tokens, tokens != old.web?.tokens { page.use(tokens) }
    }

    /// The address, for the log.
    var address: String { page.address }

    mutating func connected() { feed.connected() }
    mutating func subscribed(at now: MonotonicTime) { feed.subscribed(at: now) }
    mutating func disconnected() { feed.disconnected() }
    mutating func receive(_ message: Message) { feed.receive(message) }

    /// The reason for which a plan is too large beside the configuration; nil if it is not.
    func excess(of plan: HousePlan) -> String? { house.excess(of: plan) }

    /// Shows the plan that is in force.
    mutating func show(_ plan: HousePlan?) {
        guard let plan, plan.isNewer(than: shown) else { return }
        shown = plan
        let drawn = house.drawn(by: plan)
        page.plans.set(plan, drawn)
        feed.set(house: drawn)
    }

    /// Shows what a node tells of the tags near it.
    mutating func show(enrolment value: [UInt8]?, of node: String) { feed.set(enrolment: value, of: node) }

    /// Shows the items whose alerts are silenced at a time of the house.
    mutating func show(silences: [Crossing.Subject: Timestamp], at time: Timestamp) {
        // Unchanged ones share their storage, and so compare at once.
        guard silences != self.silences || firstEnd.map({ time >= $0 }) ?? false else { return }
        self.silences = silences
        let lasting = silences.filter { $0.value > time }
        firstEnd = lasting.values.min()
        feed.set(
            silences: lasting.compactMap { subject, end in
                switch subject {
                case .item(let item): (item, end)
                case .region: nil
                }
            })
    }

    /// Examines the disk of the fuser's state, once a minute at most.
    mutating func examineDisk(at now: MonotonicTime) -> Finding {
        if let disk, now < disk.until { return disk.finding }
        let finding = DiskCheck.run(state: state)
        disk = (finding, now + Self.diskPause)
        return finding
    }

    /// Shows the reception of the house now and then, while somebody follows it.
    mutating func show(reception report: () -> ReceptionReport, at now: MonotonicTime) {
        guard page.board.isReceptionFollowed, now >= nextReception else { return }
        nextReception = now + Self.receptionPause
        feed.set(reception: report().json)
    }

    /// Lets viewers see what has changed since the last call.
    mutating func showChanges(at now: MonotonicTime) {
        feed.advance(to: now)
        if feed.takeChanged() { page.showChanges() }
    }

    func stop() { page.stop() }
}

/// The sites that are followed, for the page.
private struct ShownSites: SitesDirectory {
    let watch: SitesWatch

    var overview: [UInt8] { watch.overview }
    func search(_ text: String) -> [UInt8]? { watch.search(text) }
}

extension ReceptionReport {
    /// The value of the page's topic `reception`.
    fileprivate var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("since", since)
        json.beginObject("nodes")
        var node: String?
        for level in levels {
            if level.node != node {
                if node != nil { json.endObject() }
                json.beginObject(level.node)
                node = level.node
            }
            json.beginArray(level.room)
            json.value(level.dBm, decimals: 1)
            json.value(level.windows)
            json.endArray()
        }
        if node != nil { json.endObject() }
        json.endObject()
        json.beginObject("rooms")
        for room in packets {
            json.beginObject(room.room)
            json.field("received", room.received, decimals: 1)
            json.field("expected", room.expected, decimals: 1)
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

extension PageHouse {
    /// The house of a fuser's configuration.
    fileprivate init(_ configuration: FuserConfiguration, version: String) {
        self.init(
            fuser: configuration.name, version: version,
            rooms: configuration.rooms.map { room in
                Room(
                    id: room.id, name: room.name, floor: room.floor,
                    polygon: room.polygon.map { HousePlan.Corner(x: $0.x, y: $0.y) }, nextTo: room.nextTo)
            },
            nodes: configuration.nodes.map { node in
                Node(
                    id: node.id, room: node.room,
                    place: node.position.map { Place(x: $0.x, y: $0.y, z: $0.z) })
            },
            persons: configuration.persons.map { Person(id: $0.id, name: $0.name, items: $0.items) })
        rules = configuration.alerts.map(PageRule.init)
        hasSites = configuration.web?.sites != nil
    }
}

extension PageRule {
    /// A rule of a fuser's configuration.
    init(_ rule: AlertRule) {
        self.init(id: rule.id, kind: rule.kind.rawValue, item: rule.item, grace: rule.grace)
        (companions, rooms, volts) = (rule.companions, rule.rooms, rule.limit.map { Double($0) / 1000 })
        (interval, atMost) = (rule.interval, rule.atMost)
        hours = rule.hours.map { Hours(from: $0.from, to: $0.to) }
    }
}
