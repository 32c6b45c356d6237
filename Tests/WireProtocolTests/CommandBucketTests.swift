import Testing

import WireProtocol

@Suite("How many commands are obeyed")
struct CommandBucketTests {
    private static let second: Int64 = 1_000_000_000

    @Test(
        "Admit a burst, then a fixed rate; count the excess and report it once a second"
    )
    func flood() {
        var bucket = CommandBucket()
        let start: Int64 = 77 * Self.second
        var (obeyed, told, refused) = ([Int: Int](), 0, 0)
        // A thousand a second for twenty seconds.
        for number in 0..<20_000 {
            let now = start + Int64(number) * Self.second / 1000
            if bucket.take(at: now) { obeyed[number / 1000, default: 0] += 1 }
            if let count = bucket.takeRefused(at: now) { (told, refused) = (told + 1, refused + count) }
        }
        #expect((CommandBucket.burst...CommandBucket.burst + CommandBucket.perSecond).contains(obeyed[0] ?? 0))
        for second in 1..<20 { #expect(obeyed[second] == CommandBucket.perSecond) }
        #expect(told == 20)
        let left = bucket.takeRefused(at: start + 21 * Self.second) ?? 0
        #expect(obeyed.values.reduce(0, +) + refused + left == 20_000)
    }

    @Test("Never reject infrequent commands, and restore the whole burst after a pause")
    func rest() {
        var bucket = CommandBucket()
        let seldom = (0..<1000).map { bucket.take(at: Int64($0) * Self.second / 10) }
        #expect(!seldom.contains(false))
        let later = 1000 * Self.second
        let many = (0...CommandBucket.burst).map { _ in bucket.take(at: later) }
        #expect(many == Array(repeating: true, count: CommandBucket.burst) + [false])
        let told = [bucket.takeRefused(at: later), bucket.takeRefused(at: later)]
        #expect(told == [1, nil])
    }
}
