import Bytes
import Foundation
import MQTT
import BrokerSession
import Configuration
import Support
import System
import Testing
import WireProtocol

/// The retained status of a publisher with a broken connection, over a real broker.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct WillRaceTests {
    static let isFull = LongProofs.areRequested
    /// In the everyday run a sample.
    static let rounds = isFull ? 200 : 10
    /// Seconds from the break to the last word; beside other tests some of them go to waiting for a processor.
    static let limit = isFull ? 5.0 : 20

    @Test(
        "Retain online after many reconnections with the old connection left half-open",
        arguments: [false, true])
    func staysOnline(speaksVersion311: Bool) throws {
        let broker = try Broker(["max_queued_messages 0"])
        let relay = try Relay(to: broker.port, refusingVersion5: speaksVersion311)
        let status = "whereabouts/nodes/kitchen/status"
        var settings = MQTTSettings(url: try BrokerURL("mqtt://127.0.0.1:\(relay.port)"))
        settings.keepAlive = .seconds(60)
        let session = try Session(
            settings, clientID: "whereabouts-agent-kitchen", statusTopic: status,
            // A connection that breaks so soon again is otherwise waited with, the longer the more often.
            log: Log(environment: [:], level: .error), backoff: Backoff(first: 0.1, maximum: 0.1))
        let seen = try Subscriber(broker, [Subscription(status, qos: .atLeastOnce)])
        try session.start()
        var connections = 0
        func live() {
            session.receive { if case .connected = $0 { connections += 1 } }
            seen.take()
        }
        #expect(
            waitUntil(10) {
                live()
                return seen.texts.last == "online"
            })
        var slowest = 0.0
        var wills = 0
        for round in 1...Self.rounds {
            let before = connections
            seen.forget()
            let began = MonotonicClock.now()
            relay.leaveHalfOpen()
            // The will of the old connection comes when the new one takes its place.
            let isBack = waitUntil(Self.limit) {
                live()
                return connections > before && seen.texts.contains("offline") && seen.texts.last == "online"
            }
            #expect(isBack, "round \(round): \(connections - before) connections, \(seen.texts)")
            slowest = max(slowest, (MonotonicClock.now() - began).seconds)
            wills += seen.texts.count { $0 == "offline" }
            // A word later than that would be seen by one who comes late.
            let late = try Subscriber(broker, [Subscription(status, qos: .atLeastOnce)])
            #expect(
                waitUntil(Self.limit) {
                    live()
                    late.take()
                    return !late.texts.isEmpty
                })
            #expect(Set(late.texts) == ["online"], "round \(round)")
        }
        #expect(connections == Self.rounds + 1)
        print(
            "\(Self.rounds) reconnections (MQTT \(speaksVersion311 ? "3.1.1" : "5")): \(wills) wills came late,",
            "the slowest was online after \(slowest) s")
        session.stop(timeout: 1)
    }

    @Test("Publish online again after a last will that comes late, and report that others took it for gone")
    func isTakenForGone() throws {
        let broker = try Broker()
        let status = "whereabouts/fuser/main/status"
        let session = try Session(
            MQTTSettings(url: try BrokerURL("mqtt://127.0.0.1:\(broker.port)")), clientID: "whereabouts-fuser-main",
            statusTopic: status, log: Log(environment: [:], level: .error))
        let seen = try Subscriber(broker, [Subscription(status, qos: .atLeastOnce)])
        try session.start()
        var (isSubscribed, replaced) = (false, 0)
        func live() {
            session.receive { notice in
                if case .subscribed = notice { isSubscribed = true }
                if case .trouble(.statusReplaced) = notice { replaced += 1 }
            }
            seen.take()
        }
        let isOnline = waitUntil(10) {
            live()
            return isSubscribed && seen.texts.last == "online"
        }
        #expect(isOnline && replaced == 0)
        seen.publish(Message(topic: status, text: "offline", qos: .atLeastOnce, retained: true))
        let isBack = waitUntil(10) {
            live()
            return seen.texts.contains("offline") && seen.texts.last == "online" && replaced > 0
        }
        #expect(isBack && replaced == 1)
        session.stop(timeout: 1)
    }
}

/// One who looks on at a broker.
private final class Subscriber {
    private let client: MQTTClient
    private(set) var messages: [Message] = []

    init(_ broker: Broker, _ filters: [Subscription]) throws {
        var configuration = MQTTConfiguration(
            address: try BrokerAddress(url: broker.url), clientID: "subscriber-\(UInt64.random(in: 0 ... .max))")
        configuration.backoff = Backoff(first: 0.05, maximum: 0.2)
        client = try MQTTClient(configuration)
        try client.subscribe(filters)
        try client.start()
    }

    deinit { client.stop(timeout: 0) }

    /// The payloads so far.
    var texts: [String] { messages.map { String(decoding: $0.payload, as: UTF8.self) } }

    func forget() { messages = [] }

    func publish(_ message: Message) { client.publish(message) }

    /// Takes what has come.
    func take() {
        for event in client.takeEvents() { if case .message(let message) = event { messages.append(message) } }
    }
}
