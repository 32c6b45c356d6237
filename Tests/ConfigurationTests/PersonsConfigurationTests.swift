import Configuration
import WireProtocol
import Support
import Testing

/// The section `persons` of a fuser's file.
@Suite struct PersonsConfigurationTests {
    private static func load(_ text: String) throws -> FuserConfiguration {
        try FuserConfiguration.load(text: "mqtt: {url: 'mqtt://h'}\n" + text, file: "f")
    }

    @Test("Read persons with their items, names and required items")
    func values() throws {
        let persons = try Self.load(
            """
            persons:
              - {id: anna, name: Anna, items: [phone, watch, keys], must_have: [phone]}
              - {id: ben, items: [tag]}

            """
        ).persons
        #expect(
            persons == [
                Person(id: "anna", name: "Anna", items: ["phone", "watch", "keys"], mustHave: ["phone"]),
                Person(id: "ben", items: ["tag"]),
            ])
        #expect(try Self.load("").persons.isEmpty)
    }

    @Test(
        "Report faults with their positions",
        arguments: [
            ("persons: [{id: anna}]\n", "f:2:11: 'items' is missing"),
            ("persons: [{items: [a]}]\n", "f:2:11: 'id' is missing"),
            ("persons: [{id: anna, items: []}]\n", "f:2:29: expected at least one item"),
            ("persons: [{id: Anna, items: [a]}]\n", "f:2:16: 'Anna' can't be an id"),
            ("persons: [{id: away, items: [a]}]\n", "f:2:16: the id 'away' is reserved"),
            (
                "persons: [{id: anna, items: [phone], must_have: [phon]}]\n",
                "f:2:50: 'phon' is none of this person's items"
            ),
            ("persons: [{id: a, items: [x]}, {id: a, items: [y]}]\n", "f:2:33: the person 'a' is given twice"),
            (
                "persons: [{id: a, items: [x]}, {id: b, items: [x]}]\n",
                "f:2:48: 'x' is an item of 'a' already: an item goes with one person"
            ),
            ("persons: [{id: a, items: [x, x]}]\n", "f:2:30: 'x' is given twice: an item goes with one person"),
            ("persons: [{id: a, items: [b]}, {id: b, items: [x]}]\n", "f:2:27: 'b' is a person"),
            ("persons: [{id: a, items: [x], musthave: [x]}]\n", "f:2:31: unknown key 'musthave'"),
        ])
    func faults(_ text: String, _ words: String) {
        #expect {
            _ = try Self.load(text)
        } throws: { error in
            "\(error)".contains(words)
        }
    }

    @Test("Reject a person with the id of an item in the items file, but accept unknown items")
    func clash() throws {
        let folder = try TemporaryFolder()
        try folder.write("items.yaml", "- {id: anna, address: \"aa:bb:cc:dd:ee:ff\"}\n")
        let text = "mqtt: {url: 'mqtt://h'}\nitems: items.yaml\npersons: [{id: anna, items: [phone]}]\n"
        try folder.write("fuser.yaml", text)
        #expect {
            _ = try FuserConfiguration.load(path: folder.path + "/fuser.yaml", environment: [:])
        } throws: { error in
            "\(error)".contains("fuser.yaml:3:16: 'anna' is an item's id; give the person another one")
        }
        try folder.write("fuser.yaml", text.replacing("id: anna", with: "id: berta"))
        #expect(try FuserConfiguration.load(path: folder.path + "/fuser.yaml", environment: [:]).warnings.isEmpty)
    }
}
