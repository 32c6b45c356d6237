import Foundation
import MQTT
import WireProtocol
import Support
import Testing

@testable import Operator

/// Client ids that only their own user may connect with.
@Suite struct ClientIDBindingTests {
    private static let plugin = "/usr/lib/x86_64-linux-gnu/mosquitto_dynamic_security.so"

    private static func list() throws -> AccessList {
        try AccessList(
            [
                AccessListTests.program("node: hall"), AccessListTests.program("node: bath"),
                AccessListTests.program("name: main", "fuser.yaml"),
                AccessListTests.program(
                    "name: two\nmqtt: {url: mqtt://b, username: shared, client_id: mine}", "two.yaml"),
                AccessListTests.program("node: attic\nmqtt: {url: mqtt://b, username: shared}", "attic.yaml"),
            ], people: [("anna", .operator("anna")), ("hall", .viewer)])
    }

    @Test(
        "Bind the user of one program to its client id in the plugin's file, and one of several programs to none")
    func written() throws {
        let list = try Self.list()
        #expect(list.unboundUsers == ["hall", "shared", "anna"])
        func ids(_ binds: Bool) throws -> [String: String] {
            let json = list.dynamicSecurity([:], bindsClientIDs: binds)
            let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            let clients = object?["clients"] as? [[String: Any]] ?? []
            return Dictionary(
                clients.compactMap { client in
                    guard let name = client["username"] as? String, let id = client["clientid"] as? String else {
                        return nil
                    }
                    return (name, id)
                }
            ) { first, _ in first }
        }
        #expect(try ids(true) == ["bath": "whereabouts-agent-bath", "fuser-main": "whereabouts-fuser-main"])
        #expect(try ids(false).isEmpty)
    }

    private final class Client {
        let client: MQTTClient
        private var taken: [MQTTEvent] = []
        private var isRefused = false

        init(_ user: String, _ id: String, _ broker: Broker) throws {
            var configuration = MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: id)
            configuration.username = user
            configuration.credentials = { (_) throws(SecurityRefusal) in Credentials(password: user) }
            client = try MQTTClient(configuration)
            try client.start()
        }

        deinit { client.stop(timeout: 0) }

        /// True if it is connected; false if the broker refuses it.
        func connects() -> Bool {
            _ = waitUntil(10) {
                client.takeEvents(into: &taken)
                for event in taken {
                    if case .connectFailed = event { isRefused = true }
                }
                return client.isConnected || isRefused
            }
            return client.isConnected
        }
    }

    @Test(
        "Connect a program's user with its own client id alone at a broker with the plugin, and disconnect nobody",
        .inTurn, .enabled(if: Broker.isInstalled && FileManager.default.isReadableFile(atPath: plugin), "no plugin"))
    func broker() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("passwords")
        let program = try #require(Execution.find("mosquitto_passwd"))
        for user in ["bath", "fuser-main", "anna"] {
            let create = FileManager.default.fileExists(atPath: path) ? [] : ["-c"]
            #expect(try Execution.run(program, create + ["-b", path, user, user]).status == 0)
        }
        let passwords = MosquittoPassword.read(try String(contentsOfFile: path, encoding: .utf8)).passwords
        let json = try Self.list().dynamicSecurity(passwords, bindsClientIDs: true)
        let broker = try Broker(
            ["allow_anonymous false", "plugin \(Self.plugin)", "plugin_opt_config_file %d/dynamic-security.json"],
            files: ["dynamic-security.json": json])
        let fuser = try Client("fuser-main", "whereabouts-fuser-main", broker)
        #expect(fuser.connects(), "\(broker.log)")
        // A gateway's user cannot connect with the fuser's id, nor with any other.
        #expect(try !Client("bath", "whereabouts-fuser-main", broker).connects())
        #expect(try !Client("bath", "whereabouts-doctor-1", broker).connects())
        let gateway = try Client("bath", "whereabouts-agent-bath", broker)
        #expect(gateway.connects(), "\(broker.log)")
        // A person's commands have another id each time.
        let person = try Client("anna", "whereabouts-watch-1", broker)
        #expect(person.connects())
        #expect(fuser.client.isConnected && gateway.client.isConnected)
        #expect(!broker.log.contains("already connected"), "nobody was thrown off")
    }
}
