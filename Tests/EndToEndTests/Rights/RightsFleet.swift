import Foundation
import MQTT
import WireProtocol
import Support
import Testing

/// The configurations of a small fleet, the access lists that `whereabouts acl` makes of them, and a broker that
/// enforces these.
struct RightsFleet {
    /// A user with all rights, to see the actions of others.
    static let prober = "prober"
    static let plugin = "/usr/lib/x86_64-linux-gnu/mosquitto_dynamic_security.so"
    static let people = [
        "--operator", "anna", "--operator", "bert", "--administrator", "chief", "--viewer", "tv", "--home-assistant",
        "hass", "--offers", "guest",
    ]

    let folder: TemporaryFolder
    let files: [String]

    init() throws {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ lines: [String]) throws -> String {
            let text = (lines + ["mqtt: {url: \"mqtt://broker.lan\"}"]).joined(separator: "\n") + "\n"
            return try folder.write(Array(text.utf8), to: name)
        }
        // The files that they name are on the gateways.
        let reactions = [
            "items: items.yaml", "reactions:", "  - item: keys",
            "    on_enter: [{publish: {topic: \"home/{item}/{kind}\", payload: \"on\"}}, {offer: {text: hello}}]",
        ]
        let told = "outputs: {home_assistant: true, espresense: true, mqtt_room: true}"
        let heard = [
            "inputs: {espresense: true, theengs: true, mqtt_room: true, raddec: true}",
            "outputs: {home_assistant: true, mqtt_room: true}",
        ]
        files = [
            try file("kitchen.yaml", ["node: kitchen", "room: hall", told] + reactions),
            try file("living.yaml", ["node: living", told]), try file("main.yaml", ["name: main"] + heard),
            try file("second.yaml", ["name: second"] + heard),
        ]
        self.folder = folder
    }

    func acl(_ options: [String] = []) throws -> String {
        let outcome = try Execution.run(
            Execution.path(of: "whereabouts"), ["acl"] + files + Self.people + options)
        try #require(outcome.status == 0, "\(outcome.error)")
        return String(decoding: outcome.output, as: UTF8.self)
    }

    /// A file of passwords, which are the users' names.
    func passwords() throws -> String {
        let path = folder.file("passwords")
        let program = try #require(Execution.find("mosquitto_passwd"))
        for name in RightsTable.users.map(\.name) + [Self.prober] {
            let create = FileManager.default.fileExists(atPath: path) ? [] : ["-c"]
            let outcome = try Execution.run(program, create + ["-b", path, name, name])
            try #require(outcome.status == 0, "\(outcome.error)")
        }
        return path
    }

    /// A broker with an `acl_file`.
    func brokerOfFile() throws -> Broker {
        let passwords = try String(contentsOfFile: passwords(), encoding: .utf8)
        let acl = try acl() + "\nuser \(Self.prober)\ntopic readwrite #\n"
        return try Broker(
            ["allow_anonymous false", "acl_file %d/acl", "password_file %d/passwords"],
            files: ["acl": acl, "passwords": passwords])
    }

    /// A broker with mosquitto's plugin.
    func brokerOfPlugin() throws -> Broker {
        let json = try acl(["--dynamic-security", "--passwords", passwords()])
        var object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        var roles = try #require(object["roles"] as? [[String: Any]])
        let everything = ["publishClientSend", "publishClientReceive", "subscribePattern"].map {
            kind -> [String: Any] in
            ["acltype": kind, "topic": "#", "priority": 0, "allow": true]
        }
        roles.append(["rolename": Self.prober, "acls": everything])
        object["roles"] = roles
        // The prober is no user of the fleet: it replaces one that is not tried.
        var clients = try #require(object["clients"] as? [[String: Any]])
        let hashes = try String(contentsOfFile: passwords(), encoding: .utf8)
        let line = try #require(hashes.split(separator: "\n").last { $0.hasPrefix(Self.prober + ":") })
        let parts = line.split(separator: "$").map(String.init)
        clients.append([
            "username": Self.prober, "roles": [["rolename": Self.prober]], "iterations": Int(parts[2]) ?? 0,
            "salt": parts[3], "password": parts[4],
        ])
        object["clients"] = clients
        let whole = try JSONSerialization.data(withJSONObject: object)
        return try Broker(
            ["allow_anonymous false", "plugin \(Self.plugin)", "plugin_opt_config_file %d/dynamic-security.json"],
            files: ["dynamic-security.json": String(decoding: whole, as: UTF8.self)])
    }
}

/// A client of one user, which stores its messages.
final class RightsClient {
    let client: MQTTClient
    private var taken: [MQTTEvent] = []
    private(set) var events: [MQTTEvent] = []

    /// A client whose password is the user's name.
    convenience init(_ user: String, _ broker: Broker, _ filters: [String]) throws {
        var configuration = MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: "probe-\(user)")
        configuration.username = user
        configuration.credentials = { (_) throws(SecurityRefusal) in Credentials(password: user) }
        try self.init(configuration, filters)
    }

    init(_ configuration: MQTTConfiguration, _ filters: [String]) throws {
        client = try MQTTClient(configuration)
        try client.subscribe(filters.map { Subscription($0, qos: .atLeastOnce) })
        try client.start()
    }

    deinit { client.stop(timeout: 0) }

    func wait(_ condition: (RightsClient) -> Bool) async throws -> Bool {
        try await until(20) {
            client.takeEvents(into: &taken)
            events += taken
            return condition(self)
        }
    }

    /// Waits until the broker has granted or denied each subscription.
    func isReady() async throws -> Bool {
        try await wait { $0.events.contains(.subscriptionsAnswered) }
    }

    /// Waits until a text has come on each of the topics.
    func wait(for text: String, on topics: [String]) async throws -> Bool {
        try await wait { client in
            Set(client.messages.filter { $0.text == text }.map(\.topic)).isSuperset(of: topics)
        }
    }

    /// Topics and texts of the received messages.
    var messages: [(topic: String, text: String)] {
        events.compactMap { event in
            guard case .message(let message) = event else { return nil }
            return (message.topic, String(decoding: message.payload, as: UTF8.self))
        }
    }

    /// The topics on which the broker refused its publications.
    var refused: [String] {
        events.compactMap { if case .publishRefused(let topic, _) = $0 { topic } else { nil } }
    }
}
