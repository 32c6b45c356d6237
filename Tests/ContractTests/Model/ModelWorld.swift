import Foundation
import WireProtocol
import Store
import Support

@testable import Agent
@testable import Fuser
@testable import MQTT
@testable import BrokerSession
import Bytes
import EventLedger
import System

/// An agent, a fuser, a broker and the lines between them, through all that a seed lets befall them.
final class ModelWorld {
    static let step = 0.2
    /// Seconds in which things break, and at most so many for all to be as it should be.
    static let trouble = 120.0
    static let patience = 1500.0

    let seed: UInt64
    let clock = ModelClock()
    let broker: ModelBroker
    let agentLine: ModelLine
    let fuserLine: ModelLine
    var generator: SeededGenerator
    let folder: TemporaryFolder
    private(set) var agent: ModelAgent?
    private(set) var fuser: ModelFuser?
    var agentOff = 0.0
    var fuserOff = 0.0
    /// What will end by itself: at its moment.
    var endings: [(at: Int64, what: () throws -> Void)] = []
    /// All that the node's store ever took, by epoch and number.
    private(set) var truth: [String: [UInt64: NodeEvent]] = [:]
    private(set) var problems: [String] = []
    /// What befell it, for whoever looks for the cause.
    var story: [String] = []
    private let bound: Int
    private var runs: UInt64 = 0
    private let log: Log
    private var toggleAt: Int64 = 0

    init(seed: UInt64) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        broker = ModelBroker(clock, seed: generator.next())
        agentLine = ModelLine("agent", clock, broker, seed: generator.next())
        fuserLine = ModelLine("fuser", clock, broker, seed: generator.next())
        folder = try TemporaryFolder()
        bound = [100, 1000, 10_000][Int(generator.next() % 3)]
        let null = open("/dev/null", O_WRONLY)
        log = Log(level: .error, style: .plain, descriptor: null)
        try startAgent()
        try startFuser()
    }

    var agentPath: String { folder.file("agent.sqlite") }
    var fuserPath: String { folder.file("fuser.sqlite") }
    func say(_ words: String) { story.append("\(clock.now / 1_000_000_000) s: \(words)") }

    // MARK: Programs

    func startAgent() throws {
        guard agent == nil else { return }
        let made = try ModelAgent(agentPath, clock, off: { [unowned self] in agentOff }, events: bound, log)
        agentLine.attach(
            made.service.session.client,
            will: Message(topic: Topics().nodeStatus("hall"), text: "offline", qos: .atLeastOnce, retained: true))
        try made.start()
        agent = made
    }

    func startFuser() throws {
        guard fuser == nil else { return }
        runs += 1
        let made = try ModelFuser(fuserPath, clock, off: { [unowned self] in fuserOff }, run: runs, log)
        fuserLine.attach(
            made.session.client,
            will: Message(topic: Topics().fuserStatus("main"), text: "offline", qos: .atLeastOnce, retained: true))
        try made.service.start()
        fuser = made
    }

    /// As SIGKILL: nothing is closed by the program, and what it had in memory is gone.
    func killAgent(isSilent: Bool) {
        agentLine.kill(isSilent: isSilent)
        agent = nil
    }

    func killFuser(isSilent: Bool) {
        fuserLine.kill(isSilent: isSilent)
        fuser = nil
    }

    func lose(_ path: String) {
        for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) }
    }

    // MARK: Time

    func pass() throws {
        clock.pass(Self.step)
        let due = endings.filter { $0.at <= clock.now }
        endings.removeAll { $0.at <= clock.now }
        for ending in due { try ending.what() }
        if broker.isUp, Int.random(in: 0..<25, using: &generator) == 0 { broker.save() }
        broker.advance()
        agentLine.advance()
        try agent?.turn()
        note()
        agentLine.advance()
        fuserLine.advance()
        fuser?.service.processTurn()
        fuserLine.advance()
    }

    /// Beacons come and go.
    func move() {
        guard let agent, clock.now >= toggleAt else { return }
        toggleAt = clock.now + Int64.random(in: 1_000_000_000...6_000_000_000, using: &generator)
        let beacon = Int.random(in: 0..<ModelAgent.beacons, using: &generator)
        agent.source.present.formSymmetricDifference([beacon])
    }

    /// Notes what the node's store has taken.
    func note() {
        guard let memory = agent?.service.memory else { return }
        let known = UInt64(truth[memory.epoch]?.count ?? 0)
        if memory.lastEvent < known { problems.append("epoch \(memory.epoch) has forgotten event \(known)") }
        guard memory.lastEvent > known, let told = try? memory.store.events(from: known + 1, limit: 10_000) else {
            return
        }
        for stored in told {
            guard var event = try? NodeEvent(payload: stored.event.payload.span) else { continue }
            (event.epoch, event.seq) = (stored.epoch, stored.seq)
            truth[stored.epoch, default: [:]][stored.seq] = event
        }
    }

    // MARK: The whole

    /// Lives through the seed's schedule, and gives what was not as promised.
    func run() throws -> [String] {
        let faults = schedule()
        var next = 0
        while clock.now < Int64(Self.trouble * 1e9) {
            while next < faults.count, faults[next].at <= clock.now {
                try faults[next].what(self)
                next += 1
            }
            move()
            try pass()
        }
        try heal()
        // So that there is something to tell also in an epoch that has just begun.
        for _ in 0..<10 { try pass() }
        try agent?.determineAll()
        note()
        let end = clock.now + Int64(Self.patience * 1e9)
        var dropped: Int?
        while !isRepaired, clock.now < end {
            try pass()
            // Once the queue was empty nothing but answers fills it, and those must leave room.
            guard let session = agent?.service.session else { break }
            if session.unsent == 0, dropped == nil { dropped = session.client.statistics.droppedFull }
            if let before = dropped, session.client.statistics.droppedFull > before {
                problems.append(
                    "a replay filled the node's queue: \(session.client.statistics.droppedFull - before) lost")
                break
            }
        }
        if !isRepaired { problems.append("not repaired within \(Int(Self.patience)) s: \(state)") }
        try check()
        say("\(truth.values.reduce(0) { $0 + $1.count }) events in \(truth.count) epochs")
        return problems + broker.contradictions.sorted()
    }

    private func heal() throws {
        say("everything is well again")
        endings = []
        broker.start()
        broker.denied = nil
        broker.duplicates = false
        broker.delay = [:]
        for line in [agentLine, fuserLine] { (line.isUpCut, line.isDownCut) = (false, false) }
        try startAgent()
        try startFuser()
    }

    private var isRepaired: Bool {
        guard let agent, let fuser else { return false }
        let (memory, journal) = (agent.service.memory, fuser.service.pipeline.journal)
        let position = LedgerPosition(publisher: "hall", epoch: memory.epoch, seq: memory.lastEvent)
        return journal.nextDeadline == nil && !journal.hasEntries && journal.ledger.positions.contains(position)
            && statuses == ["online", "online"]
    }

    private var statuses: [String] {
        [Topics().nodeStatus("hall"), Topics().fuserStatus("main")].map {
            String(decoding: broker.retained[$0]?.payload ?? [], as: UTF8.self)
        }
    }

    private var state: String {
        let memory = agent?.service.memory
        return """
            the node is at \(memory?.epoch ?? "-")/\(memory?.lastEvent ?? 0), the fuser at \
            \(fuser?.service.pipeline.journal.ledger.positions ?? []), status \(statuses)
            """
    }

    /// What the journal must hold, and what it must name.
    private func check() throws {
        guard let agent, let fuser else { return }
        var rows: [JournalReport.Entry] = []
        var after: UInt64 = 0
        while true {
            let part = try fuser.service.memory.queryJournal(JournalQuery(node: "hall", after: after))
            rows += part.map(\.entry)
            guard let last = part.last else { break }
            after = last.number
        }
        let kept = try agent.service.memory.store.extents()
        for (epoch, events) in truth.sorted(by: { $0.key < $1.key }) {
            let extent = kept.first { $0.epoch == epoch }
            // By the stated bound, and not by what is there: whoever took more away broke the promise.
            let bounded = UInt64(bound - bound / 64)
            let isKept = { (seq: UInt64) in extent.map { seq + bounded > $0.lastSeq } ?? false }
            var (taken, hasRows, isUnknown): (UInt64, Bool, Bool) = (0, false, false)
            for row in rows {
                switch row {
                case .event(var event) where event.epoch == epoch:
                    hasRows = true
                    event.isReplayed = false
                    if event.seq != taken + 1, !isUnknown {
                        problems.append("\(epoch): event \(event.seq) stands behind \(taken)")
                    }
                    if event.seq <= taken { problems.append("\(epoch): event \(event.seq) is doubled") }
                    if events[event.seq]?.line != event.line {
                        problems.append("\(epoch): event \(event.seq) is another than it was")
                    }
                    taken = max(taken, event.seq)
                case .lost(let loss, _) where loss.epoch == epoch:
                    hasRows = true
                    if loss.first != taken + 1 { problems.append("\(epoch): lost \(loss.first) behind \(taken)") }
                    guard let last = loss.last else {
                        isUnknown = true
                        if loss.reason != .epochLost || extent != nil {
                            problems.append("\(epoch) is given up after \(taken), and it is kept: \(loss.reason)")
                        }
                        continue
                    }
                    if let wrong = (loss.first...last).first(where: isKept) {
                        problems.append(
                            "\(epoch): event \(wrong) is named as lost (\(loss.reason)), and is inside the bounds")
                    }
                    if [.unanswered, .notTold].contains(loss.reason) { problems.append("\(epoch): \(loss)") }
                    taken = max(taken, last)
                default: break
                }
            }
            if let extent, taken < extent.lastSeq {
                problems.append("\(epoch): \(taken) of \(extent.lastSeq) events are taken or named")
            }
            if extent == nil, hasRows, !isUnknown { problems.append("\(epoch) is lost, and nobody says so") }
        }
    }
}

extension NodeEvent {
    /// All of it but whether it is a repetition, with times in milliseconds as on the wire.
    fileprivate var line: String {
        let times = [at, notBefore].map { "\(($0.microseconds + 500) / 1000)" }
        return "\(epoch) \(seq) \(kind) \(region ?? "") \(beacon ?? "") at \(times[0]), not before \(times[1])"
    }
}
