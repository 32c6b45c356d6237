import Glibc
import WireProtocol
import Support
import Testing

@testable import MQTT

@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct RefusalTests {
    @Test func aWrongPasswordIsToldInWordsAndOnce() throws {
        let broker = try Broker(["allow_anonymous false"])
        let watcher = try Watcher(broker, id: "a") {
            $0.username = "kitchen"
            $0.credentials = { (_) throws(SecurityRefusal) in Credentials(password: "wrong") }
        }
        #expect(watcher.wait { $0.changes == ["failed"] })
        #expect(watcher.errors.first?.description == "CONNACK: Not authorized (135)")
        let before = watcher.client.statistics.wakeups
        #expect(waitUntil(10) { watcher.client.statistics.wakeups > before + 10 })
        #expect(watcher.wait { $0.changes == ["failed"] })
    }

    @Test func whatAnAccessListDeniesIsTold() throws {
        let broker = try Broker(["acl_file %d/acl"], files: ["acl": "topic readwrite open/#\n"])
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("open/t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        watcher.client.publish(Message(topic: "closed/t", text: "x", qos: .atLeastOnce))
        watcher.client.publish(Message(topic: "closed/t", text: "x", qos: .atLeastOnce))
        #expect(watcher.waitRoundTrip("open/t"))
        #expect(watcher.wait { $0.client.statistics.refused == 2 && $0.changes.count > 1 })
        #expect(watcher.changes == ["connected", "publish refused"])
        #expect(watcher.errors.first?.description == "PUBACK: Not authorized (135)")
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 10))
    }

    @Test(arguments: [[0x20, 2, 0, 1], [0x20, 3, 0, 0x84, 0]] as [[UInt8]])
    func anOlderBrokerIsSpokenToInItsVersion(refusal: [UInt8]) throws {
        let old = try OldBroker(refusingVersion5With: refusal)
        var configuration = MQTTConfiguration(address: BrokerAddress(host: "127.0.0.1", port: old.port), clientID: "a")
        configuration.backoff = Backoff(first: 0.05, maximum: 0.2)
        let client = try MQTTClient(configuration)
        try client.start()
        #expect(waitUntil(10) { client.isConnected })
        let events = client.takeEvents()
        guard case .spokeOlderProtocol(let reason) = events.first else {
            Issue.record("expected the older protocol first: \(events)")
            return
        }
        #expect(reason.description == "CONNACK: Unsupported Protocol Version (132)")
        #expect(events.dropFirst() == [.connected(sessionPresent: false), .subscriptionsAnswered])
        client.stop(timeout: 0)
    }

    @Test func whyTheBrokerEndsAConnectionIsToldInWords() throws {
        // It accepts, and then says that another client took over the session.
        let broker = try OldBroker(refusingVersion5With: [0x20, 3, 0, 0, 0, 0xE0, 2, 0x8E, 0])
        var configuration = MQTTConfiguration(
            address: BrokerAddress(host: "127.0.0.1", port: broker.port), clientID: "a")
        configuration.backoff = Backoff(first: 30, maximum: 30)
        let client = try MQTTClient(configuration)
        try client.start()
        var events: [MQTTEvent] = []
        #expect(
            waitUntil(10) {
                events += client.takeEvents(); return events.count > 1 && events.last != .subscriptionsAnswered
            })
        #expect(events.first == .connected(sessionPresent: false))
        #expect(events.last == .disconnected(MQTTError(packet: "DISCONNECT", reason: 0x8E, version: .v5)))
        client.stop(timeout: 0)
    }

    // Nothing listens at 127.0.0.2. The silence of the other address is reported all the same.
    @Test(arguments: [["127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["127.0.0.2", "127.0.0.1"]])
    func aHostThatSaysNothingIsGivenUpInTime(addresses: [String]) throws {
        let silent = try OldBroker(refusingVersion5With: [], answering: false)
        var configuration = MQTTConfiguration(
            address: BrokerAddress(host: "127.0.0.1", port: silent.port), clientID: "a")
        configuration.connectTimeout = 0.5
        configuration.lookUp = { _ in addresses }
        let client = try MQTTClient(configuration)
        try client.start()
        var events: [MQTTEvent] = []
        #expect(
            waitUntil(10) {
                events += client.takeEvents(); return !events.isEmpty
            })
        #expect(events == [.connectFailed(MQTTError(systemCall: "CONNECT", ETIMEDOUT))])
        #expect(client.statistics.wakeups < 30)
        client.stop(timeout: 0)
    }

    @Test func inVersion311AHugeMessageIsDroppedAndCounted() throws {
        let huge = 3 << 20
        var publish: [UInt8] = [0x30]
        var length = huge + 3
        repeat {
            publish.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        publish += [0, 1, UInt8(ascii: "t")] + [UInt8](repeating: 7, count: huge)
        publish += [0x30, 4, 0, 1, UInt8(ascii: "t"), UInt8(ascii: "x")]
        let old = try OldBroker(refusingVersion5With: [0x20, 2, 0, 1], sending: publish)
        let client = try MQTTClient(
            MQTTConfiguration(address: BrokerAddress(host: "127.0.0.1", port: old.port), clientID: "a"))
        try client.start()
        #expect(waitUntil(10) { client.statistics.received == 2 })
        #expect(client.statistics.droppedOversize == 1)
        #expect(client.takeEvents().last == .message(Message(topic: "t", text: "x")))
        client.stop(timeout: 0)
    }

    @Test func aNameThatNobodyHasIsToldInWords() throws {
        let client = try MQTTClient(
            MQTTConfiguration(address: BrokerAddress(host: "no-such-host.invalid"), clientID: "a"))
        try client.start()
        var events: [MQTTEvent] = []
        #expect(
            waitUntil(20) {
                events += client.takeEvents(); return !events.isEmpty
            })
        guard case .connectFailed(let error) = events.first else {
            Issue.record("expected a failure: \(events)")
            return
        }
        #expect(error.cause == .unknownHost)
        let words = ["Name or service not known", "name resolution"]
        #expect(words.contains { error.words.contains($0) }, "\(error)")
        client.stop(timeout: 0)
    }

    @Test func aBrokerOnOneAddressOfANameIsFound() throws {
        // localhost is ::1 first on many machines, where this broker doesn't listen.
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "a") { $0.address.host = "localhost" }
        #expect(watcher.waitConnected())
        #expect(watcher.changes == ["connected"])
    }
}
