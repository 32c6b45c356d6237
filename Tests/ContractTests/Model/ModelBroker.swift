import MQTT
import Reference
import WireProtocol
import Support

/// A broker that acknowledges at once, keeps what is retained, and forgets the rest as it pleases.
///
/// Sessions are clean. A will is published when a connection is lost, when its keep-alive is over, or some time after
/// another connection of the same client took its place.
final class ModelBroker {
    private final class Peer {
        let id: String
        let wire: ModelWire
        var will: Message?
        var filters: [Subscription] = []
        var heard: Int64
        var lastID = 0

        init(_ id: String, _ wire: ModelWire, will: Message?, heard: Int64) {
            (self.id, self.wire, self.will, self.heard) = (id, wire, will, heard)
        }
    }

    private let clock: ModelClock
    private var generator: SeededGenerator
    private var peers: [Peer] = []
    private(set) var retained: [String: Message] = [:]
    /// What its store holds on the disk.
    private var stored: [String: Message] = [:]
    private var wills: [(due: Int64, will: Message)] = []
    private(set) var isUp = true
    /// Whether it hands messages over twice where it may.
    var duplicates = false
    /// The messages that are not as the reference of topics describes them.
    private(set) var contradictions: Set<String> = []
    /// What it acknowledges and gives to nobody.
    var denied: String?
    /// Seconds that a packet takes, for a client.
    var delay: [String: Double] = [:]
    static let keepAlive: Int64 = 15_000_000_000

    init(_ clock: ModelClock, seed: UInt64) {
        self.clock = clock
        generator = SeededGenerator(seed: seed)
    }

    /// Ends: connections break, and unless its store is kept nothing is retained when it comes back.
    func end(keepingStore: Bool, isKilled: Bool) {
        isUp = false
        // What was written last is not on the disk when it is killed.
        if !keepingStore { stored = [:] } else if !isKilled { stored = retained }
        retained = stored
        for peer in peers { peer.wire.isBrokerThere = false }
        (peers, wills) = ([], [])
    }

    func start() { isUp = true }

    /// As its store is written once in a while.
    func save() { stored = retained }

    /// Takes what has come on a client's wire.
    func serve(_ id: String, _ wire: ModelWire, isUpCut: Bool) {
        guard isUp, wire.isBrokerThere, !isUpCut else { return }
        while let packet = wire.up.next(at: clock.now) { receive(packet, id, wire) }
        if !wire.isClientThere, wire.up.packets.isEmpty { lose(wire, saying: true) }
    }

    /// Lets time pass.
    func advance() {
        for peer in peers where clock.now - peer.heard > Self.keepAlive { lose(peer.wire, saying: true) }
        let due = wills.filter { $0.due <= clock.now }
        wills.removeAll { $0.due <= clock.now }
        for (_, will) in due where isUp { publish(will) }
    }

    private func receive(_ packet: ModelPacket, _ id: String, _ wire: ModelWire) {
        if case .connect(let will) = packet {
            if let old = peers.first(where: { $0.id == id }) {
                // The last will of the connection before may come after what the new one says.
                let later = Int64.random(in: 0...2_000_000_000, using: &generator)
                if let will = old.will { wills.append((clock.now + later, will)) }
                lose(old.wire, saying: false)
            }
            peers.append(Peer(id, wire, will: will, heard: clock.now))
            return send(.connectAcknowledged, to: id, wire)
        }
        guard let peer = peers.first(where: { $0.wire === wire }) else { return }
        peer.heard = clock.now
        switch packet {
        case .subscribe(let subscriptions):
            for subscription in subscriptions {
                peer.filters.removeAll { $0.filter == subscription.filter }
                peer.filters.append(subscription)
                for message in retained.values.sorted(by: { $0.topic < $1.topic })
                where TopicFilter.matches(subscription.filter, message.topic) {
                    deliver(message, to: peer, qos: subscription.qos)
                }
            }
        case .publish(let message, let packetID):
            // An acknowledgement is no delivery.
            if let packetID { send(.publishAcknowledged(id: packetID), to: id, wire) }
            guard denied.map({ !TopicFilter.matches($0, message.topic) }) ?? true else { return }
            publish(message)
        case .ping: send(.pong, to: id, wire)
        case .disconnect:
            peer.will = nil
            lose(wire, saying: false)
        default: break
        }
    }

    private func publish(_ message: Message) {
        contradictions.formUnion(
            PublishedMessage(
                topic: message.topic, payload: message.payload, qos: Int(message.qos.rawValue),
                isRetained: message.retained
            ).contradictions())
        if message.retained { retained[message.topic] = message.payload.isEmpty ? nil : message }
        var copy = message
        copy.retained = false
        for peer in peers {
            guard let filter = peer.filters.first(where: { TopicFilter.matches($0.filter, message.topic) }) else {
                continue
            }
            deliver(copy, to: peer, qos: filter.qos)
            if duplicates, message.qos == .atLeastOnce, Bool.random(using: &generator) {
                deliver(copy, to: peer, qos: filter.qos)
            }
        }
    }

    private func deliver(_ message: Message, to peer: Peer, qos: Message.QualityOfService) {
        let isAcknowledged = qos == .atLeastOnce && message.qos == .atLeastOnce
        if isAcknowledged { peer.lastID += 1 }
        send(.publish(message, id: isAcknowledged ? peer.lastID : nil), to: peer.id, peer.wire)
    }

    private func send(_ packet: ModelPacket, to id: String, _ wire: ModelWire) {
        let delay = (delay[id] ?? 0.02) * Double.random(in: 0...1, using: &generator)
        wire.down.send(packet, at: clock.now + Int64(delay * 1e9))
    }

    private func lose(_ wire: ModelWire, saying: Bool) {
        wire.isBrokerThere = false
        guard let index = peers.firstIndex(where: { $0.wire === wire }) else { return }
        let peer = peers.remove(at: index)
        if saying, let will = peer.will { publish(will) }
    }
}
