import Foundation
import Support
import Testing

/// docs/privacy.md against the tests that prove it: each line with a dash is the title of one, and the other way round.
@Suite struct PrivacyPageTests {
    /// The lines with a dash of the page, each with those that continue it.
    private static func claims(_ page: String) -> [String] {
        var claims: [String] = []
        var isOpen = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("- ") {
                claims.append(String(line.dropFirst(2)))
                isOpen = true
            } else if isOpen, line.hasPrefix("  ") {
                claims[claims.count - 1] += " " + line.trimmingCharacters(in: .whitespaces)
            } else {
                isOpen = false
            }
        }
        return claims
    }

    /// The titles of the tests of all files of this name that are sentences: other titles have no full stop.
    private static func titles() throws -> [String] {
        let root = Repository.root + "/Tests"
        let files = try FileManager.default.contentsOfDirectory(atPath: root).map { "\(root)/\($0)/PrivacyTests.swift" }
            .filter(FileManager.default.fileExists)
        return try files.flatMap { file in
            try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "@Test(").dropFirst()
                .compactMap { part in
                    let text = part.trimmingCharacters(in: .whitespacesAndNewlines)
                    guard text.hasPrefix("\"") else { return nil }
                    return String(text.dropFirst().prefix { $0 != "\"" })
                }
        }.filter { $0.hasSuffix(".") }
    }

    @Test("Each claim of the page has a test of its words, and each such test a claim")
    func same() throws {
        let claims = Self.claims(try String(contentsOfFile: Repository.root + "/docs/privacy.md", encoding: .utf8))
        let titles = try Self.titles()
        #expect(claims.count > 25)
        #expect(Set(claims).count == claims.count && Set(titles).count == titles.count, "each once")
        #expect(Set(claims).subtracting(titles).isEmpty, "without a test")
        #expect(Set(titles).subtracting(claims).isEmpty, "not on the page")
    }
}
