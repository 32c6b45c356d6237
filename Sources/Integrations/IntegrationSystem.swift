internal import Crypto
internal import WireProtocol

/// Another system that publishes readings of the same beacons on the same broker.
public enum IntegrationSystem: String, CaseIterable, Hashable, Sendable {
    /// ESPresense: its device messages (src/BleFingerprint.cpp, `fill`), room status and device settings.
    case espresense
    /// Theengs Gateway and OpenMQTTGateway.
    case theengs
    /// Any publisher of a room's distances in the form of Home Assistant's `mqtt_room`.
    case mqttRoom = "mqtt_room"
    /// reelyActive's raddec as JSON (github.com/reelyactive/raddec).
    case raddec

    /// The beginning of its topics by its own defaults: those of `mqtt_room` are Home Assistant's example.
    public var defaultRoot: String {
        switch self {
        case .espresense: "espresense"
        case .theengs: "home"
        case .mqttRoom: "room_presence"
        case .raddec: "paretoanywhere"
        }
    }

    /// The topic filters of its messages, under a root, all of QoS 0.
    public func filters(under root: String) -> [String] {
        switch self {
        case .espresense: ["\(root)/devices/+/+", "\(root)/rooms/+/status", "\(root)/settings/+/config"]
        case .theengs: ["\(root)/+/BTtoMQTT/+", "\(root)/+/presence", "\(root)/+/LWT"]
        case .mqttRoom: ["\(root)/+"]
        case .raddec: ["\(root)/devices/+/+/raddec"]
        }
    }

    /// The beginning of the ids of its nodes.
    public var nodePrefix: String { rawValue + "-" }

    /// The id here of a node with the name `name` there, in the form of all ids: with digits of a digest if the name
    /// has characters that an id can't have.
    public func nodeID(_ name: String) -> String {
        let id = nodePrefix + name
        guard !Identifier.isValid(id) else { return id }
        let bytes = name.utf8.prefix(24).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return "\(nodePrefix)\(String(decoding: bytes, as: UTF8.self))_\(SHA256.hex(name, digits: 8))"
    }
}
