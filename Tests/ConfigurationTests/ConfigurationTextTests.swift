import Configuration
import Testing

@Suite struct ConfigurationTextTests {
    private static func edited(
        _ text: String, _ body: (inout ConfigurationText) throws -> Void
    ) throws -> String {
        var edited = try ConfigurationText(Array(text.utf8), file: "agent.yaml")
        try body(&edited)
        return String(decoding: edited.bytes, as: UTF8.self)
    }

    @Test(
        "A text is set in its place, and all else stays as it is",
        arguments: [
            ("node: a\n", "node: hall\n"),
            ("# of the flat\nnode: a  # upstairs\nroom: b\n", "# of the flat\nnode: hall  # upstairs\nroom: b\n"),
            ("node: 'a # b'   # c\n", "node: hall   # c\n"),
            ("node: \"it's\"\t# c\n", "node: hall\t# c\n"),
            ("node:\nroom: b\n", "node: hall\nroom: b\n"),
            ("room: b\n", "room: b\nnode: hall\n"),
            ("room: b", "room: b\nnode: hall\n"),
            ("# one\n#node: kitchen\n\nroom: b\n", "# one\n#node: kitchen\nnode: hall\n\nroom: b\n"),
            (
                "regions:\n  - id: r\n#node: x\n    name: N\n",
                "regions:\n  - id: r\n#node: x\n    name: N\nnode: hall\n"
            ),
            ("", "node: hall\n"), ("# nothing but this\n", "# nothing but this\nnode: hall\n"),
            ("\u{FEFF}node: a\r\nroom: b\r\n", "node: hall\nroom: b\r\n"),
            ("node: >\n  a\n\n# end\nroom: b\n", "node: hall\n\n# end\nroom: b\n"),
        ])
    func texts(before: String, after: String) throws {
        #expect(try Self.edited(before) { try $0.set("node", .text("hall")) } == after)
    }

    @Test(
        "Keys of a map are set, added and removed in either style, and its others stay",
        arguments: [
            ("mqtt: {url: \"mqtt://a\"}  # main\n", "mqtt: {url: \"mqtt://b\", username: k}  # main\n"),
            (
                "mqtt: {urls: [mqtt://a, \"mqtt://c\"], keepalive: 10s}\nx: 1\n",
                "mqtt: {keepalive: 10s, url: \"mqtt://b\", username: k}\nx: 1\n"
            ),
            (
                "mqtt:\n  # the broker\n  url: mqtt://a # cellar\n  keepalive: 10s\n\n# rest\nroom: b\n",
                "mqtt:\n  # the broker\n  url: \"mqtt://b\" # cellar\n  keepalive: 10s\n  username: k\n\n# rest\nroom: b\n"
            ),
            (
                "mqtt:\n    urls:\n      - mqtt://a\n      - mqtt://c\n    fingerprint:\n    - x\n    - y\nroom: b\n",
                "mqtt:\n    fingerprint:\n    - x\n    - y\n    url: \"mqtt://b\"\n    username: k\nroom: b\n"
            ),
            ("mqtt:\nroom: b\n", "mqtt: {url: \"mqtt://b\", username: k}\nroom: b\n"),
            ("mqtt: {\n  url: mqtt://a\n}\nroom: b\n", "mqtt: {url: \"mqtt://b\", username: k}\nroom: b\n"),
            (
                "#mqtt: {url: x}\n#mqtt: {url: y}\n",
                "#mqtt: {url: x}\n#mqtt: {url: y}\nmqtt: {url: \"mqtt://b\", username: k}\n"
            ),
        ])
    func maps(before: String, after: String) throws {
        let found = try Self.edited(before) {
            try $0.set("mqtt", .map([("url", "mqtt://b"), ("urls", nil), ("username", "k")]))
        }
        #expect(found == after)
    }

    @Test(
        "Texts that YAML would read as something else stand in quotes",
        arguments: [
            "null", "~", "12", "0x1", "a b", "a: b", "say \"no\"", "back\\slash", "#x", "- a", "é", "true",
            "/etc/x.pem",
        ])
    func quotes(text: String) throws {
        let found = try Self.edited("room: b\n") { try $0.set("node", .text(text)) }
        #expect(try ConfigurationText(Array(found.utf8), file: "f").text("node") == text, "\(found)")
    }

    @Test("A new key stands below the one that it belongs to")
    func below() throws {
        let found = try Self.edited("node: a\nsource: hci:auto\n") { try $0.set("room", .text("b"), below: "node") }
        #expect(found == "node: a\nroom: b\nsource: hci:auto\n")
    }

    @Test("An unchanged value changes nothing, however it is written")
    func unchanged() throws {
        let text = "node:   'hall'\nmqtt: {url: mqtt://b}\n"
        let found = try Self.edited(text) {
            try $0.set("node", .text("hall"))
            try $0.set("mqtt", .map([("url", "mqtt://b"), ("urls", nil)]))
        }
        #expect(found == text)
    }

    @Test(
        "A file that can't be edited is refused with its place",
        arguments: [
            (
                "{node: a, room: b}\n",
                "agent.yaml:1:8: 'node' can't be changed here by a program; set it with an editor"
            ),
            ("- a\n", "agent.yaml:1:1: expected a map of keys and values"),
            (
                "a: b: c\n",
                "agent.yaml:1:5: a ':' can't stand here; check the indentation, or put text that holds ': ' in quotes"
            ),
        ])
    func refused(text: String, fault: String) {
        let error = #expect(throws: ConfigurationFaults.self) {
            _ = try Self.edited(text) { try $0.set("node", .text("hall")) }
        }
        #expect(error?.description == fault)
    }
}
