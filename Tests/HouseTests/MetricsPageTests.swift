import Foundation
import Support
import Testing

/// docs/metrics.md against the sources: a series that is not on the page is found by nobody who writes a rule.
@Suite struct MetricsPageTests {
    /// The names of families in the sources: first arguments, as in `.gauge("whereabouts_items", …)`.
    private static func published() throws -> Set<String> {
        let root = Repository.root + "/Sources"
        let files = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
        return try files.filter { $0.hasSuffix(".swift") }.reduce(into: []) { names, file in
            let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            names.formUnion(text.matches(of: /"((?:whereabouts|process)_[a-z_]+)",/).map { String($0.output.1) })
        }
    }

    @Test("Each series that a program publishes is on the page of metrics, and no other")
    func same() throws {
        let page = try String(contentsOfFile: Repository.root + "/docs/metrics.md", encoding: .utf8)
        let described = Set(
            page.matches(of: /(?m)^\| `((?:whereabouts|process)_[a-z_]+)` \|/).map { String($0.output.1) })
        let published = try Self.published()
        #expect(published.count > 60)
        #expect(published.subtracting(described).isEmpty, "not on the page")
        #expect(described.subtracting(published).isEmpty, "on the page alone")
    }
}
