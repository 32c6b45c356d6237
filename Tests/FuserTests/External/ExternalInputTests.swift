import Fuser
import HouseTracking
import WireProtocol
import Support
import Testing

@Suite("What other systems' nodes hear")
struct ExternalInputTests {
    @Test("In a house of ESPresense nodes alone an item is in the room that hears it loudest, and moves")
    func rooms() {
        var house = ExternalHouse()
        for second in 1...60 {
            let (near, far) = second < 30 ? ("kitchen", "office") : ("office", "kitchen")
            house.espresense(near, -55, at: Double(second) + 0.2)
            house.espresense(far, -80, at: Double(second) + 0.4)
        }
        #expect(house.rooms == ["kitchen", "office"])
        #expect(house.complaints.isEmpty)
    }

    @Test("Each system places the keys, by its own form")
    func systems() throws {
        let words: [(String, String)] = [
            ("espresense/devices/\(ExternalHouse.keys)/hall", #"{"rssi":-60,"rssi@1m":-59,"mV":2900}"#),
            (
                "home/hall/BTtoMQTT/AABBCCDDEEFF",
                #"{"id":"AA:BB:CC:DD:EE:FF","rssi":-60,"uuid":"485344424c45414480c01800fffffff0","major":100,"minor":1}"#
            ),
            ("room_presence/hall", #"{"id":"keys","distance":2}"#),
            (
                "paretoanywhere/devices/fee150bada55/3/raddec",
                #"{"transmitterId":"fee150bada55","transmitterIdType":3,"rssiSignature":[{"receiverId":"001bc509"#
                    + #"40810000","rssi":-60,"numberOfDecodings":2}],"packets":"#
                    + #"["422455daba50e1fe0201061aff4c000215485344424c45414480c01800fffffff000640001c5"]}"#
            ),
        ]
        for (topic, payload) in words {
            var house = ExternalHouse(rooms: ["hall", "den"], nodes: ["raddec-001bc50940810000": "hall"])
            for second in 1...12 { house.say(topic, payload, at: Double(second) + 0.5) }
            house.fused.advance(to: 14)
            #expect(house.rooms == ["hall"], "\(topic)")
            #expect(house.complaints.isEmpty, "\(topic)")
        }
    }

    @Test("A name is the item's by its identity, its key, the configuration or ESPresense's own settings")
    func names() throws {
        let key: [UInt8] = Array(0...15)
        let hex = "000102030405060708090a0b0c0d0e0f"
        let backwards = "0f0e0d0c0b0a09080706050403020100"
        let names: [(String, String)] = [
            ("eddy:0001020304040506070809-010203040506", "cat"), ("dd8800003777", "tag"), ("known:dd8800003777", "tag"),
            ("irk:\(hex)", "phone"), ("irk:\(backwards)", "phone"), ("phone:hazri-test", "phone"), ("wallet", "keys"),
            ("tag", "tag"), ("apple:1006:10-12", "watch"),
        ]
        for (name, item) in names {
            var house = ExternalHouse(
                aliases: ["phone:hazri-test": "phone", "apple:1006:10-12": "watch"], keys: [key: "phone"])
            house.say(
                "espresense/settings/\(ExternalHouse.keys)/config", #"{"id":"wallet","name":"Wallet"}"#, at: 0.5,
                retained: true)
            for second in 1...10 { house.espresense("hall", -60, at: Double(second) + 0.5, id: name) }
            house.fused.advance(to: 12)
            #expect(try house.location(item)?.room == "hall", "\(name)")
            // No key is told to anybody.
            let all = house.fused.outbox.map { $0.topic + String(decoding: $0.payload, as: UTF8.self) }.joined()
            #expect(!all.contains(hex) && !all.contains(backwards) && !all.contains("irk"))
        }
    }

    @Test(
        "A key in a topic isn't told in a complaint either, and one that was mistyped isn't",
        arguments: [
            ("devices/irk:000102030405060708090a0b0c0d0e0f/hall", "{"),
            ("devices/irk:000102030405060708090a0b0c0d0e0f/hall/more", "{}"),
            ("devices/irk:000102030405060708090a0b0c0d0e0f/\(String(repeating: "a", count: 300))", "{}"),
            ("settings/irk:000102030405060708090a0b0c0d0e0/config", #"{"id":"phone"}"#),
            ("settings/irk:000102030405060708090a0b0c0d0e0f00/config", #"{"id":"phone"}"#),
        ])
    func keyUntold(_ topic: String, _ payload: String) {
        var house = ExternalHouse()
        house.say("espresense/\(topic)", payload, at: 1)
        let words = house.complaints.joined()
        #expect(words.contains("irk:…") && !words.contains("00010203"))
    }

    @Test("A node stands where the configuration says, else in the room of its name, else it is left out by name")
    func places() throws {
        var house = ExternalHouse(rooms: ["living-room", "den"], nodes: ["espresense-esp32-7": "den"])
        house.espresense("attic", -40, at: 1.1)
        for second in 1...10 {
            house.espresense("living_room", -50, at: Double(second) + 0.2)
            house.espresense("esp32-7", -80, at: Double(second) + 0.3)
        }
        house.fused.advance(to: 12)
        #expect(house.rooms == ["living-room"])
        let location = house.fused.texts("whereabouts/items/keys/location").last ?? ""
        #expect(location.contains("espresense-living_room") && !location.contains("attic"))
        #expect(house.complaints.contains { $0.contains("nobody told where it stands: espresense-attic") })
    }

    @Test("A node of ours with the name of another system's is left out and told")
    func clash() {
        var house = ExternalHouse()
        house.fused.info("espresense-kitchen")
        house.fused.interval("espresense-kitchen", 2, ["cup"])
        #expect(house.fused.pipeline.refused == 3)
        #expect(house.complaints.contains { $0.contains("give it another 'node'") })
    }

    @Test("What the broker kept of a moment, and what no item is, places nothing")
    func stale() throws {
        var house = ExternalHouse()
        house.say(ExternalHouse.device + "/hall", #"{"rssi":-60}"#, at: 1, retained: true)
        house.say("room_presence/hall", #"{"id":"keys","distance":0.1}"#, at: 1, retained: true)
        house.espresense("hall", -60, at: 1, id: "apple:1006:10-12")
        house.fused.advance(to: 5)
        #expect(house.rooms.isEmpty && house.fused.pipeline.refused == 2)
    }

    @Test("A fuser of other shards leaves the item to its own")
    func shards() {
        let shard = Topics.shardNumber(of: "keys")
        for (shards, told) in [(shard...shard, 1), ((shard &+ 1)...(shard &+ 1), 0)] {
            var house = ExternalHouse(shards: shards)
            for second in 1...5 { house.espresense("hall", -60, at: Double(second) + 0.5) }
            house.fused.advance(to: 8)
            #expect(house.rooms.count == told)
        }
    }

    @Test("More nodes than there is room for are left out and told")
    func bounds() {
        var house = ExternalHouse()
        for node in 0..<300 { house.espresense("room-\(node)", -60, at: 1 + Double(node) / 1000) }
        house.fused.advance(to: 3)
        #expect(house.complaints.contains { $0.contains("readings of other systems left out") })
        #expect(house.fused.pipeline.counters.processed == 256)
    }
}
