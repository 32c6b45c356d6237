import Bytes
import Testing

@testable import Agent

/// The distribution of a fleet's publications over time.
struct PublicationStaggerTests {
    @Test func ofTwoHundredNodesFewSpeakAgainInTheSameTenthOfASecond() {
        var slots = [Int](repeating: 0, count: 30)
        for number in 0..<200 {
            let moment = PublicationStagger(node: "node-\(number)", window: .seconds(1)).share(of: BrokerPhase.reunion)
            #expect((.zero ..< .seconds(3)).contains(moment))
            slots[Int(moment.milliseconds / 100)] += 1
        }
        #expect(slots.max() ?? 0 <= 20, "\(slots)")
        // And always at its own moment.
        let again = PublicationStagger(node: "kitchen", window: .seconds(5)).share(of: BrokerPhase.reunion)
        #expect(again == PublicationStagger(node: "kitchen", window: .seconds(1)).share(of: BrokerPhase.reunion))
    }
}
