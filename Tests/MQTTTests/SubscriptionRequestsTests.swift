import Bytes
import WireProtocol
import Testing

@testable import MQTT

@Suite struct SubscriptionRequestsTests {
    private static let now = MonotonicTime(nanoseconds: 0)

    /// Sends what may be sent now, and returns the filters; packet identifiers count from `id`.
    private func send(_ requests: inout SubscriptionRequests, _ id: inout Int32) -> [String] {
        var filters: [String] = []
        while let subscription = requests.takeNext(at: Self.now) {
            id += 1
            requests.sent(subscription, id: id, at: Self.now)
            filters.append(subscription.filter)
        }
        return filters
    }

    @Test("Request subscriptions with QoS 1 one at a time and in order, and those with QoS 0 without waiting")
    func oneAtATime() {
        var requests = SubscriptionRequests()
        var id: Int32 = 0
        let confirmed: Message.QualityOfService = .atLeastOnce
        requests.enqueue([
            Subscription("claim", qos: confirmed), Subscription("location"), Subscription("room"),
            Subscription("plan", qos: confirmed), Subscription("events", qos: confirmed),
        ])
        #expect(send(&requests, &id) == ["claim"])
        #expect(send(&requests, &id) == [])
        #expect(requests.answer(1, reason: 1, version: .v5, at: Self.now) == [.subscriptionAnswered(filter: "claim")])
        #expect(send(&requests, &id) == ["location", "room", "plan"])
        // One that is added is next, before those that wait.
        requests.enqueue([Subscription("windows/3a")], first: true)
        _ = requests.answer(2, reason: 0, version: .v5, at: Self.now)
        #expect(send(&requests, &id) == [])
        let denial = requests.answer(4, reason: 0x87, version: .v5, at: Self.now)
        #expect(denial.count == 2 && denial.last == .subscriptionAnswered(filter: "plan"))
        requests.end("events")
        #expect(send(&requests, &id) == ["windows/3a"])
        _ = requests.answer(3, reason: 0, version: .v5, at: Self.now)
        #expect(
            requests.answer(5, reason: 0, version: .v5, at: Self.now) == [
                .subscriptionAnswered(filter: "windows/3a"), .subscriptionsAnswered,
            ])
        // The denied one is requested again when it is due.
        let due = requests.takeDue(at: Self.now.advanced(bySeconds: 1))
        #expect(due.map(\.filter) == ["plan"])
    }

    @Test("Hold messages until the last request is sent, for a second a request at most")
    func held() {
        var requests = SubscriptionRequests()
        var id: Int32 = 0
        #expect(requests.heldUntil(at: Self.now) == nil)
        requests.enqueue(["claim", "command"].map { Subscription($0, qos: .atLeastOnce) } + [Subscription("room")])
        _ = send(&requests, &id)
        let end = Self.now.advanced(bySeconds: 1)
        #expect(requests.heldUntil(at: Self.now.advanced(bySeconds: 0.9)) == end)
        #expect(requests.heldUntil(at: end) == nil)
        _ = requests.answer(1, reason: 1, version: .v5, at: Self.now)
        _ = send(&requests, &id)
        #expect(requests.heldUntil(at: Self.now) == end)
        _ = requests.answer(2, reason: 1, version: .v5, at: Self.now)
        _ = send(&requests, &id)
        #expect(requests.heldUntil(at: Self.now) == nil)
    }

    @Test("Request the next one where a broker has lost a request, and none again that is not wanted any more")
    func lost() {
        var requests = SubscriptionRequests()
        var id: Int32 = 0
        requests.enqueue(["claim", "command"].map { Subscription($0, qos: .atLeastOnce) })
        #expect(send(&requests, &id) == ["claim"])
        #expect(requests.takeNext(at: Self.now.advanced(bySeconds: 29)) == nil)
        #expect(requests.takeNext(at: Self.now.advanced(bySeconds: 30))?.filter == "command")
        requests.end("claim")
        let events = requests.answer(1, reason: 0x87, version: .v5, at: Self.now)
        #expect(events == [.subscriptionAnswered(filter: "claim"), .subscriptionsAnswered])
        #expect(requests.nextDeadline == nil)
    }
}
