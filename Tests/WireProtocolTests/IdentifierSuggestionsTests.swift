import WireProtocol
import Testing

@Suite("Ids proposed in place of texts that can't be ids")
struct IdentifierSuggestionsTests {
    @Test(
        "Propose an id that reads like the text",
        arguments: [
            ("Anna Keys", "anna-keys"), ("Küche", "kueche"), ("Ku\u{308}che", "kueche"), ("Anna's Keys!", "annas-keys"),
            ("Wohnzimmer/OG 1", "wohnzimmer-og-1"), ("Straße", "strasse"), ("Ærø", "aero"), ("Łódź", "lodz"),
            ("  a  ", "a"), ("a__b", "a__b"), (String(repeating: "Xy", count: 40), String(repeating: "xy", count: 32)),
        ])
    func likeness(_ text: String, _ id: String) {
        var suggestions = IdentifierSuggestions()
        #expect(suggestions.suggestion(for: text) == id)
        #expect(Identifier.isValid(id))
    }

    @Test("Propose nothing for an empty result, for reserved words, and for a possible key")
    func none() {
        var suggestions = IdentifierSuggestions()
        for text in ["", "🔑", "Кухня", "Away", "UNKNOWN", "00112233445566778899AABBCCDDEEFF"] {
            #expect(suggestions.suggestion(for: text) == nil, "\(text)")
        }
        let complaint = suggestions.complaint(about: "00112233445566778899AABBCCDDEEFF") ?? ""
        #expect(!complaint.lowercased().contains("aabb"))
    }

    @Test("Propose different ids for different texts, none in use, and always the same for one text")
    func unique() {
        var suggestions = IdentifierSuggestions(taken: ["anna-keys", "anna-keys-2"])
        #expect(suggestions.suggestion(for: "Anna Keys") == "anna-keys-3")
        #expect(suggestions.suggestion(for: "anna keys") == "anna-keys-4")
        #expect(suggestions.suggestion(for: "Anna Keys") == "anna-keys-3")
        let long = String(repeating: "x", count: 64)
        var full = IdentifierSuggestions(taken: [long])
        #expect(full.suggestion(for: long.uppercased()) == String(repeating: "x", count: 62) + "-2")
    }

    @Test("Report the fault of an id and a valid one")
    func complaints() {
        var suggestions = IdentifierSuggestions()
        #expect(suggestions.complaint(about: "keys") == nil)
        #expect(
            suggestions.complaint(about: "Anna Keys")
                == "'Anna Keys' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'anna-keys' would do")
        #expect(suggestions.complaint(about: "🔑", noun: "a tag")?.hasPrefix("'🔑' can't be a tag (") == true)
        #expect(suggestions.complaint(about: "away") == "'away' is reserved; choose another")
    }
}
