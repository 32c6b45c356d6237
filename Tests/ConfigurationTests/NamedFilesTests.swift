import Configuration
import Glibc
import Support
import Testing

@Suite struct NamedFilesTests {
    @Test("Find the items file, what is named with it, and which of it is secret")
    func all() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            Array(
                """
                - {id: phone, irk_file: phone.irk}
                - {id: cat, eid: {key_file: /keys/cat.eid, rotation_exponent: 10, clock: 1753862400}}
                """.utf8), to: "items.yaml")
        let path = try folder.write(
            Array(
                """
                name: main
                items: items.yaml
                mqtt: {url: "mqtts://b", username: u, password_file: password, ca_file: ca.pem}
                web: {listen: "127.0.0.1:1", token_file: credential:token, certificate: web.pem, key: web.key}
                persons: [{id: anna, items: [keys]}]
                """.utf8), to: "fuser.yaml")
        let files = try NamedFiles.list(of: path)
        #expect(
            files.map(\.place) == [
                "items.yaml", "phone.irk", "/keys/cat.eid", "password", "ca.pem", "web.pem", "web.key",
            ])
        #expect(files.filter { !$0.isSecret }.map(\.place) == ["items.yaml", "ca.pem", "web.pem"])
        #expect(NamedFiles.path(of: "password", besides: path) == folder.file("password"))
        #expect(NamedFiles.path(of: "/keys/cat.eid", besides: path) == "/keys/cat.eid")
    }

    @Test("Name a folder of keys that can't be read, and none that is missing")
    func unreadableKeys() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("node: hall\nkeys: keys\n".utf8), to: "agent.yaml")
        #expect(try NamedFiles.list(of: path).isEmpty)
        // Root may read each folder, and follows no link to itself.
        #expect(symlink("keys", folder.file("keys")) == 0)
        let found = try NamedFiles.list(of: path)
        #expect(found.map(\.place) == ["keys/"] && found.allSatisfy(\.isSecret))
    }

    @Test("Leave out of a folder of keys those that a restoration replaced")
    func replacedKeys() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("node: hall\nkeys: .\n".utf8), to: "agent.yaml")
        for name in ["phone.irk", "phone.irk.before-restore", "phone.irk.before-restore-2"] {
            _ = try folder.write([1], to: name)
        }
        #expect(try NamedFiles.list(of: path).map(\.place) == ["./agent.yaml", "./phone.irk"])
    }
}
