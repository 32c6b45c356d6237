import Bytes
import Foundation
import Identity
import Integrations
import Testing

/// The rows of messages that lie beside the repository: read, and where the form is one that is written, written again.
@Suite("Recorded messages of other systems")
struct SharedPayloadTests {
    /// The payloads that aren't read, with the reasons.
    static let notOurs = [
        "companion_state": "what Companion makes of nodes' messages: an answer beside ours, and no reading",
        "companion_attributes": "likewise",
    ]

    static let inputs = IntegrationInputs([
        .espresense: "espresense", .theengs: "home", .mqttRoom: "room_presence", .raddec: "paretoanywhere",
    ])

    /// A row's topic, with names in place of those that it leaves open.
    private static func topic(_ row: [String: Any], _ payload: [String: Any]) -> String {
        guard let topic = row["topic"] as? String else { return "espresense/devices/\(payload["id"] ?? "")/office" }
        return topic.replacing("room-assistant/mqtt-room/", with: "room_presence/").replacing("<room>", with: "office")
            .replacing("<gateway>", with: "gate").replacing("<id>", with: "wallet")
    }

    @Test("Read and write each row, or list it as unsupported with the reason")
    func rows() throws {
        let rows = try SharedRows.read("foreign-payloads.jsonl", atLeast: 17)
        var read = 0
        for row in rows {
            let name = try #require(row["name"] as? String)
            guard Self.notOurs[name] == nil else { continue }
            var payload = try #require(row["payload"] as? [String: Any])
            if payload["id"] as? String == "<MAC>" { payload["id"] = "AA:BB:CC:DD:EE:FF" }
            let (topic, bytes) = (Self.topic(row, payload), SharedRows.bytes(payload))
            read += 1
            if topic.hasSuffix("/telemetry") {
                try telemetry(bytes)
                continue
            }
            let words = try #require(try Self.inputs.readMessages(on: topic, bytes.span), "\(name)").words
            switch name.split(separator: "_")[0] {
            case "espresense":
                if topic.contains("/settings/") {
                    #expect(words == [.alias("<alias>", for: .alias("wallet"))])
                } else {
                    try device(words, bytes, payload)
                }
            case "theengs", "omg": try gateway(name, words, payload)
            default: try room(words, bytes, payload)
            }
        }
        #expect(rows.isEmpty || read >= 15)
    }

    private func reading(_ words: [ExternalMessage]) throws -> ExternalReading {
        guard case .reading(let reading) = try #require(words.first) else { throw Fault.noReading }
        return reading
    }

    private func device(_ words: [ExternalMessage], _ bytes: [UInt8], _ payload: [String: Any]) throws {
        let reading = try reading(words)
        #expect(reading.level == payload["rssi"] as? Double && reading.distance == payload["distance"] as? Double)
        #expect(reading.power == payload["rssi@1m"] as? Int)
        let id = try #require(payload["id"] as? String)
        if case .beacon(let beacon) = reading.names[0] { #expect(beacon.espresense == id) }
        #expect(reading.names[0] == ExternalName(espresense: id))
        var json = JSONWriter()
        try ESPresenseDevice(payload: bytes.span).write(to: &json)
        #expect(SharedRows.object(json.bytes) == SharedRows.object(bytes))
    }

    private func telemetry(_ bytes: [UInt8]) throws {
        let telemetry = try ESPresenseTelemetry(payload: bytes.span)
        var json = JSONWriter()
        telemetry.write(to: &json)
        let (written, honest) = (SharedRows.object(json.bytes), SharedRows.object(bytes))
        #expect(written?.count == 6)
        for (key, value) in written ?? [:] { #expect(honest?[key] as? NSObject == value as? NSObject) }
    }

    private func gateway(_ name: String, _ words: [ExternalMessage], _ payload: [String: Any]) throws {
        guard name != "theengs_presence" else {
            #expect(words == [.nothing])
            return
        }
        let reading = try reading(words)
        #expect(reading.level == payload["rssi"] as? Double)
        let id = try #require((payload["id"] as? String).flatMap { BeaconID($0) })
        #expect(reading.names.last == .beacon(id))
        #expect((reading.oddity != nil) == (name == "theengs_decoded_apple"))
        #expect(reading.names.count == (name == "omg_ibeacon" ? 2 : 1))
    }

    private func room(_ words: [ExternalMessage], _ bytes: [UInt8], _ payload: [String: Any]) throws {
        #expect(try reading(words).distance == payload["distance"] as? Double)
        var message = try MQTTRoomMessage(payload: bytes.span)
        message.origin = nil
        var json = JSONWriter()
        message.write(to: &json)
        #expect(SharedRows.object(json.bytes) == SharedRows.object(bytes))
    }

    private enum Fault: Error { case noReading }
}
