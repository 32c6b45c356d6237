import Identity
import Support
import Testing

@testable import Agent

@Suite("A node's keys") struct NodeKeysTests {
    @Test("Never publish a key written in place of its file's name")
    func shown() {
        var item = Item(id: "phone", identities: [])
        (item.key, item.keyFile) = (.irk, "/keys/Key=00112233445566778899aabbccddeeff")
        var keys = NodeKeys(folders: ["/00112233445566778899aabbccddeeff/"])
        keys.loadKeys([item], renewing: true)
        let words = keys.problems["phone"] ?? ""
        #expect(words.contains("/keys/Key=… ") || words.contains("/keys/Key=…'"), "\(words)")
        #expect(!words.contains("0011223344"))
    }
}
