import Fuser
import WireProtocol
import Support
import Testing

@Suite("Spoilt messages of other systems")
struct ExternalHostileTests {
    static let subjects: [(topic: String, honest: String)] = [
        (
            "espresense/devices/dd8800003777/hall",
            #"{"mac":"dd8800003777","id":"dd8800003777","rssi@1m":-59,"rssi":-81.1,"rxAdj":0,"rssiVar":7.4,"distance":6.6,"#
                + #""var":4.0,"int":2028,"mV":2950,"temp":21.5}"#
        ),
        ("espresense/rooms/hall/status", "online"), ("espresense/settings/dd8800003777/config", #"{"id":"wallet"}"#),
        ("home/hall/BTtoMQTT/DD8800003777", #"{"id":"DD:88:00:00:37:77","rssi":-78,"manufacturerdata":"4c00"}"#),
        ("home/hall/presence", #"{"id":"DD:88:00:00:37:77","presence":"absent"}"#), ("home/hall/LWT", "online"),
        ("room_presence/hall", #"{"id":"tag","name":"Tag","distance":1.5,"rssi":-70}"#),
        (
            "paretoanywhere/devices/dd8800003777/2/raddec",
            #"{"transmitterId":"dd8800003777","transmitterIdType":2,"rssiSignature":[{"receiverId":"00","rssi":-83,"#
                + #""numberOfDecodings":2}],"packets":["00"],"timestamp":1547693457133}"#
        ),
    ]

    @Test("Each filter has its subject here") func complete() {
        let house = ExternalHouse()
        let filters = house.fused.pipeline.subscriptions.map(\.filter).filter { !$0.hasPrefix("whereabouts/") }
        #expect(filters.count == 8)
        for filter in filters {
            #expect(Self.subjects.contains { TopicFilter.matches(filter, $0.topic) }, "\(filter)")
        }
    }

    @Test("They trap nothing, move nothing of the keys, and are counted and told", arguments: subjects.indices)
    func all(_ index: Int) {
        let (topic, honest) = Self.subjects[index]
        var house = ExternalHouse(rooms: ["kitchen", "hall"])
        house.fused.info("kitchen")
        var messages: [Message] = []
        for (_, payload) in HostilePayload.payloads(of: Array(honest.utf8)) {
            for retained in [false, true] {
                messages.append(Message(topic: topic, payload: payload, retained: retained))
            }
        }
        let each = messages.count / 20 + 1
        for second in 1...30 {
            for message in messages.dropFirst(max(0, second - 5) * each).prefix(second >= 5 ? each : 0) {
                house.fused.receive(message, at: Double(second) - 0.5)
            }
            house.fused.interval("kitchen", Double(second), ["keys"])
        }
        #expect(house.rooms == ["kitchen"])
        let noObjects = HostilePayload.all.filter(\.isNoObject).count
        #expect(house.fused.pipeline.refused >= UInt64(2 * noObjects))
        #expect(house.complaints.contains { $0.contains("messages refused") })
    }

    @Test(
        "A person is no thing: what others call so moves nobody, and is told",
        arguments: [
            ("room_presence/hall", #"{"id":"anna","distance":1}"#), ("room_presence/hall", #"{"id":"x","distance":1}"#),
            ("espresense/devices/x/hall", #"{"rssi":-50}"#), ("espresense/devices/dd8800003778/hall", #"{"rssi":-50}"#),
        ])
    func persons(topic: String, payload: String) throws {
        var house = ExternalHouse(
            rooms: ["kitchen", "hall"], aliases: ["x": "anna"],
            persons: [Person(id: "anna", name: "Anna", items: ["keys"])])
        house.fused.info("kitchen")
        house.say(
            "whereabouts/items/anna/config", #"{"v":1,"id":"anna","address":"dd:88:00:00:37:78"}"#, at: 0,
            retained: true)
        for second in 1...40 {
            house.fused.interval("kitchen", Double(second), ["keys"])
            house.say(topic, payload, at: Double(second) + 0.3)
        }
        #expect(try house.location("anna")?.room == "kitchen")
        #expect(!house.fused.texts("whereabouts/items/anna/room").contains("hall"))
        let told = house.fused.outbox.filter { $0.topic == "whereabouts/items/anna/location" }
        #expect(told.allSatisfy { String(decoding: $0.payload, as: UTF8.self).contains(#""person":true"#) })
        #expect(house.complaints.contains { $0.contains("anna") })
    }

    @Test(
        "A key in a topic is shown to nobody, however spoilt the message, and no topic fills the log",
        arguments: [
            ("espresense/devices/irk:00112233445566778899aabbccddeeff/hall", "["),
            ("espresense/devices/irk:00112233445566778899aabbccddeeff/", #"{"rssi":-50}"#),
            ("espresense/settings/irk:00112233445566778899aabbccddee/config", #"{"id":"wallet"}"#),
            ("espresense/devices/00112233445566778899aabbccddeeff/", #"{"rssi":-50}"#),
            ("home/irk:00112233445566778899aabbccddeeff/LWT", "x"),
            ("room_presence/\(String(repeating: "x", count: 60_000))", #"{"id":"keys","distance":1}"#),
            ("whereabouts/items/irk:00112233445566778899aabbccddeeff/config", "{}"),
        ])
    func topics(topic: String, payload: String) {
        var house = ExternalHouse()
        house.say(topic, payload, at: 1)
        let words = house.complaints
        #expect(words.contains { $0.contains("refused") }, "\(words)")
        #expect(words.allSatisfy { !$0.contains("0011223344") && $0.count < 400 }, "\(words.map { $0.prefix(400) })")
    }
}
