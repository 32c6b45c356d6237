import Bytes
import Support
import Testing

import WireProtocol

@Suite struct CommandGateTests {
    private static let command = Message(topic: "c", text: #"{"id":"1","action":"rescan"}"#)

    private static func count(_ refusal: CommandRefusal) -> Int {
        guard case .failed(let reason) = refusal.fault else { return 0 }
        return reason.split(separator: " ").compactMap { Int($0) }.last ?? 0
    }

    @Test("Admit a burst, then a fixed rate; count the excess and answer it once a second")
    func flood() throws {
        var gate = CommandGate<NodeCommand>()
        let start = MonotonicTime.second(77)
        var (obeyed, answers, refused) = ([Int: Int](), 0, 0)
        // A thousand a second for twenty seconds.
        for number in 0..<20_000 {
            let now = start + .milliseconds(number)
            if gate.admit(Self.command, at: now) { obeyed[number / 1000, default: 0] += 1 }
            if let (_, refusal) = gate.takeRefusal(at: now) {
                (answers, refused) = (answers + 1, refused + Self.count(refusal))
            }
        }
        #expect((CommandLimit.burst...CommandLimit.burst + CommandLimit.perSecond).contains(obeyed[0] ?? 0))
        for second in 1..<20 { #expect(obeyed[second] == CommandLimit.perSecond) }
        #expect(answers == 20)
        let last = gate.takeRefusal(at: start + .seconds(21))
        let left = try #require(last)
        #expect(left.refusal.action == "rescan" && left.message == Self.command)
        #expect(obeyed.values.reduce(0, +) + refused + Self.count(left.refusal) == 20_000)
    }

    @Test("Never reject infrequent commands, and restore the whole burst after a pause")
    func rest() {
        var gate = CommandGate<NodeCommand>()
        let seldom = (0..<1000).map { gate.admit(Self.command, at: .second(Double($0) / 10)) }
        #expect(!seldom.contains(false))
        let later = MonotonicTime.second(1000)
        let many = (0...CommandLimit.burst).map { _ in gate.admit(Self.command, at: later) }
        #expect(many == Array(repeating: true, count: CommandLimit.burst) + [false])
        #expect(gate.isWaiting)
        let counts = (0..<2).map { _ in gate.takeRefusal(at: later).map { Self.count($0.refusal) } }
        #expect(counts == [1, nil] && !gate.isWaiting)
    }
}
