internal import Bytes
internal import CloneDetection
internal import Configuration
internal import HouseTracking
internal import Identity
internal import Metrics
internal import RoomEstimation
internal import WireProtocol

/// The items of the house: what nodes observe of them, and the rooms that follow.
final class Tracking: FuserComponent, ItemTracker {
    /// Messages that come late or twice now and then are a network's; so many are warned of.
    static let tolerated: UInt64 = 100
    /// Lessons named in one warning.
    private static let named = 5

    private var household: Household
    /// False while a subscription that answers rest on is not granted: what nodes heard may not arrive, and the silence of
    /// items means nothing.
    var isComplete = true

    init(_ household: Household) { self.household = household }

    // MARK: Messages

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .nodeStatus(let node, let isOnline, let isRemoved):
            // One that has gone says so: only one that is gone for good says nothing any more.
            if isRemoved { household.removeNode(node) } else { household.receive(isOnline: isOnline, of: node) }
        case .nodeRemoved(let node):
            household.removeNode(node)
            turn.emit { $0.nodeRemoved(node, turn) }
        case .nodeInfo(let info, let node, let isRetained):
            // A retained one may be of a node that is gone: its clock is no clock to live by.
            guard isRetained || isHouseClock(info.clock, of: node, turn) else { return }
            turn.emit { $0.nodePlaced(node, in: info.room, area: info.area, turn) }
            household.receive(info, of: node)
            turn.diagnostics.noteKnownNode(node)
        case .scan(let scan, let node): receive(scan, of: node, turn)
        case .window(let window, let beacon): receive(window, of: beacon, turn)
        case .location(.other(let location), let item, _):
            guard !location.isPerson, !turn.persons.isPerson(item) else { return }
            publishOutcomes(turn) { household, body in
                household.receivePeerAnswer(location, of: item, at: turn.time, body)
            }
            if !turn.serves(item) { turn.publication.record(confidence: location.confidence, of: item) }
        case .itemEvent(let event, let item):
            guard event.fuser != turn.identity.name, !turn.persons.isPerson(item),
                !turn.persons.isUnnamed(item, turn)
            else { return }
            publishOutcomes(turn) { household, body in
                household.receivePeerEvent(event, of: item, at: turn.time, body)
            }
        case .location, .nodeEvent, .commandResult, .entry, .alerts, .room, .telemetry, .battery, .occupancy, .lesson,
            .plan,
            .external:
            break
        }
    }

    private func receive(_ scan: Scan, of node: String, _ turn: Turn) {
        guard isHouseClock(scan.clock, of: node, turn) else { return }
        var scan = scan
        turn.clock.recordEnd(scan.to)
        judgeClock(of: node, scan, turn)
        judgePlace(of: node, turn)
        (scan.from, scan.to) = turn.clock.corrected(scan.from, scan.to, of: node)
        household.receive(scan, of: node, at: turn.time, isComplete: isComplete)
    }

    private func receive(_ window: Window, of beacon: String, _ turn: Turn) {
        // A node that still publishes a removed item does not know yet.
        guard !turn.items.isWithdrawn(beacon), !turn.persons.isPerson(beacon) else { return }
        var window = window
        if turn.clock.isFollowed(by: window.node) { turn.clock.recordEnd(window.to) }
        (window.from, window.to) = turn.clock.corrected(window.from, window.to, of: window.node)
        let isRegistered = turn.items.isRegistered(beacon)
        let use = household.receive(
            window, at: turn.time, isClockKnown: turn.clock.isKnown, isRegistered: isRegistered)
        guard use != .refused else { return judgePlace(of: window.node, turn) }
        if use == .counted { emitReadings(of: window, turn) }
        turn.emit { $0.windowAccepted(window, of: beacon, isRegistered: isRegistered, turn) }
    }

    private func emitReadings(of window: Window, _ turn: Turn) {
        guard let item = window.item, let readings = window.telemetry, !readings.isEmpty else { return }
        turn.emit { $0.readingsReceived(readings, in: window, of: item, turn) }
    }

    /// True if a node's clock is the house's.
    private func isHouseClock(_ clock: NodeClock?, of node: String, _ turn: Turn) -> Bool {
        switch turn.clock.checkClock(clock, of: node, atWall: turn.wall) {
        case .same: return true
        case .other:
            turn.diagnostics.countRejected()
            turn.diagnostics.warn(node, "node \(node) lives on another clock than the others: what it says is left out")
            return false
        case .startedAnew:
            publishOutcomes(turn) { household, body in household.startAnew(at: turn.time, body) }
            return true
        }
    }

    /// Tells a node by how much its clock is wrong, and the operator; from then on the arrival of its intervals counts.
    private func judgeClock(of node: String, _ scan: Scan, _ turn: Turn) {
        guard let lag = turn.clock.checkInterval(scan, of: node, atWall: turn.wall) else { return }
        let command = NodeCommand(id: nil, action: .clock(offset: lag))
        turn.publication.sendMessage(
            Message(topic: turn.identity.topics.nodeCommand(node), payload: command.payload, qos: .atLeastOnce))
        guard lag != .zero else { return }
        let seconds = (lag.magnitude + .milliseconds(500)).components.seconds
        turn.diagnostics.warn(
            node,
            """
            node \(node) is \(seconds) s \(lag > .zero ? "behind" : "ahead"): its messages are dated by their arrival; is \
            its clock set (NTP)?
            """)
    }

    /// Names a node that publishes and has no `info`: its room is unknown.
    private func judgePlace(of node: String, _ turn: Turn) {
        if !household.knowsRoom(of: node) { turn.diagnostics.noteUnknownNode(node, at: turn.wall) }
    }

    // MARK: Facts

    func externalWindowReceived(_ window: Window, _ turn: Turn) {
        if household.receiveExternal(window, at: turn.time) { emitReadings(of: window, turn) }
    }

    func entryChanged(of item: String, _ turn: Turn) {
        guard !turn.persons.isPerson(item) else { return }
        notePatience(of: item, turn)
        if !turn.items.isWithdrawn(item) { expectItem(item, turn) }
    }

    /// Sets the silence after which an item has left, by what the registry says of it: a locked phone says little.
    func notePatience(of item: String, _ turn: Turn) {
        let exitTime = household.setPhone(item, turn.items.entry(item)?.item?.key == .irk)
        turn.emit { $0.exitTimeChanged(exitTime, of: item, turn) }
    }

    /// Expects a registered item: one that no node receives is away.
    private func expectItem(_ id: String, _ turn: Turn) {
        guard let item = turn.items.entry(id)?.item, turn.follows(id) else { return }
        household.expectItem(item.id, interval: item.expectedInterval, at: turn.time)
    }

    func personMoved(_ person: String, to room: String?, _ turn: Turn) {
        publishOutcomes(turn) { household, body in household.movePerson(person, to: room, body) }
    }

    func lessonReceived(_ lesson: Lesson, _ turn: Turn) {
        publishOutcomes(turn) { household, body in household.adoptLesson(lesson, body) }
    }

    func lessonUndone(key: String, _ turn: Turn) {
        publishOutcomes(turn) { household, body in household.undoLesson(key: key, body) }
        let forgotten = household.forgottenUndone
        guard forgotten > 0 else { return }
        turn.diagnostics.warn(
            "undone lessons",
            """
            \(Diagnostics.power(of: forgotten)) or more lessons are said to be undone that never were here, and forgotten
            """)
    }

    func clonesChanged(of item: String, _ evidence: CloneEvidence?, _ turn: Turn) {
        household.setCloneSuspicion(of: item, evidence.map { $0.isKeyed ? .keyed : .plain })
    }

    func housePlanChanged(_ plan: HousePlan, _ turn: Turn) { household.draw(plan) }

    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {
        let settings = Household.Settings(new, epoch: household.settings.epoch)
        household.use(awayAfter: settings.awayAfter)
        if old.persons != new.persons { household.use(personOfItem: settings.personOfItem) }
        // Another name is no other room: lessons need not be learned again for it.
        if (old.rooms.map(\.withoutName), old.nodes) != (new.rooms.map(\.withoutName), new.nodes) {
            household.use(house: settings.house, roomOfNode: settings.roomOfNode)
        }
    }

    func shardsFollowed(_ followed: ShardSet, new: ShardSet, _ turn: Turn) {
        household.followShards(followed, at: turn.time)
        for item in turn.items.book.entries.keys.sorted() where new.contains(level: item) { expectItem(item, turn) }
    }

    func shardsTakenOver(_ handover: Handover, _ turn: Turn) {
        publishOutcomes(turn) { household, body in
            household.serveShards(handover.served, ends: handover.ends, at: turn.time, body)
        }
    }

    func messagesOverwritten(beside peers: [String: ShardSet], _ turn: Turn) {
        publishOutcomes(turn) { household, body in household.repeatOverwritten(at: turn.time, beside: peers, body) }
    }

    func confirmationEnded(_ turn: Turn) {
        publishOutcomes(turn) { household, body in household.giveUp(at: turn.time, body) }
    }

    // MARK: Calls of the pipeline

    func connected(_ turn: Turn) {
        for item in turn.items.book.entries.keys.sorted() { expectItem(item, turn) }
    }

    func advance(_ turn: Turn) {
        publishOutcomes(turn) { household, body in household.advance(to: turn.time, body) }
    }

    /// True if an interval is ready, or a deadline has passed.
    func isDue(_ turn: Turn) -> Bool { household.isDue(at: turn.time) }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        household.nextDeadline.flatMap { house.time.wallTime(at: $0) }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        var report = PurgeReport()
        publishOutcomes(turn) { household, body in
            switch erasure.reason {
            case .removal:
                household.withdrawItem(erasure.item, at: turn.time, body)
                // No later answer ends its visit.
                body(.stay(item: erasure.item, room: nil, from: turn.time, confidence: 0))
            case .purge(let moment):
                report.lessons = household.eraseItem(
                    erasure.item, before: moment, others: turn.lessons.taughtKeys, at: turn.time, body)
            }
        }
        if erasure.isPurge, erasure.isWhole { expectItem(erasure.item, turn) }
        return report
    }

    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {
        guard request.remembers else { return }
        effects.record = household.takeRecord(at: turn.time, isLast: request.isLast)
    }

    func storeEverything(_ turn: Turn) { household.rememberAll() }

    /// Publishes the outcomes of a call in their order, once it has ended.
    private func publishOutcomes(_ turn: Turn, _ body: (inout Household, (Household.Outcome) -> Void) -> Void) {
        var outcomes: [Household.Outcome] = []
        body(&household) { outcomes.append($0) }
        for outcome in outcomes { turn.publish(outcome) }
    }

    // MARK: Answers

    var isWaiting: Bool { household.isWaiting }
    func lastHeard(of item: String) -> Timestamp? { household.lastHeard(of: item) }
    func hasHeard(of item: String) -> Bool { household.hasHeard(of: item) }
    func items(in room: String) -> [String] { household.items(in: room) }
    var items: [String] { household.items }
    var heardItems: [String] { household.heardItems }
    var heardCount: Int { household.heardCount }
    var rooms: [String] { household.rooms }
    func configuredRoom(ofNode node: String) -> String? { household.settings.roomOfNode[node] }
    func hasRoom(_ room: String) -> Bool { household.hasRoom(room) }
    func publisher(of item: String) -> String? { household.publishingPeer(of: item) }
    var lessons: [Lesson] { household.lessons }
    var undoneLessons: [String] { household.undoneLessons }
    func isUndone(_ lesson: Lesson) -> Bool { household.isUndone(lesson) }
    func forgetUndoneLessons(_ keys: Set<String>) { household.forgetUndoneLessons(keys) }
    func onlyCounts(_ item: String) -> Bool { household.onlyCounts(item) }
    func isAll(of item: String, before moment: Timestamp?) -> Bool { household.isAll(of: item, before: moment) }
    var counters: Household.Counters { household.counters }
    /// The levels at nodes and the packets that were lost, by room.
    var receptionReport: ReceptionReport { household.receptionReport }

    func countEvent(of item: String, isCounted: Bool, at time: Timestamp) -> (seq: UInt64, itemSeq: UInt64) {
        household.countEvent(of: item, isCounted: isCounted, at: time)
    }
    func eventCount(of item: String) -> UInt64 { household.eventCount(of: item) }
    func moveCount(of item: String) -> UInt64 { household.moveCount(of: item) }
    func adopt(eventCount: UInt64, of person: String, at time: Timestamp) {
        household.adoptEventCount(eventCount, of: person, at: time)
    }

    // MARK: Diagnostics

    /// The metrics of what was weighed and dropped.
    var metrics: [MetricFamily] {
        let counters = household.counters
        return [
            .counter("whereabouts_windows_processed_total", "Windows that were weighed.", counters.processed),
            .counters(
                "whereabouts_windows_dropped_total", "Windows and scans that were left out, by the reason.",
                by: "reason",
                [
                    ("late", Double(counters.late)), ("doubled", Double(counters.doubled)),
                    ("clock", Double(counters.offClock)), ("overfull", Double(counters.overfull)),
                ]),
            .gauge("whereabouts_lessons", "Lessons that are held.", Double(household.lessons.count)),
        ]
    }

    /// Warns of what was dropped since the start, and of lessons that are left out.
    func warnOfDropped(in diagnostics: Diagnostics) {
        diagnostics.warn(ofOngoing: "left out", dropped)
        if let text = lessonsLeftOut {
            diagnostics.warn("lessons", text, about: household.leftOutLessons.flatMap { [$0.item, $0.key] })
        }
    }

    /// The counts of what was dropped, to a power of ten.
    private var dropped: String? {
        let counters = household.counters
        let parts = [
            (counters.late, Self.tolerated, "after their interval was weighed"),
            (counters.doubled, Self.tolerated, "twice"), (counters.offClock, 1, "of clocks that are wrong"),
            (counters.overfull, 1, "of more nodes, rooms or items than there is room for"),
        ].filter { $0.0 >= $0.1 }.map { count, _, text in "\(Diagnostics.power(of: count)) or more \(text)" }
        return parts.isEmpty ? nil : "windows and scans left out so far: \(parts.joined(separator: ", "))"
    }

    /// The lessons that are held and not used, by name.
    private var lessonsLeftOut: String? {
        let lessons = household.leftOutLessons
        guard !lessons.isEmpty else { return nil }
        let names = lessons.prefix(Self.named).map { "\($0.item) in \($0.room) (\($0.key): \($0.reason.rawValue))" }
        let more = lessons.count > Self.named ? " …: whereabouts learn --list" : ""
        return "lessons are left out: \(lessons.count), \(names.joined(separator: ", "))\(more)"
    }

    // MARK: Nodes of other systems

    func addNode(external node: String, in room: String) -> Bool { household.addExternalNode(node, in: room) }
    func remove(external node: String) -> Bool { household.removeExternalNode(node) }
    func receive(isOnline: Bool, ofExternal node: String) { household.receiveExternal(isOnline: isOnline, of: node) }
    func adopt(externalNodes prefixes: [String]) -> [String] { household.markExternalNodes(prefixes: prefixes) }
    var intervalLength: Duration { household.intervalLength }

    // MARK: Lessons and explanations

    /// The items whose lessons go on.
    var taughtItems: [String] { household.taughtItems }
    var taught: TaughtReport { household.taught }
    /// True while what was taught before the start is still to be learned: until then rooms stand as they were.
    var isStarting: Bool { household.isStarting }

    /// Performs what `learn` asks for.
    func performLearning(_ learning: FuserCommand.Learning, _ turn: Turn) throws(TeachingFault) -> FuserAnswer {
        var outcomes: [Household.Outcome] = []
        defer { for outcome in outcomes { turn.publish(outcome) } }
        switch learning {
        case .start(let item, let room, let duration, let walk):
            return .lesson(try household.startLesson(of: item, in: room, for: duration, walk: walk, at: turn.time))
        case .status(let item): return .lesson(try household.lessonReport(of: item))
        case .stop(let item, let keeps):
            return .lesson(try household.stopLesson(of: item, keeps: keeps, at: turn.time) { outcomes.append($0) })
        case .list: return .taught(household.taught)
        case .undo(let id):
            try household.undoLesson(id) { outcomes.append($0) }
            return .done
        }
    }

    func takeLearning() -> LearningTask? { household.takeLearning() }
    func applyLearned(_ learned: Learned) { household.applyLearned(learned) }
    func clockStepped(by delta: Duration) { household.clockStepped(by: delta) }
    func explain(_ item: String, at time: Timestamp) -> Explanation? { household.explain(item, at: time) }
}
