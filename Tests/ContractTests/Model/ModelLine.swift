import WireProtocol
import Support

@testable import MQTT

/// What stands for libmosquitto and the client's thread: between the shipped session with its two queues and a broker.
///
/// As the client's own: QoS 1 is in flight up to a bound, what wasn't acknowledged comes first in the next connection,
/// and QoS 0 of a lost one is dropped.
final class ModelLine {
    let id: String
    private let clock: ModelClock
    private let broker: ModelBroker
    private var generator: SeededGenerator
    private var client: MQTTClient?
    private var will: Message?
    private(set) var wire: ModelWire?
    private var isConnected = false
    private var began: Int64 = 0
    private var heard: Int64 = 0
    private var pinged: Int64 = 0
    private var retryAt: Int64 = 0
    private var inFlight: [(id: Int, message: Message)] = []
    private var lastID = 0
    var isUpCut = false
    var isDownCut = false
    /// What was left half-open, for the broker to find.
    private var left: [ModelWire] = []

    init(_ id: String, _ clock: ModelClock, _ broker: ModelBroker, seed: UInt64) {
        (self.id, self.clock, self.broker) = (id, clock, broker)
        generator = SeededGenerator(seed: seed)
    }

    /// A program begins with its client, which isn't started yet.
    func attach(_ client: MQTTClient, will: Message) {
        self.client = client
        self.will = will
        // So that starting it begins no thread: this line stands for it.
        _ = client.outbox.beginRunning()
        retryAt = clock.now
    }

    /// The program is killed. What it had in its queues is gone; whether the broker hears of it depends.
    func kill(isSilent: Bool) {
        wire?.isClientThere = isSilent
        if let wire { left.append(wire) }
        client?.outbox.endRunning()
        (wire, client, isConnected, inFlight) = (nil, nil, false, [])
    }

    /// Carries what is due in both directions.
    func advance() {
        for wire in left { broker.serve(id, wire, isUpCut: isUpCut) }
        left.removeAll { !$0.isBrokerThere }
        guard let client else { return }
        if wire == nil, clock.now >= retryAt { open() }
        guard let wire else { return }
        send(client, wire)
        broker.serve(id, wire, isUpCut: isUpCut)
        if !isDownCut {
            while let packet = wire.down.next(at: clock.now) { receive(packet, client, wire) }
            if !wire.isBrokerThere, wire.down.packets.isEmpty || !broker.isUp { return lose() }
        }
        let limit: Int64 = isConnected ? 15_000_000_000 : 10_000_000_000
        if clock.now - heard > limit { lose() }
    }

    private func open() {
        guard broker.isUp || isUpCut else {
            retryAt = clock.now + Int64.random(in: 1_000_000_000...3_000_000_000, using: &generator)
            return
        }
        let wire = ModelWire()
        self.wire = wire
        (began, heard, pinged) = (clock.now, clock.now, clock.now)
        post(.connect(will: will), wire)
    }

    private func send(_ client: MQTTClient, _ wire: ModelWire) {
        guard isConnected else { return }
        let asked = client.outbox.takeUnasked()
        if !asked.isEmpty { post(.subscribe(asked), wire) }
        while let message = client.outbox.next(acceptingAcknowledged: inFlight.count < 20) {
            switch message.qos {
            case .atMostOnce:
                post(.publish(message, id: nil), wire)
                client.outbox.finish(Outbox.Finished(sent: 1, bytes: message.size))
            case .atLeastOnce:
                lastID += 1
                inFlight.append((lastID, message))
                post(.publish(message, id: lastID), wire)
            }
        }
        guard clock.now - pinged > 5_000_000_000 else { return }
        pinged = clock.now
        post(.ping, wire)
    }

    private func receive(_ packet: ModelPacket, _ client: MQTTClient, _ wire: ModelWire) {
        heard = clock.now
        switch packet {
        case .connectAcknowledged:
            isConnected = true
            post(.subscribe(client.outbox.connected()), wire)
            client.inbox.deliver(.connected(sessionPresent: false))
        case .publish(let message, let packetID):
            client.inbox.receive(message)
            if let packetID { post(.publishAcknowledged(id: packetID), wire) }
        case .publishAcknowledged(let packetID):
            guard let index = inFlight.firstIndex(where: { $0.id == packetID }) else { return }
            let message = inFlight.remove(at: index).message
            client.outbox.finish(Outbox.Finished(sent: 1, bytes: message.size))
        default: break
        }
    }

    private func lose() {
        guard let wire else { return }
        wire.isClientThere = false
        if wire.isBrokerThere { left.append(wire) }
        self.wire = nil
        if isConnected {
            client?.outbox.disconnected(unacknowledged: inFlight.map(\.message))
            client?.inbox.deliver(.disconnected(MQTTError(function: "model", code: 7, words: "the line was lost")))
        }
        (isConnected, inFlight) = (false, [])
        retryAt = clock.now + Int64.random(in: 500_000_000...2_000_000_000, using: &generator)
    }

    private func post(_ packet: ModelPacket, _ wire: ModelWire) {
        let delay = (broker.delay[id] ?? 0.02) * Double.random(in: 0...1, using: &generator)
        wire.up.send(packet, at: clock.now + Int64(delay * 1e9))
    }
}
