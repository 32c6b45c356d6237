import Bytes
import Store
import Support
import Testing
import WireProtocol

@testable import Fuser

/// The names of changes, by which the audits of several fusers are merged.
@Suite struct ChangeNamesAuditTests {
    private let folder: TemporaryFolder
    private let clock = ModelClock()
    private let topics = AuditedFuser.topics

    init() throws { folder = try TemporaryFolder() }

    private func start(_ name: String = "main") throws -> AuditedFuser {
        try AuditedFuser(folder.file("\(name).sqlite"), clock)
    }

    @Test("Record each of several changes of a node's settings within a minute, with one name at all fusers")
    func settings() throws {
        let fusers = [try start(), try start("second")]
        for offset in [0, 3, 0, 3, 3, 0, 3] {
            for fuser in fusers { fuser.receiveInfo(offset: offset) }
        }
        let rows = try fusers.map { try $0.rows }
        #expect(rows[0].count == 5 && Set(rows[0].map(\.change)).count == 5)
        #expect(rows[0].map(\.change) == rows[1].map(\.change))
        #expect(rows[0].allSatisfy { $0.before != $0.after && $0.action == "settings" })
        for fuser in fusers { fuser.end() }
    }

    @Test("Name two equal commands of the page within a minute differently, and record neither again")
    func offsets() throws {
        let fuser = try start()
        fuser.connect()
        defer { fuser.disconnect() }
        let topic = topics.nodeCommand("kitchen")
        for offset in [3, 0, 3] {
            _ = fuser.service.setOffset(offset, of: "kitchen", by: "anna")
            fuser.service.record(
                fuser.service.audit.changes, by: AuditOrigin(gateway: "page"), status: 200, at: fuser.now)
            fuser.service.audit.changes.removeAll()
            let sent = fuser.service.outbox.last { $0.topic == topic }
            fuser.receive(topic, try #require(sent).payload)
        }
        let rows = try fuser.rows
        #expect(rows.count == 3 && Set(rows.map(\.change)).count == 3)
        #expect(rows.first?.after == rows.last?.after && rows.first?.after?.contains(#""id""#) == false)
        fuser.end()
    }
}
