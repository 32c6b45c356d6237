import BrokerSession
import Configuration
import Store
import Support
import Testing
import WireProtocol

@testable import Fuser

/// Changes that a fuser sees at the broker, or makes by itself.
@Suite struct SeenChangesAuditTests {
    private let folder: TemporaryFolder
    private let clock = ModelClock()
    private let topics = AuditedFuser.topics
    private let pictures = [[UInt8](repeating: 1, count: 5000), [UInt8](repeating: 2, count: 5000)]

    init() throws { folder = try TemporaryFolder() }

    private func start() throws -> AuditedFuser { try AuditedFuser(folder.file("fuser.sqlite"), clock) }

    @Test("Record the size and digest of a floor's picture that somebody publishes, once, also after a pause")
    func picture() throws {
        var fuser = try start()
        let topic = topics.floorPicture("ground")
        fuser.receive(topic, pictures[0], retained: true)
        #expect(try fuser.rows.isEmpty)
        for picture in [pictures[1], pictures[1], pictures[0]] { fuser.receive(topic, picture) }
        var rows = try fuser.rows
        try #require(rows.count == 2)
        #expect(rows.allSatisfy { $0.action == "picture" && $0.subject == "floor/ground" })
        #expect(rows[0].after?.hasPrefix(#"{"floor":"ground","bytes":5000,"sha256":""#) == true)
        #expect(rows[0].before == rows[1].after && rows[0].after == rows[1].before)
        fuser.end()
        clock.pass(100)
        fuser = try start()
        fuser.receive(topic, pictures[0], retained: true)
        #expect(try fuser.rows.count == 2)
        fuser.receive(topic, [])
        rows = try fuser.rows
        try #require(rows.count == 3)
        #expect(rows[2].after == #"{"floor":"ground","bytes":0}"#)
        fuser.end()
        fuser = try start()
        fuser.receive(topic, pictures[1], retained: true)
        rows = try fuser.rows
        try #require(rows.count == 4)
        #expect(rows[3].before == rows[2].after && rows[3].after == rows[0].after)
        fuser.end()
    }

    @Test("Write the changes of a turn in one transaction, and a thousand at most")
    func bulk() throws {
        let fuser = try start()
        let before = fuser.transactions
        for number in 0..<900 { fuser.receiveEntry("item-\(number)", name: "Item") }
        #expect(fuser.transactions == before)
        // The last one changes what waits.
        fuser.receiveEntry("item-0", name: "Pump")
        let rows = try fuser.rows
        #expect(fuser.transactions == before + 1 && rows.count == 901)
        #expect(rows.last?.before == rows.first?.after && rows.last?.before != nil)
        for number in 0..<1500 { fuser.receiveEntry("other-\(number)", name: "Other") }
        #expect(fuser.transactions == before + 2)
        fuser.end()
    }

    @Test("Record a picture of the page once, though it comes back")
    func ownPicture() throws {
        let fuser = try start()
        let message = Message(topic: topics.floorPicture("ground"), payload: pictures[0], retained: true)
        let change = fuser.service.pictureChange(message, of: "ground")
        fuser.service.record([change], by: AuditOrigin(gateway: "page"), status: 200, at: fuser.now)
        fuser.receive(message.topic, message.payload)
        #expect(try fuser.rows.count == 1)
        fuser.end()
    }

    @Test("Record that the status of a node or fuser was cleared, and none that a program publishes")
    func forgetting() throws {
        let fuser = try start()
        for status in ["online", "offline", ""] {
            fuser.receive(topics.nodeStatus("kitchen"), Array(status.utf8))
            fuser.receive(topics.fuserStatus("second"), Array(status.utf8))
        }
        let rows = try fuser.rows
        #expect(rows.map(\.action) == ["forget", "forget"] && rows.map(\.user) == ["", ""])
        #expect(rows.map(\.subject) == ["node/kitchen", "fuser/second"])
        fuser.end()
    }

    @Test("Record which keys of the configuration have other values after a reload")
    func reload() throws {
        let fuser = try start()
        let lines = "name: main\nmqtt: {url: \"mqtt://broker.lan\"}\n"
        let path = try folder.write(Array(lines.utf8), to: "fuser.yaml")
        let read = { try FuserConfiguration.load(path: path, environment: [:]) }
        fuser.service.configuration = ConfigurationInForce(
            ConfigurationReload(try read(), read: read), fuser.service.configuration.overrides)
        fuser.service.reloadConfiguration()
        #expect(try fuser.rows.isEmpty)
        _ = try folder.write(Array((lines + "rooms: [{id: hall}]\nhistory: 60d\n").utf8), to: "fuser.yaml")
        fuser.service.reloadConfiguration()
        let row = try #require(fuser.rows.first)
        #expect(row.action == "settings" && row.subject == "fuser/main" && row.method == "reload")
        #expect(row.after == #"{"keys":["rooms"]}"# && row.user == "" && row.proof == "")
        fuser.end()
    }
}
