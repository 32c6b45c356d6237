import Foundation
import Support
import Testing

@testable import Operator

/// The changes of `whereabouts enroll` and `revoke` in a folder.
@Suite struct EnrolmentTests {
    static let broker = ["--broker", "mqtts://broker.lan"]

    /// A fleet's folder that does not exist yet.
    static func fleet(_ folder: TemporaryFolder) -> [String] { ["--fleet", folder.file("fleet")] }

    static func names(_ folder: TemporaryFolder, _ path: String = "") -> [String] {
        let path = folder.file("fleet") + (path.isEmpty ? "" : "/\(path)")
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    static func text(_ folder: TemporaryFolder, _ path: String) throws -> String {
        try String(contentsOfFile: folder.file("fleet/\(path)"), encoding: .utf8)
    }

    @Test("Put all that a gateway needs into its folder, with a key that nobody else may read")
    func folder() throws {
        let folder = try TemporaryFolder()
        let list = try folder.write(Array("# upstairs\nbath, bathroom\r\nattic\n\n".utf8), to: "list")
        let words = ["hall", "--list", list, "--fuser", "main", "--user", "anna"] + Self.broker + Self.fleet(folder)
        #expect(EnrollCommand.run(words) == 0)
        #expect(Self.names(folder) == ["anna", "attic", "authority", "bath", "fuser-main", "hall"])
        #expect(Self.names(folder, "bath") == ["agent.yaml", "bath.key", "bath.pem", "ca.pem"])
        #expect(Self.names(folder, "fuser-main") == ["ca.pem", "fuser-main.key", "fuser-main.pem", "fuser.yaml"])
        #expect(Self.names(folder, "anna") == ["anna.key", "anna.pem", "ca.pem", "whereabouts.yaml"])
        #expect(
            try Self.text(folder, "bath/agent.yaml") == """
                # Carry this folder to /etc/whereabouts on its machine.
                node: bath
                room: bathroom
                source: hci:auto
                mqtt:
                  url: mqtts://broker.lan:8883
                  ca_file: ca.pem
                  certificate_file: bath.pem
                  key_file: bath.key
                state: /var/lib/whereabouts/agent.sqlite

                """)
        #expect(
            try Self.text(folder, "anna/whereabouts.yaml") == """
                # For commands: --config with this file, or WHEREABOUTS_CONFIG.
                mqtt:
                  url: mqtts://broker.lan:8883
                  ca_file: ca.pem
                  certificate_file: anna.pem
                  key_file: anna.key

                """)
        for secret in ["bath/bath.key", "authority/ca.key", "authority/issued.csv"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("fleet/\(secret)"))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(secret)")
        }
    }

    @Test("Make nothing if a name is invalid, duplicate, enrolled already, or a folder of the fleet's own")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let words = Self.broker + Self.fleet(folder)
        for wrong in [
            ["Hall"], ["hall", "hall"], ["authority"], ["unknown"], ["--user", "../x"],
            ["--user", "authority"], ["passwords"], ["hall", "--fuser", "a b"],
        ] {
            #expect(EnrollCommand.run(["attic"] + wrong + words) == 2, "\(wrong)")
        }
        #expect(EnrollCommand.run(["attic"] + Self.fleet(folder)) == 2)
        #expect(EnrollCommand.run(["attic", "--broker", "mqtt://broker.lan"] + Self.fleet(folder)) == 2)
        #expect(Self.names(folder).isEmpty)
        #expect(EnrollCommand.run(["attic"] + words) == 0)
        let before = try Self.text(folder, "attic/attic.key")
        #expect(EnrollCommand.run(["hall", "attic"] + words) == 2)
        #expect(Self.names(folder) == ["attic", "authority"])
        #expect(try Self.text(folder, "attic/attic.key") == before)
    }

    @Test("Give the broker lines by which it drops nothing that a fuser of many items is sent at its connection")
    func broker() throws {
        let folder = try TemporaryFolder()
        #expect(EnrollCommand.run(["hall", "--broker-host", "broker.lan"] + Self.broker + Self.fleet(folder)) == 0)
        let lines = try Self.text(folder, "broker/whereabouts.conf").split(separator: "\n")
        #expect(lines.contains("max_queued_messages 1000000") && lines.contains("require_certificate true"))
    }

    @Test("Preserve an edited configuration with new keys, and revoke the former certificate alone")
    func renewed() throws {
        let folder = try TemporaryFolder()
        let words = ["hall"] + Self.broker + Self.fleet(folder)
        #expect(EnrollCommand.run(words) == 0)
        let key = try Self.text(folder, "hall/hall.key")
        _ = try folder.write(Array("node: hall\n".utf8), to: "fleet/hall/agent.yaml")
        #expect(EnrollCommand.run(words + ["--renew"]) == 0)
        #expect(try Self.text(folder, "hall/hall.key") != key)
        #expect(try Self.text(folder, "hall/agent.yaml") == "node: hall\n")
        #expect(RevokeCommand.run(["hall", "--former"] + Self.fleet(folder)) == 0)
        let book = try IssuedBook(Self.text(folder, "authority/issued.csv"))
        #expect(book.entries.map { $0.revoked == nil } == [false, true])
        #expect(Self.names(folder) == ["authority", "hall"])
        #expect(RevokeCommand.run(["hall"] + Self.fleet(folder)) == 0)
        #expect(Self.names(folder) == ["authority", "revoked"])
        #expect(RevokeCommand.run(["hall"] + Self.fleet(folder)) == 1)
    }

    @Test("Name after a revocation the files that the broker needs, and whether it must be restarted for them")
    func carried() throws {
        let folder = try TemporaryFolder()
        let fleet = FleetFolder(path: folder.file("fleet"))
        #expect(RevokeCommand.changedFiles(of: fleet, certificates: 1, passwords: 0) == [fleet.list])
        #expect(RevokeCommand.changedFiles(of: fleet, certificates: 0, passwords: 1) == [fleet.passwords])
        #expect(RevokeCommand.changedFiles(of: fleet, certificates: 0, passwords: 0).isEmpty)
        #expect(EnrollCommand.run(["--broker-host", "broker.lan"] + Self.broker + Self.fleet(folder)) == 0)
        #expect(
            RevokeCommand.changedFiles(of: fleet, certificates: 1, passwords: 1) == [fleet.brokerList, fleet.passwords])
        #expect(
            RevokeCommand.nextStep(["a", "b"], readAtStart: true, keepsUser: false)
                == "now run 'whereabouts acl' again, carry a, b and the new access list to the broker, and restart it")
        #expect(
            RevokeCommand.nextStep(["passwords"], readAtStart: false, keepsUser: false)
                == "now run 'whereabouts acl' again, carry passwords and the new access list to the broker, and reload it"
        )
        #expect(
            RevokeCommand.nextStep(["crl.pem"], readAtStart: true, keepsUser: true)
                == "now carry crl.pem to the broker, and restart it")
        #expect(RevokeCommand.nextStep([], readAtStart: false, keepsUser: true) == nil)
    }

    @Test("Sign with an authority's passphrase alone if its key has one")
    func passphrase() throws {
        let folder = try TemporaryFolder()
        let right = ["--passphrase-file", try folder.write(Array("correct horse\n".utf8), to: "right")]
        let wrong = ["--passphrase-file", try folder.write(Array("battery\n".utf8), to: "wrong")]
        let words = Self.broker + Self.fleet(folder)
        #expect(EnrollCommand.run(["hall"] + words + right) == 0)
        #expect(EnrollCommand.run(["attic"] + words) == 1)
        #expect(EnrollCommand.run(["attic"] + words + wrong) == 1)
        #expect(Self.names(folder) == ["authority", "hall"])
        #expect(EnrollCommand.run(["attic"] + words + right) == 0)
    }

    @Test("Write a request to another authority, and make none of its own")
    func request() throws {
        let folder = try TemporaryFolder()
        #expect(EnrollCommand.run(["hall", "--request"] + Self.broker + Self.fleet(folder)) == 0)
        #expect(Self.names(folder) == ["hall"])
        #expect(Self.names(folder, "hall") == ["agent.yaml", "hall.csr", "hall.key"])
    }

    @Test("Report a broken book with its line, and sign nothing")
    func book() throws {
        let folder = try TemporaryFolder()
        let words = Self.broker + Self.fleet(folder)
        #expect(EnrollCommand.run(["hall"] + words) == 0)
        _ = try folder.write(Array("\(IssuedBook.header)\nzz,hall,1,2,\n".utf8), to: "fleet/authority/issued.csv")
        #expect(EnrollCommand.run(["attic"] + words) == 1)
        #expect(Self.names(folder) == ["authority", "hall"])
    }

    @Test(
        "Report a list's faults with their lines",
        arguments: [
            ("hall\nHall\n", 2), ("hall kitchen upstairs", 1), ("away", 1), ("#\nhall,Kitchen", 2),
        ])
    func lists(_ text: String, _ line: Int) {
        #expect(MemberList.read(text).faults.map(\.line) == [line])
    }
}
