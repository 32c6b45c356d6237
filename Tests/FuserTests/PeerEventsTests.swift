import Bytes
import Testing
import WireProtocol

@testable import Fuser
import HouseTracking

/// Fuser `a`, which hears the claims and the events of others.
private struct Listener {
    var pipeline = FuserPipeline(settings: .init(fuser: "a", epoch: "aaaaaaaa"))
    var now = MonotonicTime.start
    private var requests: [String] = []
    private(set) var commands: [FuserCommand] = []

    mutating func claim(_ lastEvent: UInt64, epoch: String = "1", of peer: String = "b") {
        let claim = Claim(shards: 0...255, state: .serving, epoch: epoch, lastEvent: lastEvent, seq: 1)
        pipeline.peerEvents.receive(claim, of: peer, at: now)
        pass(0)
    }

    mutating func event(_ seqs: UInt64..., epoch: String = "1", of peer: String = "b") {
        for seq in seqs {
            let event = ItemEvent(
                fuser: peer, epoch: epoch, seq: seq, itemSeq: seq, id: "\(seq)", at: Fused.time(0),
                notBefore: Fused.time(0), kind: .moved, room: "hall", previous: "kitchen")
            var json = JSONWriter()
            event.write(to: &json)
            receive(pipeline.topics.itemEvents("keys"), json.bytes)
        }
        pass(0)
    }

    /// Another fuser answers the last request.
    mutating func answer(_ answer: FuserAnswer) {
        pass(0.01)
        guard let command = commands.last else { return }
        let result = FuserResult(to: command, answer, at: Fused.time(1))
        receive(pipeline.topics.fuserReplies("a"), result.payload)
        pass(0)
    }

    private mutating func receive(_ topic: String, _ payload: [UInt8]) {
        var outbox: [Message] = []
        pipeline.receive(Message(topic: topic, payload: payload, qos: .atLeastOnce), at: Fused.time(1), &outbox)
    }

    mutating func pass(_ seconds: Double) {
        now = now + .seconds(seconds)
        var outbox: [Message] = []
        pipeline.peerEvents.advance(to: now, &outbox)
        requests += outbox.map { message in
            guard let command = try? FuserCommand(payload: message.payload.span),
                case .replay(let epoch, let seq) = command.action, message.qos == .atMostOnce
            else { return "no replay" }
            commands.append(command)
            return "\(message.topic) \(epoch ?? "-") \(seq)"
        }
    }

    /// The requests since the last call: topic, epoch and first number.
    mutating func takeRequests() -> [String] {
        defer { requests = [] }
        return requests
    }
}

@Suite("The events of other fusers") struct PeerEventsTests {
    @Test("Are requested where a claim or a later event shows that some did not arrive, with the right to operate")
    func missing() {
        var listener = Listener()
        listener.claim(40)
        listener.event(41)
        listener.claim(43)
        #expect(listener.takeRequests().isEmpty)
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 42"])
        listener.event(42, 43)
        listener.event(45)
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 44"])
        listener.event(44)
        listener.pass(3600)
        #expect(listener.takeRequests().isEmpty && listener.pipeline.peerEvents.nextDeadline == nil)
    }

    @Test("Are not requested from before a fuser's first claim, and not of an epoch that has ended")
    func past() {
        var listener = Listener()
        listener.event(7, 9)
        listener.claim(500)
        listener.pass(60)
        listener.claim(502)
        listener.claim(3, epoch: "2")
        listener.event(501, 502)
        listener.pass(60)
        #expect(listener.takeRequests().isEmpty)
        listener.claim(4, epoch: "2")
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 2 4"])
    }

    @Test("Are requested ten times of one that lives and does not answer, and once of one that is silent")
    func unanswered() {
        var listener = Listener()
        listener.claim(1)
        listener.claim(2)
        for _ in 0..<30 { listener.pass(20) }
        #expect(listener.takeRequests().count == 1)
        for _ in 0..<300 {
            listener.claim(2)
            listener.pass(3)
        }
        #expect(listener.takeRequests().count == 9)
        listener.claim(3)
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 3"])
    }

    @Test(
        "Are requested again soon where a fuser refuses, from where an answer ends, and not where they are no longer kept"
    )
    func answers() {
        var listener = Listener()
        listener.claim(10)
        listener.claim(20)
        listener.pass(0.5)
        listener.answer(.failed("messages wait for the broker"))
        listener.pass(1.5)
        #expect(listener.takeRequests().count == 2)
        listener.event(15, 16)
        listener.answer(.replayed(ReplayReport(epoch: "1", first: 15, last: 20, next: 17)))
        listener.pass(0)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 17"])
        listener.event(17, 18, 19, 20)
        listener.answer(.replayed(ReplayReport(epoch: "1", first: 15, last: 20, next: nil)))
        listener.pass(3600)
        #expect(listener.takeRequests().isEmpty && listener.pipeline.peerEvents.nextDeadline == nil)
    }

    @Test("Are requested as far back as one answer reaches, which is what tells where things are now")
    func longAbsence() {
        var listener = Listener()
        listener.claim(10)
        listener.claim(9000)
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 8001"])
    }

    @Test("Are requested of a fuser whose number went back, whatever a wrong one said before")
    func wrongNumbers() {
        var listener = Listener()
        listener.claim(10)
        listener.event(1 << 53)
        listener.claim(.max)
        listener.claim(1 << 53)
        listener.claim(11)
        listener.event(12)
        listener.claim(14)
        _ = listener.takeRequests()
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 13"])
    }

    @Test("Are not requested of a fuser that is gone for good, and anew of one with its name")
    func removed() {
        var listener = Listener()
        listener.claim(1)
        listener.claim(2)
        var outbox: [Message] = []
        listener.pipeline.forget(fuser: "b", at: Fused.time(2), &outbox)
        listener.pass(60)
        listener.claim(9)
        listener.pass(60)
        #expect(listener.takeRequests().isEmpty)
        listener.claim(10)
        listener.pass(0.5)
        #expect(listener.takeRequests() == ["whereabouts/fuser/b/operate/peer-a 1 10"])
    }

    @Test("Are requested by a name of any length on a topic that is a command's")
    func longName() throws {
        let topics = Topics()
        let topic = topics.fuserCommand("b", byPeer: String(repeating: "x", count: 64))
        guard case .fuserCommand("b", let sender)? = topics.kind(of: topic) else {
            Issue.record("\(topic) is no command")
            return
        }
        #expect(sender?.right == .operate && FuserCommand.Action.replay(epoch: nil, fromSeq: 1).right == .operate)
    }
}
