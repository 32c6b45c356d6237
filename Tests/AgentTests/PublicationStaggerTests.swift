import Testing

@testable import Agent

/// The distribution of a fleet's publications over time.
struct PublicationStaggerTests {
    @Test func ofTwoHundredNodesFewSpeakAgainInTheSameTenthOfASecond() {
        var slots = [Int](repeating: 0, count: 30)
        for number in 0..<200 {
            let moment = PublicationStagger(node: "node-\(number)", window: 1_000_000).moment(in: BrokerPhase.reunion)
            #expect((0..<3_000_000_000).contains(moment))
            slots[Int(moment / 100_000_000)] += 1
        }
        #expect(slots.max() ?? 0 <= 20, "\(slots)")
        // And always at its own moment.
        let again = PublicationStagger(node: "kitchen", window: 5_000_000).moment(in: BrokerPhase.reunion)
        #expect(again == PublicationStagger(node: "kitchen", window: 1_000_000).moment(in: BrokerPhase.reunion))
    }
}
