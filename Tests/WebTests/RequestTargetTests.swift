import Support
import Testing
import Web

/// A path that is read differently by two programs is a way around one of them.
struct RequestTargetTests {
    @Test func readsPathAndQuery() throws {
        let target = try RequestTarget(Array("/api/items/caf%C3%A9?after=a+b%26&limit=10".utf8))
        #expect(target.path == ["api", "items", "café"])
        #expect(target.query == ["after": "a b&", "limit": "10"])
        #expect(!target.isFolder)
        #expect(try RequestTarget(Array("/".utf8)) == RequestTarget(path: [], isFolder: true))
        #expect(try RequestTarget(Array("/js/".utf8)) == RequestTarget(path: ["js"], isFolder: true))
    }

    @Test(arguments: [
        "", "api", "*", "http://a/b", "/..", "/../etc/passwd", "/a/../b", "/%2e%2e/b", "/%2E./b", "/.", "/a//b", "//",
        "/a%2fb", "/a%5Cb", "/a\\..\\b%5c", "/%00", "/a%0a", "/a%7f", "/%c0%ae%c0%ae/", "/%c0%af", "/%ff", "/%ed%a0%80",
        "/%", "/%4", "/%zz", "/a b", "/a#b", "/é", "/a?b=1&b=2", "/a?%00=1", "/a?b=%c0%80",
    ])
    func refuses(_ text: String) {
        #expect(throws: HTTPRefusal.self) { try RequestTarget(Array(text.utf8)) }
    }

    @Test func refusesTooManyParameters() {
        let query = (0...RequestTarget.parameterBound).map { "p\($0)=1" }.joined(separator: "&")
        #expect(throws: HTTPRefusal.self) { try RequestTarget(Array("/?\(query)".utf8)) }
    }

    @Test func resolvesEscapesOnce() throws {
        #expect(try RequestTarget(Array("/%2532".utf8)).path == ["%32"])
    }

    /// Whatever is accepted names a file or a resource, and nothing above it.
    @Test(arguments: 0..<(LongProofs.areRequested ? 8 : 2) as Range<UInt64>)
    func acceptsNothingThatLeadsElsewhere(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "/", "a", "..", ".", "%2e", "%2F", "%5c", "%00", "%c0%ae", "%25", "?", "&", "=", "+", "é", "%", "~",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            var text = "/"
            for _ in 0..<Int.random(in: 0..<8, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            guard let target = try? RequestTarget(Array(text.utf8)) else { continue }
            accepted += 1
            let isPlain = target.path.allSatisfy { segment in
                !segment.isEmpty && segment != "." && segment != ".." && !segment.contains { "/\\\0".contains($0) }
            }
            #expect(isPlain, "seed \(seed): \(text)")
        }
        #expect(accepted > 1000)
    }
}
