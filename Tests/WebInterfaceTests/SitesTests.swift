import Support
import Testing

@testable import WebInterface

/// The other sites of a page.
@Suite struct SitesTests {
    private struct Directory: SitesDirectory {
        var overview: [UInt8] { Array(#"{"sites":[]}"#.utf8) }
        func search(_ text: String) -> [UInt8]? {
            text.isEmpty ? nil : Array(#"{"items":[],"text":"\#(text)"}"#.utf8)
        }
    }

    @Test("Show other sites to whoever may see this one, and to nobody else")
    func roles() throws {
        let fixture = try PageFixture(sites: Directory())
        for path in ["/api/sites", "/api/sites/items?find=pump"] {
            #expect(try fixture.send("GET", path).status == 401)
            #expect(try fixture.send("GET", path, as: PageFixture.viewer).status == 200)
            #expect(try fixture.send("POST", path, as: PageFixture.admin).status == 405)
        }
        let found = try fixture.send("GET", "/api/sites/items?find=pump%2017", as: PageFixture.viewer)
        #expect(found.body.contains(#""text":"pump 17""#))
        #expect(try fixture.send("GET", "/api/sites/items", as: PageFixture.viewer).status == 400)
        // The fuser is asked nothing: its loop has no part in it.
        #expect(fixture.asked.isEmpty)
    }

    @Test("Say that a page without a file of sites has none")
    func none() throws {
        let fixture = try PageFixture()
        for path in ["/api/sites", "/api/sites/items?find=pump"] {
            let answer = try fixture.send("GET", path, as: PageFixture.viewer)
            #expect(answer.status == 404 && answer.body.contains("shows no other sites"), "\(answer)")
        }
    }
}
