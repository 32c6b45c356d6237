import Foundation
import Support
import Testing
import Web

@testable import WebInterface

/// Claims of docs/privacy.md about the page: each title is a line of that page.
@Suite struct PrivacyTests {
    @Test("Answers of the page about the house are stored by no cache.")
    func caches() throws {
        let fixture = try PageFixture()
        fixture.page.board.set("items/keys/location", Array(#"{"room":"hall"}"#.utf8))
        for path in ["/api/items", "/api/items/keys", "/api/rooms", "/api/nothing", "/api/audit?before=0"] {
            let answer = try fixture.send("GET", path, as: PageFixture.admin)
            #expect(answer.head.contains("Cache-Control: no-store"), "\(path): \(answer.head)")
        }
    }

    @Test("A browser keeps a session's cookie for 7 days, which no script can read.")
    func cookie() throws {
        let fixture = try PageFixture()
        let body = "{\"token\":\"\(PageFixture.viewer)\"}"
        let answer = try fixture.send("POST", "/api/session", [PageFixture.json], body: body)
        #expect(answer.status == 200)
        #expect(answer.head.contains("Max-Age=\(7 * 86_400); HttpOnly; SameSite=Strict"), "\(answer.head)")
    }

    @Test("A browser stores choices, a walk under way, silences, and marks of true rooms that wait to be sent.")
    func storage() throws {
        let root = Repository.root + "/Sources/WebInterface/Site/js"
        var names: Set<String> = []
        var stores: [String: Set<String>] = [:]
        let enumerator = try #require(FileManager.default.enumerator(atPath: root))
        for case let path as String in enumerator where path.hasSuffix(".js") {
            let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            for part in text.components(separatedBy: "preferences.set('").dropFirst() {
                names.insert(String(part.prefix { $0 != "'" }))
            }
            for store in ["localStorage", "sessionStorage", "indexedDB", "document.cookie", "caches.open"]
            where text.contains(store) { stores[store, default: []].insert(path) }
        }
        #expect(
            names == [
                "silences", "floor", "day.speed", "theme", "language", "walk", "time.span", "time.subject", "truth",
            ])
        #expect(stores == ["localStorage": ["preferences.js"], "sessionStorage": ["truth/queue.js"]])
    }
}
