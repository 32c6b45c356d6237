internal import Crypto
internal import WireProtocol

/// Another system that tells of the same beacons on the same broker.
public enum NeighbourSystem: String, CaseIterable, Hashable, Sendable {
    /// ESPresense: its device messages (src/BleFingerprint.cpp, `fill`), room status and device settings.
    case espresense
    /// Theengs Gateway and OpenMQTTGateway.
    case theengs
    /// Whatever tells a room's distances as Home Assistant's `mqtt_room` reads them.
    case mqttRoom = "mqtt_room"
    /// reelyActive's raddec as JSON (github.com/reelyactive/raddec).
    case raddec

    /// What its topics begin with where its own defaults stand: those of `mqtt_room` are Home Assistant's example.
    public var defaultRoot: String {
        switch self {
        case .espresense: "espresense"
        case .theengs: "home"
        case .mqttRoom: "room_presence"
        case .raddec: "paretoanywhere"
        }
    }

    /// The filters of what it tells, under a root, all of QoS 0.
    public func filters(under root: String) -> [String] {
        switch self {
        case .espresense: ["\(root)/devices/+/+", "\(root)/rooms/+/status", "\(root)/settings/+/config"]
        case .theengs: ["\(root)/+/BTtoMQTT/+", "\(root)/+/presence", "\(root)/+/LWT"]
        case .mqttRoom: ["\(root)/+"]
        case .raddec: ["\(root)/devices/+/+/raddec"]
        }
    }

    /// What the ids of its nodes begin with.
    public var nodePrefix: String { rawValue + "-" }

    /// The id here of a node that calls itself `name` there, an id as all are: with digits of a digest where the name holds
    /// what an id doesn't.
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
