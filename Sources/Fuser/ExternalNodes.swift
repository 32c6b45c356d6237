internal import Bytes
internal import HouseTracking
internal import Identity
internal import Integrations
internal import WireProtocol

/// The nodes of other systems, whose readings count here, and the messages to other systems.
final class ExternalNodes: FuserComponent {
    /// The reason for which a node stands in a room.
    private enum Reason {
        case configured, named, made

        func text(of node: String) -> String {
            switch self {
            case .configured: "as 'nodes' says"
            case .named: "the room of its name"
            case .made: "a room made of its name; if that is another's, give it a place: nodes: {\(node): {room: …}}"
            }
        }
    }

    private var readings = ExternalReadings()
    private var roomPublisher = RoomPublisher()
    private var wills = LastWills()

    // MARK: Configuration

    /// The filters that it must be subscribed to.
    var filters: [String] { readings.inputs.filters }
    /// The counts that the fuser's claim publishes; nil if no system is subscribed to.
    var counters: Claim.Neighbours? { readings.told }

    /// Subscribes to other systems, before the first message.
    func listen(to readings: ExternalReadings, _ turn: Turn) {
        self.readings = readings
        for node in turn.tracker.adopt(externalNodes: readings.inputs.roots.keys.map(\.nodePrefix)) {
            guard let system = readings.system(of: node) else { continue }
            let name = String(node.dropFirst(system.nodePrefix.count))
            self.readings.places.restoreNode(node, system, isNamed: isNamed(node, called: name, turn))
        }
    }

    /// Applies other identity resolving keys, as after their files were read again.
    func use(keys: [[UInt8]: String]) { readings.names.use(keys) }

    /// Publishes rooms to `mqtt_room`, under a root.
    func publishRooms(under root: String) { roomPublisher = RoomPublisher(root: root) }

    /// True, and warned of, if a node of ours has a name that another system's nodes have here.
    func rejects(_ speaker: TopicKind.Speaker?, _ turn: Turn) -> Bool {
        guard !readings.inputs.isEmpty, case .node(let node) = speaker, readings.owns(node) else { return false }
        turn.diagnostics.countRejected()
        turn.diagnostics.warn(
            node, "node \(node) has the name of another system's node, and is left out: give it another 'node'")
        return true
    }

    /// The id here of another system's node that has a place; nil for others.
    func id(ofNode name: String, _ system: IntegrationSystem) -> String? { readings.places.known(name, system) }

    // MARK: Messages

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .nodeStatus(let node, let isOnline, _): wills.recordStatus(isOnline: isOnline, of: node)
        case .nodeInfo(let info, let node, _):
            publishWills(turn) { wills, outbox in wills.recordRoot(root: info.espresense, of: node, &outbox) }
        case .external(let message): receive(external: message, turn)
        case .nodeRemoved, .scan, .window, .nodeEvent, .commandResult, .entry, .location, .itemEvent, .alerts, .room,
            .telemetry, .battery, .occupancy,
            .lesson, .plan:
            break
        }
    }

    private func publishWills(_ turn: Turn, _ body: (inout LastWills, inout [Message]) -> Void) {
        var outbox: [Message] = []
        body(&wills, &outbox)
        for message in outbox { turn.publication.sendMessage(message) }
    }

    private func receive(external message: Message, _ turn: Turn) {
        guard !readings.inputs.isEmpty else { return rejectTopic(message, turn) }
        closeInterval(turn)
        do throws(IntegrationFault) {
            guard let (system, words) = try readings.inputs.readMessages(on: message.topic, message.payload.span) else {
                return rejectTopic(message, turn)
            }
            for word in words { receive(word, of: system, message, turn) }
        } catch {
            turn.diagnostics.reject(external: message, "\(error)")
        }
    }

    private func rejectTopic(_ message: Message, _ turn: Turn) {
        turn.diagnostics.reject(message, "it is no topic of ours")
    }

    private func receive(_ word: ExternalMessage, of system: IntegrationSystem, _ message: Message, _ turn: Turn) {
        switch word {
        case .nothing: break
        case .alias(let alias, let name):
            readings.names.refresh(turn.items.book, at: turn.wall)
            readings.recordAlias(alias, for: name)
        case .status(let node, let isOnline):
            guard let id = readings.places.known(node, system) else { return }
            turn.tracker.receive(isOnline: isOnline, ofExternal: id)
            if !isOnline { readings.drop(id) }
        case .reading(let reading):
            guard !message.retained else {
                return turn.diagnostics.reject(external: message, "the broker kept it, and it is of one moment")
            }
            if let oddity = reading.oddity {
                turn.diagnostics.reject(external: message, "\(oddity); the rest of it is taken")
            }
            receive(reading, turn)
        }
    }

    private func receive(_ reading: ExternalReading, _ turn: Turn) {
        readings.names.refresh(turn.items.book, at: turn.wall)
        guard let (item, name) = readings.item(of: reading), !turn.items.isWithdrawn(item), turn.follows(item)
        else {
            return
        }
        guard !turn.persons.isPerson(item) else {
            return turn.diagnostics.warn(
                "neighbours' \(item)",
                "other systems tell of a '\(item)', which is a person's id here: it is left out; let them tell of an item",
                about: [item])
        }
        guard let node = assignNode(reading, turn) else { return }
        var reading = reading
        if !reading.telemetry.isEmpty, turn.items.entry(item)?.item?.key == .bthome {
            reading.telemetry = Telemetry()
            turn.diagnostics.warn(
                "readings of \(item)",
                """
                '\(item)' has a key, so that readings which other systems tell of it aren't believed: nobody sees whether \
                they were encrypted
                """, about: [item])
        }
        let isTaken = readings.addReading(
            reading, of: item, called: name, by: node, at: turn.time, length: turn.tracker.intervalLength)
        if !isTaken { warnOfOverflow(turn) }
    }

    // MARK: Intervals

    /// Emits the interval that was gathered, once it is over: before the house weighs it.
    private func closeInterval(_ turn: Turn) {
        guard readings.end != nil, let windows = readings.takeWindows(at: turn.time) else { return }
        for window in windows { turn.emit { $0.externalWindowReceived(window, turn) } }
    }

    func advance(_ turn: Turn) {
        closeInterval(turn)
        let served = turn.publication.served
        guard !served.isEmpty else { return }
        for message in wills.takeMessages() { turn.publication.sendMessage(message) }
        publishRooms(turn) { $0.advance(to: turn.wall, serving: { served.contains(level: $0) }, &$1) }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        [readings.end.flatMap { house.time.wallTime(at: $0) }, roomPublisher.nextDeadline].compactMap { $0 }.min()
    }

    // MARK: Facts

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        guard case .location(let item, let location) = outcome, roomPublisher.root != nil else { return }
        publishRooms(turn) { $0.receiveLocation(location, of: item, name: turn.items.entry(item)?.item?.name, &$1) }
    }

    private func publishRooms(_ turn: Turn, _ body: (inout RoomPublisher, inout [Message]) -> Void) {
        guard roomPublisher.root != nil else { return }
        var outbox: [Message] = []
        body(&roomPublisher, &outbox)
        for message in outbox { turn.publication.sendMessage(message) }
    }

    func entryChanged(of item: String, _ turn: Turn) { readings.names.noteRegistry() }

    func nodeRemoved(_ node: String, _ turn: Turn) {
        publishWills(turn) { wills, outbox in wills.removeNode(node, &outbox) }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        if erasure.isWhole { roomPublisher.removeItem(erasure.item) }
        return PurgeReport()
    }

    // MARK: Places

    /// The id here of the node that a reading is of, which has its place from then on; nil, and warned of, if there is none
    /// for it.
    private func assignNode(_ reading: ExternalReading, _ turn: Turn) -> String? {
        let known = readings.places.known(reading.node, reading.system)
        let node = known ?? reading.system.nodeID(reading.node)
        guard let (room, reason) = room(of: node, called: reading.node, turn) else {
            turn.diagnostics.warn(
                node,
                """
                left out, since nobody told where it stands: \(node) (\(reading.system.rawValue)); give it a place: nodes: \
                {\(node): {room: …}}
                """)
            return nil
        }
        let isNamed = known == nil && isNamed(node, called: reading.node, turn)
        guard known != nil || isNamed || !readings.places.isFull(for: node) || makesRoom(turn),
            turn.tracker.addNode(external: node, in: room)
        else {
            readings.countOverfull()
            warnOfOverflow(turn)
            return nil
        }
        if known == nil {
            readings.places.assignPlace(node, reading.system, called: reading.node, isNamed: isNamed, at: turn.wall)
            turn.diagnostics.addNote(
                "node \(node) of another system (\(reading.system.rawValue)) stands in \(room), \(reason.text(of: node))"
            )
        }
        readings.places.markActive(node, at: turn.wall)
        turn.emit { $0.nodePlaced(node, in: room, area: nil, turn) }
        return node
    }

    /// True if the configuration names a node, by its id or as a room.
    func isNamed(_ node: String, called name: String, _ turn: Turn) -> Bool {
        turn.tracker.configuredRoom(ofNode: node) != nil
            || Self.spellingVariants(of: name).contains(where: turn.rooms.configuredRooms.contains)
    }

    /// Removes a node that was silent for long; false if there is none.
    private func makesRoom(_ turn: Turn) -> Bool {
        guard let leaver = readings.places.nodeToReplace(at: turn.wall), turn.tracker.remove(external: leaver) else {
            return false
        }
        readings.removeNode(leaver)
        turn.emit { $0.nodeRemoved(leaver, turn) }
        turn.diagnostics.warn(
            "neighbours let go",
            """
            \(Diagnostics.power(of: readings.counters.letGo)) or more nodes of other systems let go for new ones, since there is \
            room for \(ExternalNodeTable.capacity) and they were silent for ten minutes: nodes that 'nodes' names stay
            """)
        return true
    }

    /// The room of another system's node: as configured, else the room of that name, with `_` for `-` or the other way round;
    /// in a house whose rooms nobody named, the name itself.
    private func room(of node: String, called name: String, _ turn: Turn) -> (room: String, reason: Reason)? {
        if let room = turn.tracker.configuredRoom(ofNode: node) { return (room, .configured) }
        for room in Self.spellingVariants(of: name) where turn.tracker.hasRoom(room) {
            let isOurs = turn.rooms.isNamed(room) { !readings.owns($0) }
            return (room, isOurs ? .named : .made)
        }
        let made = name.lowercased()
        return !readings.areRoomsNamed && Identifier.isValid(made) ? (made, .made) : nil
    }

    /// The rooms whose name a node's may be.
    private static func spellingVariants(of name: String) -> [String] {
        let name = name.lowercased()
        return [name, name.replacing("_", with: "-"), name.replacing("-", with: "_")]
    }

    private func warnOfOverflow(_ turn: Turn) {
        let count = Diagnostics.power(of: max(1, readings.counters.leftOut))
        turn.diagnostics.warn(
            "neighbours full", "\(count) or more readings of other systems left out: too many nodes or items")
    }
}
