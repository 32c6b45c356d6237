import Configuration
import Identity
import Support
import Testing
import Web

@testable import WebInterface

/// Files of items over HTTP.
@Suite(.inTurn) struct ImportTests {
    private static let good = "id,name,address\nkeys,Keys,aa:bb:cc:dd:ee:ff\ncat,Cat,aa:bb:cc:dd:ee:fe\n"
    private static let bad = "id,name,address\nkeys,Keys,aa:bb:cc:dd:ee:ff\nKeys!,Cat,x\n"

    private static func post(
        _ body: String, _ type: String = "text/csv", preview: Bool = true, as token: String = PageFixture.operator
    ) throws -> (status: Int, body: String, asked: [ItemImport], isWrite: Bool) {
        let fixture = try PageFixture()
        let path = "/api/items/import" + (preview ? "?preview=true" : "")
        let answer = try fixture.send("POST", path, ["Content-Type: \(type)"], body: body, as: token)
        let asked = fixture.asked.compactMap { if case .importItems(let request) = $0.action { request } else { nil } }
        return (answer.status, answer.body, asked, fixture.asked.first?.action.isWrite ?? false)
    }

    @Test func readsTheFormsThatTheCommandReads() throws {
        let csv = try Self.post(Self.good)
        #expect(csv.status == 200 && csv.asked[0].document.changes.map(\.id) == ["keys", "cat"] && !csv.isWrite)
        let yaml = "- {id: keys, address: \"aa:bb:cc:dd:ee:ff\"}\n- {id: phone, irk_file: /etc/shadow}\n"
        let items = try Self.post(yaml, "application/yaml; charset=utf-8", preview: false)
        #expect(items.status == 200 && items.isWrite)
        #expect(items.asked[0].document.positions.map(\.line) == [1, 2])
        #expect(items.asked[0].document.changes.allSatisfy { !"\($0)".contains("shadow") }, "paths are a machine's own")
        let beacons =
            #"[{"id":1,"name":"Mug","info":{"uuid":"48534442-4c45-4144-80c0-1800fffffff0","major":1,"minor":2}}]"#
        #expect(try Self.post(beacons, "application/json").asked[0].document.changes.map(\.id) == ["mug"])
        #expect(try Self.post(Self.good, "text/plain").status == 415)
    }

    @Test func showsFaultsAndRegistersNothingOfAFaultyFile() throws {
        let preview = try Self.post(Self.bad)
        #expect(preview.status == 200 && preview.asked[0].document.faults.map(\.position.line) == [3, 3])
        let refused = try Self.post(Self.bad, preview: false)
        #expect(refused.status == 409 && refused.body.contains("line 3: id:") && refused.asked.isEmpty)
        let empty = try Self.post("id,address\n", preview: false)
        #expect(empty.status == 409 && empty.body.contains("there is no item in it"))
    }

    /// An entry that no program would take is a fault of the file, too.
    @Test func refusesWhatTheRegistryRefuses() throws {
        let long = String(repeating: "n", count: 4000)
        let answer = try Self.post("- {id: keys, name: \(long), address: \"aa:bb:cc:dd:ee:ff\"}\n", "application/yaml")
        #expect(answer.asked[0].document.faults.map(\.position.line) == [1])
    }

    /// An item may be called as the address is.
    @Test func leavesAnItemOfItsNameReachable() throws {
        let fixture = try PageFixture()
        let answer = try fixture.send("PATCH", "/api/items/import", as: PageFixture.operator)
        #expect(answer.status == 405 && answer.body.contains("takes POST."))
        #expect(try fixture.send("DELETE", "/api/items/import", as: PageFixture.operator).status == 200)
        #expect(fixture.asked.map(\.action) == [.removeItem("import")])
    }

    @Test func isForOperators() throws {
        let answer = try Self.post(Self.good, as: PageFixture.viewer)
        #expect(answer.status == 403 && answer.asked.isEmpty)
    }
}
