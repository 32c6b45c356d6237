import Bytes
import EventLedger
import WireProtocol
import Support
import Testing

/// A subscriber's ledger and its actions, a token each: `3` taken, `ask a 4`, `lost 1-2 fell_out`, `unknown after 7`.
struct LedgerScript {
    var ledger: EventLedger<String>
    var now = MonotonicTime.start
    var done: [String] = []
    var asked: LedgerRequest?

    init(from positions: [LedgerPosition] = [], limits: LedgerLimits = LedgerLimits()) {
        ledger = EventLedger(from: positions, limits: limits)
    }

    mutating func event(_ seqs: UInt64..., epoch: String = "a") {
        for seq in seqs { ledger.receive("\(epoch)\(seq)", epoch: epoch, seq: seq, of: "hall", at: now) }
        settle()
    }

    mutating func scan(_ last: UInt64, epoch: String = "a") {
        ledger.receivePosition(of: "hall", epoch: epoch, lastEvent: last, at: now)
        settle()
    }

    mutating func pass(_ seconds: Double) {
        now = now + .seconds(seconds)
        ledger.advance(to: now)
        settle()
    }

    mutating func answer(_ first: UInt64?, _ last: UInt64?, next: UInt64? = nil) {
        guard let asked else { return }
        ledger.receiveAnswer(
            ReplayReport(epoch: asked.epoch, first: first, last: last, next: next), to: asked.id, at: now)
        settle()
    }

    mutating func settle() {
        for action in ledger.takeActions() {
            switch action {
            case .take(let event, _, _, _): done.append(event)
            case .lose(let loss, _):
                done.append(
                    loss.last.map { "lost \(loss.first)-\($0) \(loss.reason.rawValue)" }
                        ?? "unknown after \(loss.first - 1)")
            case .ask(let request):
                done.append("ask \(request.epoch) \(request.fromSeq)")
                asked = request
            case .renew: done.append("renew")
            case .keep, .forget: break
            }
        }
    }

    mutating func take() -> [String] {
        defer { done = [] }
        return done
    }
}

@Suite("A ledger of others' events takes each once, in order, and names what will not come") struct EventLedgerTests {
    @Test("Deliver events in order as they arrive, and none twice")
    func inOrder() {
        var script = LedgerScript()
        script.event(1, 2, 2, 1, 3)
        script.pass(3600)
        #expect(script.take() == ["a1", "a2", "a3"])
        #expect(script.ledger.nextDeadline == nil)
        #expect(script.ledger.positions == [LedgerPosition(publisher: "hall", epoch: "a", seq: 3)])
    }

    @Test("Hold events after a gap until the gap is repaired")
    func gap() {
        var script = LedgerScript()
        script.event(1, 4, 5)
        #expect(script.take() == ["a1"])
        script.pass(1)
        #expect(script.take() == ["ask a 2"])
        script.event(2, 3)
        script.answer(1, 5)
        #expect(script.take() == ["a2", "a3", "a4", "a5"])
        script.pass(3600)
        #expect(script.take().isEmpty)
    }

    @Test("Send no request for a gap that closes by itself")
    func late() {
        var script = LedgerScript()
        script.event(1, 3)
        script.pass(0.9)
        script.event(2)
        script.pass(10)
        #expect(script.take() == ["a1", "a2", "a3"])
    }

    @Test("Detect a missing event by a scan, and request all events for a new subscriber")
    func scan() {
        var script = LedgerScript()
        script.scan(0)
        script.pass(5)
        #expect(script.take().isEmpty)
        script.scan(2)
        script.pass(1)
        #expect(script.take() == ["ask a 1"])
    }

    @Test("Begin behind a position, whatever was known of the publisher, and request what is missing from there on")
    func begin() {
        var script = LedgerScript()
        script.event(5, 6)
        #expect(script.ledger.nextDeadline != nil)
        script.ledger.begin(at: LedgerPosition(publisher: "hall", epoch: "b", seq: 100))
        #expect(script.ledger.nextDeadline == nil)
        script.scan(100, epoch: "b")
        script.pass(60)
        #expect(script.take().isEmpty)
        script.event(102, epoch: "b")
        script.pass(1)
        #expect(script.take() == ["ask b 101"])
    }

    @Test("Know nothing of a publisher that was removed, and hold the events of others in its place")
    func remove() {
        var limits = LedgerLimits()
        limits.heldInAll = 2
        var script = LedgerScript(limits: limits)
        script.event(2, 3)
        script.ledger.remove("hall")
        script.ledger.remove("nobody")
        #expect(script.ledger.nextDeadline == nil)
        script.event(2, 3)
        script.event(1)
        #expect(script.take() == ["a1", "a2", "a3"])
    }

    @Test("Report once the events that a publisher has dropped, and deliver the retained ones")
    func fellOut() {
        var script = LedgerScript(from: [LedgerPosition(publisher: "hall", epoch: "a", seq: 10)])
        script.scan(5000)
        script.pass(1)
        script.event(4999, 5000)
        script.answer(4999, 5000)
        #expect(script.take() == ["ask a 11", "lost 11-4998 fell_out", "a4999", "a5000"])
        #expect(script.ledger.nextDeadline == nil)
        script.pass(3600)
        #expect(script.take().isEmpty)
    }

    @Test("Request a long gap answer by answer")
    func pages() {
        var script = LedgerScript(from: [LedgerPosition(publisher: "hall", epoch: "a", seq: 1)])
        script.scan(7)
        script.pass(1)
        script.event(2, 3)
        script.answer(1, 7, next: 4)
        script.pass(0)
        script.event(4, 5, 6, 7)
        script.answer(1, 7)
        #expect(script.take() == ["ask a 2", "a2", "a3", "ask a 4", "a4", "a5", "a6", "a7"])
    }

    @Test("Hold another epoch until the one before is closed, and report the end of a lost one as unknown")
    func lostEpoch() {
        var script = LedgerScript()
        script.event(1, 2)
        script.scan(4)
        script.event(1, 2, epoch: "b")
        #expect(script.take() == ["a1", "a2"])
        script.pass(1)
        #expect(script.take() == ["ask a 3"])
        script.answer(nil, nil)
        #expect(script.take() == ["lost 3-4 epoch_lost", "unknown after 4", "b1", "b2"])
        // Late events of the closed epoch are duplicates.
        script.event(1, 2)
        script.scan(4)
        script.pass(60)
        #expect(script.take().isEmpty)
    }

    @Test("Deliver an epoch that the publisher still retains to its end before the next")
    func keptEpoch() {
        var script = LedgerScript()
        script.event(1)
        script.event(1, epoch: "b")
        script.pass(1)
        script.event(2, 3)
        script.answer(1, 3)
        #expect(script.take() == ["a1", "ask a 2", "a2", "a3", "b1"])
        #expect(
            script.ledger.positions == [
                LedgerPosition(publisher: "hall", epoch: "a", seq: 3, isClosed: true),
                LedgerPosition(publisher: "hall", epoch: "b", seq: 1),
            ])
    }

    @Test("Continue the numbers of an epoch to which a publisher returns, as after a disk that rejected writes")
    func back() {
        var script = LedgerScript(from: [
            LedgerPosition(publisher: "hall", epoch: "a", seq: 3, isClosed: true),
            LedgerPosition(publisher: "hall", epoch: "b", seq: 1),
        ])
        script.event(3, 4)
        script.pass(1)
        script.answer(nil, nil)
        #expect(script.take() == ["ask b 2", "unknown after 1", "a4"])
        #expect(script.ledger.positions.map(\.isClosed) == [true, false])
    }

    @Test("Repeat a request twice if an answer lacks an event, and then give that event up")
    func notTold() {
        var script = LedgerScript()
        script.event(1, 4)
        for _ in 0..<4 {
            script.pass(60)
            script.event(4)
            script.answer(1, 4)
        }
        #expect(script.take() == ["a1", "ask a 2", "ask a 2", "ask a 2", "lost 2-3 not_told", "a4"])
    }

    @Test("Wait longer if an answer yields no event at all for minutes, since the route may be blocked")
    func closed() {
        var script = LedgerScript()
        script.event(1, 4)
        for _ in 0..<7 {
            script.pass(300)
            script.answer(1, 4)
        }
        // Each second time the subscription is taken for stalled.
        let pair = ["ask a 2", "ask a 2", "renew"]
        let steps = [["a1"], pair, pair, pair, ["ask a 2"]].flatMap(\.self)
        #expect(script.take() == steps)
        script.pass(300)
        script.event(2, 3)
        script.answer(1, 4)
        #expect(script.take() == ["ask a 2", "a2", "a3", "a4"])
    }

    @Test("Request ever more seldom from a silent publisher, and not at all while it is absent")
    func unanswered() {
        var script = LedgerScript()
        script.event(2)
        for _ in 0..<10_000 { script.pass(1) }
        #expect(script.take() == ["ask a 1", "ask a 1", "ask a 1"])
        #expect(script.ledger.nextDeadline == nil)
        for _ in 0..<10_000 {
            script.scan(2)
            script.pass(1)
        }
        let asked = [String](repeating: "ask a 1", count: 7)
        let steps = [["renew"], asked, ["lost 1-1 unanswered", "a2"]].flatMap(\.self)
        #expect(script.take() == steps)
    }

    @Test("Drop a number that the publisher does not have, so that it blocks nothing")
    func tooHigh() {
        var script = LedgerScript()
        script.event(1, 1 << 50)
        script.event(1 << 60)
        for _ in 0..<3 {
            script.pass(60)
            script.answer(1, 1)
        }
        script.event(2)
        #expect(script.take() == ["a1", "ask a 2", "ask a 2", "ask a 2", "a2"])
        #expect(script.ledger.nextDeadline == nil)
    }

    @Test("Request the events beyond the waiting limit instead of losing them")
    func bound() {
        var limits = LedgerLimits()
        limits.held = 3
        var script = LedgerScript(limits: limits)
        script.event(9, 8, 7, 6, 5, 4, 3, 2)
        script.pass(1)
        script.event(1)
        script.pass(1)
        #expect(script.take() == ["ask a 1", "a1", "a2", "a3", "a4"])
        for _ in 0..<3 { script.pass(20) }
        #expect(script.asked?.fromSeq == 5)
    }

    @Test("Ignore publishers beyond the bound")
    func publishers() {
        var limits = LedgerLimits()
        limits.publishers = 2
        var ledger = EventLedger<Int>(limits: limits)
        for publisher in ["a", "b", "c"] { ledger.receive(1, epoch: "e", seq: 1, of: publisher, at: .start) }
        var taken: [String] = []
        for case .take(_, let publisher, _, _) in ledger.takeActions() { taken.append(publisher) }
        #expect(taken == ["a", "b"])
    }

    @Test("Deliver nothing twice or out of order for any input in any order", arguments: 0..<50)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var script = LedgerScript()
        for _ in 0..<400 {
            let (epoch, seq) = (["a", "b", "c"][Int(generator.next() % 3)], generator.next() % 40)
            switch generator.next() % 4 {
            case 0: script.event(seq, epoch: epoch)
            case 1: script.scan(seq, epoch: epoch)
            case 2: script.pass(Double(generator.next() % 20))
            default:
                let last = generator.next() % 40
                script.answer(
                    generator.next() % 8 == 0 ? nil : generator.next() % 40, generator.next() % 8 == 0 ? nil : last,
                    next: generator.next() % 3 == 0 ? generator.next() % 40 : nil)
            }
        }
        for epoch in ["a", "b", "c"] {
            let taken = script.done.filter { $0.hasPrefix(epoch) && !$0.hasPrefix("ask") }.compactMap {
                UInt64($0.dropFirst())
            }
            #expect(taken == Set(taken).sorted(), "seed \(seed)")
        }
    }
}
