import Bytes
import Daemon
import Sightings
import Support
import Testing

@testable import Fuser

@Suite("The keys that a fuser reads for ESPresense's ids") struct ForeignKeysTests {
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
}
