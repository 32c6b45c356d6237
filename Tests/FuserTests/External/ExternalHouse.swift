import Fuser
import HouseTracking
import Identity
import Integrations
import RoomEstimation
import WireProtocol

/// A fuser that listens to other systems, with registered items, on a virtual wall clock.
struct ExternalHouse {
    static let keys = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"
    static let device = "espresense/devices/\(keys)"

    var fused = Fused()
    /// What it said of the keys, as told.
    var rooms: [String] { fused.texts("whereabouts/items/keys/room") }

    init(
        rooms: [String] = [], nodes: [String: String] = [:], aliases: [String: String] = [:],
        keys: [[UInt8]: String] = [:], shards: ClosedRange<UInt8> = 0...255,
        systems: [IntegrationSystem] = IntegrationSystem.allCases, persons: [Person] = []
    ) {
        var settings = Household.Settings(fuser: "main", epoch: "00000001")
        for room in rooms { settings.house.addRoom(room) }
        settings.roomOfNode = nodes
        let items = [
            Item(id: "keys", name: "Keys", identities: [BeaconID(Self.keys)].compactMap { $0 }),
            Item(id: "cat", identities: [BeaconID("eddystone:00010203040506070809-010203040506")].compactMap { $0 }),
            Item(id: "tag", identities: [.address(0xDD88_0000_3777)]),
        ]
        fused.pipeline = FuserPipeline(settings: settings, items: items, shards: shards, persons: persons)
        let roots = Dictionary(uniqueKeysWithValues: systems.map { ($0, $0.defaultRoot) })
        fused.pipeline.listen(
            to: IntegrationInputs(roots), aliases: aliases, keys: keys, areRoomsNamed: !rooms.isEmpty)
    }

    mutating func say(_ topic: String, _ payload: String, at seconds: Double, retained: Bool = false) {
        fused.receive(Message(topic: topic, payload: Array(payload.utf8), retained: retained), at: seconds)
    }

    /// A device message of an ESPresense node.
    mutating func espresense(_ room: String, _ level: Double, at seconds: Double, id: String = keys) {
        say("espresense/devices/\(id)/\(room)", #"{"rssi":\#(level),"rssi@1m":-59}"#, at: seconds)
    }

    /// The item's last answer.
    func location(_ item: String = "keys") throws -> Location? {
        try fused.outbox.last { $0.topic == "whereabouts/items/\(item)/location" }
            .map { try Location(payload: $0.payload.span) }
    }

    var complaints: [String] {
        mutating get { fused.pipeline.takeComplaints().map(\.words) }
    }
}
