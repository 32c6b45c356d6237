import Bytes
import Integrations

extension Foreign {
    private static let beacon = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-7"
    private static let eddystone = "eddy:0011223344445566778899-0123456789ab"
    private static let key = "irk:8b3958c158ed64467bd27bc90d3cf54d"

    static var messageSeeds: [[UInt8]] {
        (espresense + rooms + theengs + raddec).map { Payloads.message($0.topic, $0.payload) }
    }

    private static var espresense: [(topic: String, payload: String)] {
        let topics = ESPresenseTopics()
        var device = ESPresenseDevice()
        (device.mac, device.id, device.name) = ("a4c138001122", beacon, "Keys")
        (device.levelAtOneMetre, device.level, device.adjustment) = (-65, -71.5, 2)
        (device.levelVariance, device.distance, device.distanceVariance) = (4.25, 2.31, 0.4)
        (device.interval, device.millivolts, device.temperature) = (1000, 2950, 21.5)
        var telemetry = ESPresenseTelemetry()
        (telemetry.uptime, telemetry.firmware, telemetry.version) = (3600, "whereabouts", "1.0")
        (telemetry.adverts, telemetry.seen, telemetry.reported) = (90_000, 80_000, 700)
        let written = { (write: (inout JSONWriter) -> Void) in
            String(decoding: Payloads.written(write), as: UTF8.self)
        }
        return [
            (topics.device(beacon, room: "hall"), written { device.write(to: &$0) }),
            (topics.device(eddystone, room: "living-room"), #"{"distance":3.5,"var":1.25,"mV":null}"#),
            (topics.device(key, room: "hall"), #"{"mac":"5a1b2c3d4e5f","id":"\#(key)","rssi":-60.25,"batt":77}"#),
            (topics.device("phone:anna", room: "Under the roof"), #"{"rssi":-88,"name":"Anna\u2019s","close":true}"#),
            (topics.device(beacon, room: "den"), #"{"id":"\#(beacon)","rssi":-60,"origin":"whereabouts"}"#),
            (topics.status("hall"), "online"), (topics.status("den"), "offline"),
            (topics.telemetry("hall"), written { telemetry.write(to: &$0) }),
            ("espresense/settings/known:a4c138001122/config", #"{"id":"keys","name":"Keys","rssi@1m":-59}"#),
            ("espresense/settings/\(key)/config", #"{"id":"phone"}"#),
        ]
    }

    private static var rooms: [(topic: String, payload: String)] {
        var message = MQTTRoomMessage(id: beacon, name: "Keys", distance: 2.345)
        message.level = -61.25
        message.origin = nil
        let text = String(decoding: Payloads.written { message.write(to: &$0) }, as: UTF8.self)
        return [
            ("room_presence/hall", text),
            ("room_presence/den", #"{"id":"c4:00:00:00:00:01","distance":0,"uniqueId":"x"}"#),
        ]
    }

    private static var theengs: [(topic: String, payload: String)] {
        [
            (
                "home/cellar/BTtoMQTT/A4C138001122",
                #"{"id":"A4:C1:38:00:11:22","rssi":-70,"brand":"x","model_id":"IBEACON","txpower":-59,"volt":2.95,"#
                    + #""uuid":"48534442-4c45-4144-80c0-1800fffffff0","major":100,"minor":7,"distance":4.2,"tempc":21.5}"#
            ),
            (
                "home/cellar/BTtoMQTT/A4C138001122",
                #"{"id":"A4:C1:38:00:11:22","rssi":-70,"manufacturerdata":"4c000215485344424c45414480c01800fffffff000640007c5"}"#
            ),
            (
                "home/attic/BTtoMQTT/C00000000001",
                #"{"id":"C0:00:00:00:00:01","rssi":-70,"servicedatauuid":"0xfeaa","servicedata":"20000b8615800000303900018699"}"#
            ),
            (
                "home/attic/BTtoMQTT/C00000000001",
                #"{"id":"48534442-4c45-4144-80c0-1800fffffff0","mac":"C0:00:00:00:00:01","rssi":-70,"servicedata":""#
                    + #"00ee000102030405060708090a0b0c0d0e0f","servicedatauuid":"feaa"}"#
            ),
            ("home/cellar/LWT", "online"), ("home/cellar/presence", #"{"id":"A4:C1:38:00:11:22","presence":"absent"}"#),
        ]
    }

    private static var raddec: [(topic: String, payload: String)] {
        [
            (
                "paretoanywhere/devices/c00000000001/3/raddec",
                #"{"transmitterId":"c00000000001","transmitterIdType":3,"rssiSignature":[{"receiverId":"001bc50940810000","#
                    + #""receiverIdType":1,"rssi":-66,"numberOfDecodings":3},{"receiverId":"00-1b-c5","rssi":-81}],"packets":["#
                    + #""42240100000000c00201061aff4c000215485344424c45414480c01800fffffff000640007c5"],"timestamp":1795248000123}"#
            ),
            (
                "paretoanywhere/devices/0123456789abcdef/1/raddec",
                #"{"transmitterId":"0123456789abcdef","transmitterIdType":1,"rssiSignature":[{"receiverId":"aa:bb","rssi":-1}]}"#
            ),
        ]
    }

    static var nameSeeds: [[UInt8]] {
        [
            beacon, "altBeacon:48534442-4c45-4144-80c0-1800fffffff0-3-65535", eddystone,
            "eddystone:00112233445566778899-0123456789ab", key, "known:a4c138001122", "a4c138001122",
            "A4:C1:38:00:11:22",
            "phone:anna", "apple:1005:9-12", "name:keys", "node:hall", "living-room", "Under the roof", "irk:keys",
            "eid:keys",
        ].map { Array($0.utf8) }
    }
}
