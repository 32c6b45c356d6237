import Bytes
import Identity
import Presence
import WireProtocol

/// Pure Presence on the packets that a node received: the messages that the node must have published, over any fault of
/// its process.
struct PureNode {
    private(set) var monitor: RegionMonitor
    private var resolver: IdentityResolver
    private var transitions: [Transition] = []
    private(set) var events: [NodeEvent] = []
    private var heardUntil: Timestamp?

    init(_ registry: Registry, at time: Timestamp) {
        monitor = RegionMonitor(registry: registry, at: time)
        resolver = IdentityResolver(registry: registry)
    }

    /// Consumes packets after an outage that began at the end of the last ones. The owners of addresses are learned
    /// anew, as no node stores them.
    mutating func hear(_ packets: some Sequence<BusyHall.Packet>, _ transmitters: [BusyHall.Transmitter]) {
        var isFirst = true
        resolver = IdentityResolver(registry: monitor.registry)
        for packet in packets {
            if isFirst, let until = heardUntil { monitor.gap(from: until, to: packet.time, &transitions) }
            isFirst = false
            let transmitter = transmitters[packet.beacon]
            let frame = transmitter.ids[packet.frame]
            var hearing = Sighting(
                beacon: resolver.resolve(address: transmitter.address, frames: (frame, nil), at: packet.time),
                time: packet.time)
            hearing.rssi = packet.rssi
            hearing.address = transmitter.address
            hearing.frames = (frame, nil)
            monitor.receive(hearing, &transitions)
            heardUntil = packet.time
        }
        for transition in transitions where transition.isNotified {
            var event = NodeEvent(
                node: "kitchen", epoch: "", seq: 0, at: transition.at, notBefore: transition.notBefore,
                kind: transition.kind)
            (event.region, event.state) = (transition.regionID, transition.state)
            event.beacon = monitor.name(of: transition)
            events.append(event)
        }
        transitions = []
    }
}

extension NodeEvent {
    /// All but its place in the ledger, with times in milliseconds as on the wire.
    var line: String {
        let times = [at, notBefore].map { "\(($0.microseconds + 500) / 1000)" }
        return "\(kind) \(region ?? "") \(beacon ?? "") at \(times[0]), not before \(times[1])"
    }
}
