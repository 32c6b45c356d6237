import Configuration
import WireProtocol
import Support
import Testing

@testable import Fuser
import System

@Suite("The keys that a fuser reads for ESPresense's ids") struct ExternalKeysTests {
    @Test("Of two items with one key it is the first by id that is heard, as with a node")
    func twins() throws {
        let folder = try TemporaryFolder()
        for name in ["a.irk", "b.irk"] {
            _ = try folder.write(Array("000102030405060708090a0b0c0d0e0f\n".utf8), to: name)
            try setMode(0o600, of: folder.file(name))
        }
        let items = "- {id: b, irk_file: b.irk}\n- {id: a, irk_file: a.irk}\n"
        _ = try folder.write(Array(items.utf8), to: "items.yaml")
        let fuser = "mqtt: {url: 'mqtt://h'}\nitems: items.yaml\ninputs: {espresense: true}\n"
        _ = try folder.write(Array(fuser.utf8), to: "fuser.yaml")
        let configuration = try FuserConfiguration.load(path: folder.file("fuser.yaml"), environment: [:])
        var fused = Fused()
        fused.pipeline.listen(to: configuration, Log(environment: [:]))
        for second in 1...12 {
            let topic = "espresense/devices/irk:000102030405060708090a0b0c0d0e0f/hall"
            fused.receive(Message(topic: topic, text: #"{"rssi":-60}"#), at: Double(second) + 0.5)
        }
        fused.advance(to: 14)
        #expect(fused.texts("whereabouts/items/a/room") == ["hall"] && fused.texts("whereabouts/items/b/room").isEmpty)
    }

    @Test("A key file that was changed counts with the next connection, of whichever system is listened to")
    func renewed() throws {
        let folder = try TemporaryFolder()
        func write(_ key: String) throws {
            _ = try folder.write(Array("\(key)\n".utf8), to: "phone.irk")
            try setMode(0o600, of: folder.file("phone.irk"))
        }
        try write("000102030405060708090a0b0c0d0e0f")
        _ = try folder.write(Array("- {id: phone, irk_file: phone.irk}\n".utf8), to: "items.yaml")
        let fuser = "mqtt: {url: 'mqtt://h'}\nitems: items.yaml\ninputs: {theengs: true}\n"
        _ = try folder.write(Array(fuser.utf8), to: "fuser.yaml")
        let configuration = try FuserConfiguration.load(path: folder.file("fuser.yaml"), environment: [:])
        var fused = Fused()
        let log = Log(environment: [:])
        fused.pipeline.listen(to: configuration, log)
        try write("ec0234a357c8ad05341010a60a397d9b")
        let message = Message(topic: "home/hall/BTtoMQTT/7081940DFBAA", text: #"{"id":"70:81:94:0D:FB:AA","rssi":-60}"#)
        for second in 1...12 { fused.receive(message, at: Double(second) + 0.5) }
        fused.advance(to: 14)
        #expect(fused.texts("whereabouts/items/phone/room").last != "hall")
        fused.pipeline.use(externalKeys: FuserPipeline.externalKeys(of: configuration, log))
        for second in 15...26 { fused.receive(message, at: Double(second) + 0.5) }
        fused.advance(to: 28)
        #expect(fused.texts("whereabouts/items/phone/room").last == "hall")
    }
}
