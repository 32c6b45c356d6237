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

    @Test("Make a lost request again behind all others, which then wait no longer than before, and none that has ended")
    func lost() {
        var requests = SubscriptionRequests()
        let late = Self.now.advanced(bySeconds: 30)
        requests.enqueue(["claim", "command", "plan"].map { Subscription($0, qos: .atLeastOnce) })
        #expect(requests.takeNext(at: Self.now)?.filter == "claim")
        requests.sent(Subscription("claim", qos: .atLeastOnce), id: 1, at: Self.now)
        #expect(requests.nextDeadline == late)
        #expect(requests.takeNext(at: Self.now.advanced(bySeconds: 29)) == nil)
        for (id, filter) in [(2, "command"), (3, "plan")] {
            #expect(requests.takeNext(at: late)?.filter == filter)
            requests.sent(Subscription(filter, qos: .atLeastOnce), id: Int32(id), at: late)
            #expect(requests.takeNext(at: late) == nil)
            let events = requests.answer(Int32(id), reason: 1, version: .v5, at: late)
            #expect(events == [.subscriptionAnswered(filter: filter)])
        }
        #expect(requests.takeNext(at: late)?.filter == "claim")
        requests.sent(Subscription("claim", qos: .atLeastOnce), id: 4, at: late)
        // An answer to the lost request tells nothing any more.
        #expect(requests.answer(1, reason: 0x87, version: .v5, at: late) == [])
        requests.end("claim")
        #expect(requests.takeNext(at: late.advanced(bySeconds: 30)) == nil)
        #expect(requests.takeAnswered() == [.subscriptionsAnswered])
        #expect(requests.nextDeadline == nil)
    }
}
