import Bytes
import Configuration
import Testing

@testable import WebInterface

/// A viewer who asks much waits for itself.
struct RequestLimitTests {
    private static func request(_ account: String, of number: Int = 0) -> PageRequest {
        PageRequest(
            action: .removeItem("\(number)"),
            sender: .init(user: account, role: .operator, peer: "", method: "DELETE", path: ""), account: account
        ) { _ in }
    }

    private static func post(_ requests: PageRequests, _ account: String, at now: MonotonicTime) -> Int {
        do throws(Problem) {
            try requests.post(request(account), at: now)
            return 200
        } catch {
            return error.status
        }
    }

    @Test func leavesTheirShareToOthers() {
        let requests = PageRequests(wake: {})
        var now = MonotonicTime.start
        var answered: [String: Int] = [:], refused: [String: Int] = [:]
        // For ten seconds five viewers ask 100 times a second, and one once a second.
        for tick in 0..<1000 {
            for viewer in ["a", "b", "c", "d", "e"] where Self.post(requests, viewer, at: now) != 200 {
                refused[viewer, default: 0] += 1
            }
            if tick % 100 == 50, Self.post(requests, "calm", at: now) != 200 { refused["calm", default: 0] += 1 }
            for request in requests.take(atMost: 4, at: now) { answered[request.sender.user, default: 0] += 1 }
            now = now + .milliseconds(10)
        }
        #expect(refused["calm"] == nil && answered["calm", default: 0] >= 9)
        #expect(refused["a", default: 0] > 800)
        let total = answered.values.reduce(0, +)
        #expect(total <= PageRequests.burst + 10 * PageRequests.perSecond && total >= 200)
        let greedy = ["a", "b", "c", "d", "e"].map { answered[$0, default: 0] }
        #expect(greedy.max()! - greedy.min()! <= 2)
    }

    @Test func boundsWhatWaits() {
        let requests = PageRequests(wake: {})
        let now = MonotonicTime.start
        let statuses = (0..<PageRequests.boundOfViewer + 1).map { _ in Self.post(requests, "a", at: now) }
        #expect(statuses.last == 503 && statuses.dropLast().allSatisfy { $0 == 200 })
        for viewer in 0..<PageRequests.bound { _ = Self.post(requests, "v\(viewer)", at: now) }
        #expect(Self.post(requests, "late", at: now) == 503)
        var count = 0
        while !requests.take(atMost: 4, at: now + .seconds(count)).isEmpty { count += 1 }
        #expect(count >= PageRequests.bound / 4 && requests.nextChance(from: now + .seconds(1000)) == nil)
    }

    @Test func tellsWhenToTakeAgain() {
        let requests = PageRequests(wake: {})
        let now = MonotonicTime.start
        for viewer in 0..<PageRequests.burst + 1 { _ = Self.post(requests, "v\(viewer)", at: now) }
        #expect(requests.nextChance(from: now) == now)
        #expect(requests.take(atMost: 100, at: now).count == PageRequests.burst)
        #expect(requests.nextChance(from: now) == now + .milliseconds(50))
        #expect(requests.take(atMost: 100, at: now).isEmpty)
        #expect(requests.take(atMost: 100, at: now + .milliseconds(50)).count == 1)
    }

    @Test func forgetsViewers() {
        var allowances = Allowances(bound: 10, burst: 1, perSecond: 1)
        let now = MonotonicTime.start
        for viewer in 0..<100 {
            let isAllowed = allowances.take("\(viewer)", at: now + .milliseconds(viewer))
            #expect(isAllowed)
        }
        let isAgain = allowances.take("99", at: now + .milliseconds(100))
        #expect(allowances.count == 10 && !isAgain)
    }
}
