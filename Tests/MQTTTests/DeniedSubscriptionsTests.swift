import Bytes
import WireProtocol
import Support
import Testing

@testable import MQTT

@Suite struct DeniedSubscriptionsTests {
    private static func moment(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(seconds * 1e9))
    }

    @Test("Double the pause from a second to a minute, and begin anew with a connection")
    func pauses() {
        var denied = DeniedSubscriptions()
        let subscription = Subscription("a/+")
        var now = 0.0
        var pauses: [Double] = []
        for attempt in 0..<9 {
            let isReported = denied.deny(subscription, at: Self.moment(now))
            #expect(isReported == (attempt == 0), "reported once")
            guard let due = denied.nextDeadline else {
                Issue.record("there must be a next request")
                return
            }
            let early = denied.takeDue(at: Self.moment(now))
            #expect(early.isEmpty)
            pauses.append(Double(due.nanoseconds) / 1e9 - now)
            now = Double(due.nanoseconds) / 1e9
            let taken = denied.takeDue(at: due)
            #expect(taken == [subscription])
            #expect(denied.nextDeadline == nil, "nothing to do before the answer")
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        denied.connected()
        let isReported = denied.deny(subscription, at: Self.moment(now))
        #expect(isReported, "reported anew on a new connection")
        #expect(denied.nextDeadline == Self.moment(now + 1))
    }

    @Test("Report a grant once, also on a later connection than the denial")
    func grants() {
        var denied = DeniedSubscriptions()
        _ = denied.deny(Subscription("a"), at: Self.moment(0))
        _ = denied.deny(Subscription("b"), at: Self.moment(0.5))
        let taken = denied.takeDue(at: Self.moment(1.5)).map(\.filter)
        #expect(taken == ["a", "b"], "in the order of the program")
        denied.connected()
        let grants = ["c", "a", "a", "b"].map { denied.grant($0) }
        #expect(grants == [false, true, false, true])
        #expect(denied.nextDeadline == nil)
    }

    @Test(
        "Request a denied subscription until it is granted, and then receive the retained messages",
        .inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
    func recovers() throws {
        let broker = try Broker()
        let relay = try DenyingRelay(to: broker.port)
        relay.deny { $0 == "closed" }
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("open"), Subscription("closed")]) {
            $0.address = BrokerAddress(host: "127.0.0.1", port: relay.port)
        }
        #expect(watcher.waitConnected())
        watcher.client.publish(Message(topic: "closed", text: "kept", qos: .atLeastOnce, retained: true))
        #expect(watcher.wait { _ in relay.denials["closed"] == 2 })
        #expect(watcher.texts("closed").isEmpty)
        relay.deny { _ in false }
        #expect(watcher.wait { $0.texts("closed") == ["kept"] })
        #expect(watcher.changes == ["connected", "subscription refused", "subscription granted"])
        #expect(watcher.errors.map(\.description) == ["SUBACK: Not authorized (135)"])
        let events = watcher.events
        let answered = events.firstIndex(of: .subscriptionsAnswered)
        let granted = events.firstIndex(of: .subscriptionGranted(filter: "closed"))
        let kept = events.firstIndex { if case .message(let message) = $0 { message.topic == "closed" } else { false } }
        #expect(answered != nil && granted != nil && kept != nil)
        if let answered, let granted, let kept { #expect(answered < granted && granted < kept) }
    }
}
