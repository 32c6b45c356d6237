internal import Bytes
internal import HouseTracking
internal import Identity
public import Integrations
internal import WireProtocol

/// What nodes of other systems tell: read into windows of nodes that are theirs.
extension FuserPipeline {
    /// Listens to other systems, before the first message.
    ///
    /// - Parameters:
    ///   - aliases: items by names that they have there.
    ///   - keys: items by their identity resolving keys, which are told to nobody.
    ///   - areRoomsNamed: whether the configuration names the house's rooms: else a node's own name is a room.
    public mutating func listen(
        to inputs: NeighbourInputs, aliases: [String: String] = [:], keys: [[UInt8]: String] = [:],
        areRoomsNamed: Bool = false
    ) {
        desk = ForeignDesk(inputs, aliases: aliases, keys: keys, areRoomsNamed: areRoomsNamed)
        for node in household.take(asForeign: inputs.roots.keys.map(\.nodePrefix)) {
            guard let system = desk.system(of: node) else { continue }
            let name = String(node.dropFirst(system.nodePrefix.count))
            desk.seats.inherit(node, system, isNamed: isNamed(node, called: name))
        }
    }

    /// Puts other identity resolving keys in force, as where their files were read again.
    mutating func use(foreignKeys keys: [[UInt8]: String]) { desk.names.use(keys) }

    /// Tells `mqtt_room` of rooms, under a root.
    public mutating func tellRooms(under root: String) { roomTeller = RoomTeller(root: root) }

    /// Tells an answer to `mqtt_room`.
    mutating func tellRoom(_ location: Location, of item: String, _ outbox: inout [Message]) {
        guard roomTeller.root != nil else { return }
        roomTeller.take(location, of: item, name: registry.book.entry(item)?.item?.name, &outbox)
    }

    /// What other systems are told as time passes.
    mutating func tellNeighbours(at wall: Timestamp, _ outbox: inout [Message]) {
        guard !household.served.isEmpty else { return }
        outbox += wills.take()
        let served = household.served
        roomTeller.advance(to: wall, serving: { served.contains(level: $0) }, &outbox)
    }

    /// When the interval that is gathered of them is over, by the wall.
    var foreignDeadline: Timestamp? { desk.end.flatMap { clock.wall(at: $0) } }

    /// Takes a message that lies on none of our topics; false where it lies on none of theirs.
    mutating func receive(foreign message: Message, at wall: Timestamp, _ outbox: inout [Message]) -> Bool {
        guard !desk.inputs.isEmpty else { return false }
        takeForeign(at: wall, &outbox)
        do throws(NeighbourFault) {
            guard let (system, words) = try desk.inputs.words(on: message.topic, message.payload.span) else {
                return false
            }
            for word in words { take(word, of: system, message, at: wall, &outbox) }
        } catch {
            diagnostics.reject(external: message, "\(error)")
        }
        return true
    }

    private mutating func take(
        _ word: ForeignWord, of system: NeighbourSystem, _ message: Message, at wall: Timestamp,
        _ outbox: inout [Message]
    ) {
        switch word {
        case .nothing: break
        case .alias(let alias, let name):
            desk.names.refresh(registry.book, at: wall)
            desk.learn(alias, for: name)
        case .status(let node, let isOnline):
            guard let id = desk.seats.known(node, system) else { return }
            household.receive(foreign: isOnline, of: id)
            if !isOnline { desk.drop(id) }
        case .reading(let reading):
            guard !message.retained else {
                return diagnostics.reject(external: message, "the broker kept it, and it is of one moment")
            }
            if let oddity = reading.oddity {
                diagnostics.reject(external: message, "\(oddity); the rest of it is taken")
            }
            take(reading, at: wall, &outbox)
        }
    }

    private mutating func take(_ reading: ForeignReading, at wall: Timestamp, _ outbox: inout [Message]) {
        desk.names.refresh(registry.book, at: wall)
        guard let (item, name) = desk.item(of: reading), !removed.contains(item),
            shards.contains(Topics.shardNumber(of: item))
        else { return }
        guard !persons.contains(item) else {
            return diagnostics.warn(
                "neighbours' \(item)",
                "other systems tell of a '\(item)', which is a person's id here: it is left out; let them tell of an item"
            )
        }
        guard let node = seat(reading, at: wall, &outbox) else { return }
        var reading = reading
        if !reading.telemetry.isEmpty, registry.book.entry(item)?.item?.key == .bthome {
            reading.telemetry = Telemetry()
            diagnostics.warn(
                "readings of \(item)",
                """
                '\(item)' has a key, so that readings which other systems tell of it aren't believed: nobody sees whether \
                they were encrypted
                """)
        }
        let isTaken = desk.gather(
            reading, of: item, called: name, by: node, at: clock.time(atWall: wall), length: household.hopLength)
        if !isTaken { tellOverfull() }
    }

    /// Takes in the interval that was gathered, once it is over: before the house weighs it.
    mutating func takeForeign(at wall: Timestamp, _ outbox: inout [Message]) {
        guard desk.end != nil else { return }
        let time = clock.time(atWall: wall)
        for window in desk.take(at: time) ?? [] where household.receive(foreign: window, at: time) {
            if let item = window.item, let readings = window.telemetry { note(readings, window, of: item, &outbox) }
        }
    }

    /// Whether a node of ours has a name that another system's nodes have here: it is left out, and told.
    mutating func isForeign(_ speaker: TopicKind.Speaker?) -> Bool {
        guard !desk.inputs.isEmpty, case .node(let node) = speaker, desk.owns(node) else { return false }
        diagnostics.countRejected()
        diagnostics.warn(
            node, "node \(node) has the name of another system's node, and is left out: give it another 'node'")
        return true
    }

    mutating func tellOverfull() {
        diagnostics.warn(
            "neighbours full",
            "\(Self.power(of: max(1, desk.counters.leftOut))) or more readings of other systems left out: too many nodes or items"
        )
    }
}
