import Bytes
import EventLedger
import WireProtocol
import Store
import Support
import Testing

@testable import Fuser
import HouseTracking
import System

/// A fuser that keeps what nodes tell, in a real database.
private final class JournalingFuser {
    private let folder: TemporaryFolder
    let memory: FuserMemory
    var pipeline: FuserPipeline
    var outbox: [Message] = []
    var now = MonotonicTime.start

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        memory = try FuserMemory(
            path: folder.file("fuser.sqlite"), history: .seconds(86400), at: Fused.time(0),
            log: Log(level: .error, style: .plain, descriptor: 2))
        pipeline = FuserPipeline(
            settings: .init(fuser: "main", epoch: memory.epoch), run: "r", positions: memory.positions())
    }

    func event(_ seqs: Int..., epoch: String = "a", of node: String = "hall", as payloadNode: String? = nil) {
        for seq in seqs {
            var event = NodeEvent(
                node: payloadNode ?? node, epoch: epoch, seq: UInt64(seq), at: Fused.time(Double(seq)),
                notBefore: Fused.time(0), kind: seq % 2 == 0 ? .exit : .enter)
            (event.region, event.beacon) = (seq < 3 ? "office" : "pets", seq < 3 ? "keys" : "cat")
            var json = JSONWriter()
            event.write(to: &json)
            receive(pipeline.topics.nodeEvents(node), json.bytes)
        }
    }

    func receive(_ topic: String, _ payload: [UInt8], retained: Bool = false) {
        pipeline.receive(
            Message(topic: topic, payload: payload, qos: .atLeastOnce, retained: retained), at: Fused.time(50), &outbox)
    }

    /// Lets time pass, and keeps what has come.
    func settle(_ seconds: Double = 0) {
        now = now + .seconds(seconds)
        pipeline.journal.advance(to: now, at: Fused.time(60), &outbox)
        _ = memory.persistEffects(pipeline.takeEffects(at: Fused.time(60)), at: Fused.time(60))
    }

    var requests: [Message] { outbox.filter { $0.topic == "whereabouts/nodes/hall/command" } }

    func rows(
        of node: String = "hall", region: String? = nil, after: UInt64 = 0, limit: Int = 100
    ) throws -> [String] {
        try memory.queryJournal(JournalQuery(node: node, region: region, after: after, limit: limit)).map { row in
            switch row.entry {
            case .event(let event): "\(event.epoch)\(event.seq) \(event.kind) \(event.region ?? "-")"
            case .lost(let loss, _):
                "\(loss.epoch) lost \(loss.first)-\(loss.last.map { "\($0)" } ?? "") \(loss.reason)"
            }
        }
    }
}

@Suite("A fuser's journal of what happened at nodes") struct NodeJournalTests {
    @Test("It holds each event once and in order over a kill, and asks for what was told meanwhile")
    func restart() throws {
        let folder = try TemporaryFolder()
        do {
            let fuser = try JournalingFuser(folder)
            fuser.event(1, 2, 2)
            fuser.settle()
        }
        let fuser = try JournalingFuser(folder)
        fuser.event(2, 5)
        fuser.settle(1)
        fuser.settle(1)
        let request = try #require(fuser.requests.first)
        #expect(request.responseTopic == "whereabouts/replies/whereabouts-fuser-main")
        let command = try NodeCommand(payload: request.payload.span)
        #expect(command.action == .replay(epoch: "a", fromSeq: 3))
        fuser.event(3, 4)
        let report = ReplayReport(epoch: "a", first: 1, last: 5, next: nil)
        fuser.receive(
            "whereabouts/nodes/hall/command/result",
            CommandResult(to: command, .replayed(report), at: Fused.time(1)).payload)
        fuser.settle(1)
        #expect(
            try fuser.rows() == [
                "a1 enter office", "a2 exit office", "a3 enter pets", "a4 exit pets", "a5 enter pets",
            ])
        #expect(try fuser.rows(region: "office").count == 2)
        #expect(try fuser.rows(after: 2, limit: 2) == ["a3 enter pets", "a4 exit pets"])
        #expect(fuser.pipeline.journal.nextDeadline == nil)
    }

    @Test("Who was asked can't answer in place of the next one")
    func forged() throws {
        let fuser = try JournalingFuser(try TemporaryFolder())
        fuser.event(2)
        fuser.settle(1)
        fuser.settle(1)
        let first = try #require(fuser.requests.first)
        let asked = try #require(NodeCommand(payload: first.payload.span).id)
        fuser.event(2, of: "kitchen")
        fuser.settle(1)
        fuser.settle(1)
        let next = try #require(fuser.outbox.last { $0.topic == "whereabouts/nodes/kitchen/command" })
        let number = try #require(asked.split(separator: ".").first.flatMap { Int($0) })
        let own = asked.dropFirst("\(number)".count)
        for id in ["\(number + 1)\(own)", "\(number + 1)", "r.\(number + 1)"] {
            #expect(try NodeCommand(payload: next.payload.span).id != id)
            let command = NodeCommand(id: id, action: .replay(epoch: "a", fromSeq: 1))
            let report = ReplayReport(epoch: "a", first: nil, last: 900, next: nil)
            fuser.receive(
                try #require(next.responseTopic),
                CommandResult(to: command, .replayed(report), at: Fused.time(1)).payload)
        }
        fuser.settle()
        #expect(try fuser.rows().isEmpty)
        #expect(try fuser.rows(of: "kitchen").isEmpty)
        #expect(fuser.pipeline.journal.nextDeadline != nil)
    }

    @Test(
        "What the node keeps no more stands in the journal, in its place, and is not asked for again",
        arguments: [true, false])
    func lost(isOlder: Bool) throws {
        let fuser = try JournalingFuser(try TemporaryFolder())
        fuser.event(1)
        fuser.event(1, epoch: "b")
        fuser.settle()
        fuser.settle(1)
        let request = try #require(fuser.requests.first)
        let command = try NodeCommand(payload: request.payload.span)
        var payload = CommandResult(
            to: command, .replayed(ReplayReport(unknown: "a", kept: ["b"])), at: Fused.time(1)
        ).payload
        if isOlder {
            let id = try #require(command.id)
            payload = Array(
                #"{"v":1,"id":"\#(id)","action":"replay","ok":true,"replay":{"epoch":"a"},"at":1}"#.utf8)
        }
        fuser.receive(try #require(request.responseTopic), payload)
        fuser.settle()
        fuser.settle(600)
        #expect(fuser.requests.count == 1)
        #expect(try fuser.rows() == ["a1 enter office", "a lost 2- epochLost", "b1 enter office"])
        #expect(try fuser.rows(region: "pets") == ["a lost 2- epochLost"])
    }

    @Test("An event that a broker kept, of another node's topic, or an answer to somebody else, is none")
    func notOurs() throws {
        let fuser = try JournalingFuser(try TemporaryFolder())
        fuser.event(1, as: "kitchen")
        var json = JSONWriter()
        NodeEvent(
            node: "hall", epoch: "a", seq: 1, at: Fused.time(1), notBefore: Fused.time(1), kind: .enter
        ).write(to: &json)
        fuser.receive("whereabouts/nodes/hall/events", json.bytes, retained: true)
        let command = NodeCommand(id: "other.1", action: .replay(epoch: "a", fromSeq: 1))
        let report = ReplayReport(epoch: "a", first: nil, last: 900, next: nil)
        fuser.receive(
            "whereabouts/nodes/hall/command/result",
            CommandResult(to: command, .replayed(report), at: Fused.time(1)).payload)
        fuser.settle(60)
        #expect(try fuser.rows().isEmpty)
        #expect(fuser.pipeline.refused == 2)
    }

    @Test("A node that comes back to more epochs than are remembered doubles no row")
    func manyEpochs() throws {
        let fuser = try JournalingFuser(try TemporaryFolder())
        let epochs = (0..<40).map { "e\($0)" }
        for _ in 0..<3 {
            for epoch in epochs {
                fuser.event(1, 2, epoch: epoch)
                fuser.settle(1)
            }
        }
        let rows = try fuser.rows(limit: 1000)
        #expect(Set(rows).count == rows.count, "\(rows)")
        #expect(rows.count { !$0.contains("lost") } == 2 * epochs.count)
        #expect(rows.count <= 3 * epochs.count)
        #expect(fuser.pipeline.journal.ledger.positions.count <= 8 + 1)
    }

    @Test("What nodes told of an item goes when it is purged")
    func purge() throws {
        let fuser = try JournalingFuser(try TemporaryFolder())
        fuser.event(1, 2, 3)
        fuser.settle()
        _ = try fuser.memory.purgeItem("keys", of: nil, before: nil, isGone: false, at: Fused.time(70))
        #expect(try fuser.rows() == ["a3 enter pets"])
    }
}
