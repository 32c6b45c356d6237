import Bytes
import Foundation
import Identity
import Integrations
import WireProtocol
import Support
import Testing

@Suite("Messages of other systems")
struct ForeignPayloadTests {
    static let inputs = IntegrationInputs([
        .espresense: "espresense", .theengs: "home", .mqttRoom: "room_presence", .raddec: "paretoanywhere",
    ])

    /// An honest message of each topic that is read.
    static let honest: [(topic: String, payload: String)] = [
        (
            "espresense/devices/iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1/office",
            #"{"mac":"dd8800003777","id":"iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1","rssi@1m":-59,"rssi":-81.1,"#
                + #""rxAdj":0,"rssiVar":7.42,"distance":6.58,"var":4.0,"int":2028,"mV":2950,"batt":88,"temp":21.5,"rh":40.5}"#
        ),
        ("espresense/rooms/office/status", "online"),
        (
            "espresense/settings/iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1/config",
            #"{"id":"wallet","name":"Wallet"}"#
        ),
        (
            "home/OpenMQTTGateway/BTtoMQTT/6087574C9BC2",
            #"{"id":"60:87:57:4C:9B:C2","mac_type":1,"rssi":-78,"distance":7.8,"uuid":"48534442"#
                + #"4c45414480c01800fffffff0","major":100,"minor":1,"txpower":-66,"volt":2.95,"batt":88,"tempc":21.5,"hum":40.5}"#
        ),
        (
            "home/OpenMQTTGateway/BTtoMQTT/undecoded",
            #"{"id":"54:94:5E:9F:64:C4","rssi":-74,"servicedatauuid":"0xfeaa","#
                + #""servicedata":"00ee00112233445566778899aabbccddeeff0000"}"#
        ),
        ("home/OpenMQTTGateway/presence", #"{"id":"60:87:57:4C:9B:C2","presence":"absent"}"#),
        ("home/OpenMQTTGateway/LWT", "offline"),
        ("room_presence/living_room", #"{"id":"dd8800003777","name":"Cat","distance":1.5,"rssi":-70}"#),
        (
            "paretoanywhere/devices/fee150bada55/3/raddec",
            #"{"transmitterId":"fee150bada55","transmitterIdType":3,"rssiSignature":[{"receiverId":"001bc50940810000","#
                + #""receiverIdType":1,"rssi":-83,"numberOfDecodings":2},{"receiverId":"001bc50940810001","#
                + #""receiverIdType":1,"rssi":-91,"numberOfDecodings":1}],"#
                + #""packets":["422455daba50e1fe0201061aff4c000215485344424c45414480c01800fffffff000640001c5"],"#
                + #""timestamp":1547693457133}"#
        ),
    ]

    static let keys = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"

    private func words(_ topic: String, _ text: String) throws -> [ExternalMessage] {
        try #require(try Self.inputs.readMessages(on: topic, Array(text.utf8).span)).words
    }

    private func readings(_ topic: String, _ text: String) throws -> [ExternalReading] {
        try words(topic, text).compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
    }

    private func readings(_ index: Int) throws -> [ExternalReading] {
        try readings(Self.honest[index].topic, Self.honest[index].payload)
    }

    @Test("An ESPresense node's device message")
    func device() throws {
        let reading = try #require(try readings(0).first)
        #expect(reading.node == "office" && reading.names.count == 2)
        #expect(reading.names.first == BeaconID(Self.keys).map { .beacon($0) })
        #expect(reading.names.last == .beacon(.address(0xDD88_0000_3777)))
        #expect(reading.level == -81.1 && reading.power == -59 && reading.distance == 6.58 && reading.variance == 4)
        #expect(reading.telemetry.batteryMillivolts == 2950 && reading.telemetry.temperatureCelsius == 21.5)
        #expect(
            reading.telemetry.number("battery_percent") == 88 && reading.telemetry.number("humidity_percent") == 40.5)
        #expect(try words(Self.honest[1].topic, "offline") == [.status(node: "office", isOnline: false)])
        let id = try #require(BeaconID(Self.keys))
        #expect(try words(Self.honest[2].topic, Self.honest[2].payload) == [.alias("wallet", for: .beacon(id))])
    }

    @Test("A decoded and an undecoded message of a gateway, and its own status")
    func gateway() throws {
        let decoded = try #require(try readings(3).first)
        #expect(decoded.node == "OpenMQTTGateway" && decoded.level == -78 && decoded.power == -66)
        #expect(decoded.names == [BeaconID(Self.keys).map { .beacon($0) }, .beacon(.address(0x6087_574C_9BC2))])
        #expect(decoded.telemetry.batteryMillivolts == 2950)
        #expect(
            decoded.telemetry.number("battery_percent") == 88 && decoded.telemetry.number("humidity_percent") == 40.5)
        let raw = try #require(try readings(4).first)
        let eddystone = try #require(BeaconID("eddystone:00112233445566778899-aabbccddeeff"))
        #expect(raw.names == [.beacon(eddystone), .beacon(.address(0x5494_5E9F_64C4))] && raw.power == -59)
        #expect(try words(Self.honest[5].topic, Self.honest[5].payload) == [.nothing])
        #expect(try words(Self.honest[6].topic, "online") == [.status(node: "OpenMQTTGateway", isOnline: true)])
    }

    @Test("Read a raddec for each of its receivers, with the beacon in its packets")
    func raddec() throws {
        let readings = try readings(8)
        #expect(readings.map(\.node) == ["001bc50940810000", "001bc50940810001"])
        #expect(readings.map(\.level) == [-83, -91] && readings.map(\.count) == [2, 1])
        let id = try #require(BeaconID(Self.keys))
        for reading in readings { #expect(reading.names == [.beacon(id), .beacon(.address(0xFEE1_50BA_DA55))]) }
    }

    @Test("Leave out and report a gateway's value that isn't hexadecimal, and use the rest")
    func oddity() throws {
        let reading = try #require(
            try readings(
                "home/g/BTtoMQTT/112233445566",
                #"{"manufacturerdata":"2c0q1006191e7v30x6fa","id":"11:22:33:44:55:66","rssi":-42}"#
            ).first)
        #expect(reading.oddity == "'manufacturerdata' is not hexadecimal" && reading.level == -42)
        #expect(reading.names == [.beacon(.address(0x1122_3344_5566))])
    }

    @Test("Ignore our own messages")
    func own() throws {
        var device = ESPresenseDevice()
        device.level = -60
        device.origin = ESPresenseDevice.ownOrigin
        #expect(try words("espresense/devices/keys/kitchen", Self.text { device.write(to: &$0) }) == [.nothing])
        let room = MQTTRoomMessage(id: "keys", name: nil, distance: 1)
        #expect(try words("room_presence/kitchen", Self.text { room.write(to: &$0) }) == [.nothing])
    }

    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return json.text
    }

    static let refused: [(topic: String, payload: String, words: String)] = [
        ("espresense/devices/dd8800003777/office", #"{"rssi":-300}"#, "'rssi' is out of range"),
        ("espresense/devices/dd8800003777/office", #"{"rssi":"-60"}"#, "expected a number"),
        ("espresense/devices/dd8800003777/office", #"{"name":"Cat"}"#, "'rssi' is missing"),
        ("espresense/devices/dd8800003777/office", #"{"id":"other","rssi":-60}"#, "'id' is out of range"),
        ("espresense/devices/dd8800003777/office", #"{"rssi":-60,"distance":1e300}"#, "'distance' is out of range"),
        ("espresense/devices/irk:1234/office", #"{"rssi":-60}"#, "'id' is out of range"),
        ("espresense/rooms/office/status", "perhaps", "neither online nor offline"),
        ("home/g/BTtoMQTT/x", #"{"id":"<MAC>","rssi":-60}"#, "'id' is out of range"),
        ("home/g/BTtoMQTT/x", #"{"id":"11:22:33:44:55:66"}"#, "'rssi' is missing"),
        (
            "home/g/BTtoMQTT/x", #"{"id":"11:22:33:44:55:66","rssi":-60,"uuid":"1","major":1,"minor":1}"#,
            "'uuid' is out of range"
        ),
        ("home/g/presence", #"{"id":"11:22:33:44:55:66","presence":"maybe"}"#, "'presence' is out of range"),
        ("room_presence/kitchen", #"{"id":"keys","distance":-3}"#, "'distance' is out of range"),
        ("room_presence/kitchen", #"{"distance":3}"#, "'id' is missing"),
        (
            "paretoanywhere/devices/a/2/raddec", #"{"transmitterId":"zz","transmitterIdType":2,"rssiSignature":[{}]}"#,
            "'transmitterId' is out of range"
        ),
        ("paretoanywhere/devices/a/2/raddec", #"{"transmitterId":"aabbccddeeff"}"#, "'transmitterIdType' is missing"),
    ]

    @Test("Reject invalid messages with the reason", arguments: refused)
    func refusals(_ row: (topic: String, payload: String, words: String)) {
        let error = #expect(throws: IntegrationFault.self) {
            _ = try Self.inputs.readMessages(on: row.topic, Array(row.payload.utf8).span)
        }
        #expect(error.map { "\($0)".contains(row.words) } == true, "\(String(describing: error))")
    }

    @Test("Read no other topics")
    func topics() throws {
        for topic in [
            "espresense", "espresense/", "espresenseX/devices/a/b", "espresense/companion/keys", "home/g", "x/y",
            "espresense/rooms/office/telemetry", "home/g/commands/MQTTtoBT/config", "room_presence/a/b",
        ] { #expect(try Self.inputs.readMessages(on: topic, Array("{}".utf8).span) == nil, "\(topic)") }
        #expect(Self.inputs.filters.count == 8)
    }

    @Test("Never trap on spoilt payloads of any kind, and reject those that are no object")
    func hostile() {
        var refused = 0
        for (topic, payload) in Self.honest {
            let honest = Array(payload.utf8)
            for (kind, spoilt) in HostilePayload.payloads(of: honest) {
                let isTaken = (try? Self.inputs.readMessages(on: topic, spoilt.span)) != nil
                if kind.isNoObject { #expect(!isTaken, "\(kind) on \(topic)") }
                if !isTaken { refused += 1 }
            }
        }
        #expect(refused > HostilePayload.all.filter(\.isNoObject).count * Self.honest.count)
    }
}
