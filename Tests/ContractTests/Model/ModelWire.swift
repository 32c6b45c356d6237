import MQTT
import WireProtocol

/// A packet of MQTT, as far as it matters.
enum ModelPacket {
    case connect(will: Message?)
    case connectAcknowledged
    case subscribe([Subscription])
    case publish(Message, id: Int?)
    case publishAcknowledged(id: Int)
    case ping
    case pong
    case disconnect
}

/// A connection between a client and the broker: each direction keeps its order, and takes its time or stands still.
/// What one end has closed, the other finds out where the line is whole; else it is left half-open.
final class ModelWire {
    /// One direction.
    struct Direction {
        private(set) var packets: [(due: Int64, packet: ModelPacket)] = []

        mutating func send(_ packet: ModelPacket, at due: Int64) {
            packets.append((max(due, packets.last?.due ?? due), packet))
        }

        mutating func next(at now: Int64) -> ModelPacket? {
            guard let first = packets.first, first.due <= now else { return nil }
            return packets.removeFirst().packet
        }
    }

    var up = Direction()
    var down = Direction()
    var isClientThere = true
    var isBrokerThere = true
}
