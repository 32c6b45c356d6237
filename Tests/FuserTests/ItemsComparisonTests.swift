import Bytes
import Configuration
import Foundation
import Identity
import Testing

@testable import Fuser

/// The changes that a dropped file would make, and the reasons why it can't.
@Suite struct ItemsComparisonTests {
    private static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

    private static func document(_ rows: [String]) -> ItemsDocument {
        let text = (["id,name,uuid,major,minor"] + rows).map { $0.replacing("U,", with: uuid + ",") + "\n" }
        return ItemsDocument(Array(text.joined().utf8), .csv, file: "")
    }

    private static func compare(_ rows: String...) throws -> (ItemsComparison, [String: Any]) {
        let known = document(["keys,Keys,U,1,1", "cat,Cat,U,1,2"]).changes
        let book = RegistryBook(entries: known.map { $0.entry(at: Timestamp(microseconds: 1_000_000)) })
        let comparison = ItemsComparison(document(rows), with: book)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(comparison.json(isPreview: true))) as? [String: Any])
        return (comparison, json)
    }

    @Test("Show what is new, what changes in which keys, and what stays")
    func effects() throws {
        let (comparison, json) = try Self.compare("keys,My keys,U,1,9", "cat,Cat,U,1,2", "mug,Mug,U,1,3")
        #expect(comparison.changes.map(\.id) == ["keys", "mug"] && comparison.faults.isEmpty)
        #expect(json["new"] as? Int == 1 && json["changed"] as? Int == 1 && json["unchanged"] as? Int == 1)
        let items = try #require(json["items"] as? [[String: Any]])
        #expect(
            items.map { $0["line"] as? Int } == [2, 4] && items.map { $0["effect"] as? String } == ["changed", "new"])
        #expect(items[0]["fields"] as? [String] == ["name", "identity"] && items[1]["fields"] == nil)
    }

    @Test("Name every fault with its line: those of the file, and beacons that are registered under another id")
    func faults() throws {
        let (_, json) = try Self.compare("Keys!,K,U,1,9", "mug,Mug,U,1,2", "cup,Cup,U,x,3")
        let faults = try #require(json["faults"] as? [[String: Any]])
        #expect(faults.map { $0["line"] as? Int } == [2, 4, 3])
        #expect((faults.last?["detail"] as? String)?.contains("same beacon as 'cat'") == true)
    }

    @Test("Let a file give a beacon to another id if it gives the former one another beacon")
    func swap() throws {
        let (comparison, _) = try Self.compare("cat,Cat,U,1,1", "keys,Keys,U,1,2")
        #expect(comparison.faults.isEmpty && comparison.changes.count == 2)
    }
}
