import Bytes
import Foundation
import Fuser
import Glibc
import HouseTracking
import WireProtocol
import Support
import Testing

@testable import Store
import System

extension Live {
    /// A fuser that is killed again and again while things move about in a busy house.
    ///
    /// A dead fuser receives nothing; so the events that it must publish are defined by those it could know. A *pause*
    /// is the time from the interval before a kill to the first answer after the start. Beside the fuser run two
    /// pipelines in this process: one that never dies and receives all, and one that receives nothing in the pauses and
    /// retains everything from before: a pipeline with fewer packets makes more of a lost one. Then:
    /// - no move is false: of every event one of the two has the item in that place, too, at some moment within
    ///   `slack`, or it truly was there;
    /// - no stay is missed: every place in which the one that never died has an item for `stay` or longer, without a
    ///   pause in that time, is the killed one's answer, too, before it ends or within `slack` after;
    /// - in the end the answers of both agree.
    @Suite struct FuserKills {
        /// Seconds in which two fusers of equal state may differ: for a while a start requires higher odds.
        static let slack = 12.0
        /// Seconds of a stay that must not be missed.
        static let stay = 30.0
        static let speed = 4.0

        /// The places of an item, by their start.
        typealias Line = [(at: Timestamp, word: String)]

        @Test("Publish no false move, and lose and double none, over five kills")
        func fiveKills() async throws { try await kill(5, seed: 1) }

        @Test(
            "Publish no false move, and lose and double none, over a hundred kills",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func hundredKills() async throws { try await kill(100, seed: 2) }

        private func kill(_ kills: Int, seed: UInt64) async throws {
            var random = SeededGenerator(seed: seed)
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let state = deployment.folder.file("fuser.sqlite")
            let lesson = LessonRecord(
                id: "l1", item: "item-0", room: "den", taughtAt: WallClock.now(), from: WallClock.now(),
                to: WallClock.now(), detail: [1, 2, 3])
            do {
                let store = try StateStore(path: state, holding: .house, at: WallClock.now())
                _ = store.transaction(at: WallClock.now()) { $0.set(.lesson(lesson)) }
            }
            let configuration = try deployment.file("killed.yaml", ["name: main", "state: fuser.sqlite"])
            let world = try World(broker, BusyHouse(seed: seed, origin: WallClock.now(), speed: Self.speed))
            #expect(try await world.recorder.ready())
            world.introduce()
            for kill in 0...kills {
                let fuser = try RunningProgram("whereabouts-fuser", ["--config", configuration])
                let isHeard = try await world.live(20) { world.hasAnswered }
                try #require(isHeard, "kill \(kill): \(fuser.errors)")
                if kill == kills {
                    // The last life ends well, when everything has come to rest.
                    _ = try await world.live(4) { false }
                    world.house.isStill = true
                    _ = try await world.live(22) { false }
                    let epoch = try #require(world.book.events.keys.first)
                    world.book.repair(epoch, world.recorder)
                    #expect(try await world.live(10) { !world.book.hasGap(epoch) })
                    _ = try await world.live(1) { false }
                    fuser.process.terminate()
                    #expect(try await fuser.status(within: 10) == 0, "\(fuser.errors)")
                } else {
                    // Now and then just after its start.
                    let isEarly = Int.random(in: 0..<5, using: &random) == 0
                    let seconds = isEarly ? 0.05 : Double.random(in: 0.3...4, using: &random)
                    _ = try await world.live(seconds) { false }
                    fuser.process.send(SIGKILL)
                    _ = fuser.process.wait()
                    // Its sent messages are still in transit.
                    _ = try await world.live(0.1) { false }
                    world.pause()
                    let isLong = Int.random(in: 0..<6, using: &random) == 0
                    _ = try await world.live(.random(in: 0...(isLong ? 4 : 0.4), using: &random)) { false }
                }
                #expect(!fuser.errors.contains("corrupt") && !fuser.errors.contains("epoch begins"), "\(fuser.errors)")
                #expect(world.book.faults == [], "seed \(seed), kill \(kill)")
            }
            try judge(world, seed: seed)
            try judgeState(state, world, lesson)
            let events = world.book.events.values.reduce(0) { $0 + $1.count }
            print(
                "\(kills) kills: \(world.house.count) intervals, \(events) events told, \(world.pureEvents) by the one",
                "that never died, \(world.book.repairs) repairs, pauses \(Int(world.pausedSeconds)) s in the house")
        }

        private func judge(_ world: World, seed: UInt64) throws {
            var excused = 0
            defer { print("\(excused) moves that only the one with pauses tells, too") }
            #expect(world.book.events.count == 1, "one epoch")
            let told = try #require(world.book.events.first).value.sorted { $0.key < $1.key }.map(\.value)
            #expect(told.last?.event.seq == UInt64(told.count), "numbered from 1 without gaps")
            var places: [String: (word: String, count: UInt64, at: Timestamp)] = [:]
            for entry in told {
                let event = entry.event
                let word = event.room ?? "away"
                let span = (event.at.advanced(bySeconds: -Self.slack), event.at.advanced(bySeconds: Self.slack))
                let lines = [world.pure, world.pausing, world.house.truth].map { $0[entry.item] ?? [] }
                let isTrue = lines.map { Self.words($0, span.0, span.1).contains(word) }
                let pause = world.pauses.last { $0.from <= event.at }
                #expect(
                    isTrue.contains(true),
                    "seed \(seed): false move: \(entry), after the pause \(pause.map { "\($0)" } ?? ""), \(lines.map { $0.filter { span.0 < $0.at && $0.at < span.1 } })"
                )
                if !isTrue[0] { excused += 1 }
                let before = places[entry.item]
                #expect(event.itemSeq == (before?.count ?? 0) + 1, "\(entry)")
                // No event reports the place of an item that was unknown for a while.
                if let before, !world.knewNothing(of: entry.item, before.at, event.at) {
                    #expect((event.previous ?? "away") == before.word, "\(entry)")
                }
                #expect(event.notBefore <= event.at)
                places[entry.item] = (word, event.itemSeq, event.at)
            }
            for item in BusyHouse.items {
                let (pure, killed) = (world.pure[item] ?? [], world.killed[item] ?? [])
                #expect(pure.last?.word == killed.last?.word, "\(item) in the end")
                for (stay, next) in zip(pure, pure.dropFirst() + [(world.house.end, "")]) {
                    guard next.at.seconds(since: stay.at) >= Self.stay, stay.word != "unknown", stay.word != "away",
                        !world.pauses.contains(where: { $0.from < next.at && $0.to > stay.at })
                    else { continue }
                    let words = Self.words(killed, stay.at, next.at.advanced(bySeconds: Self.slack))
                    #expect(words.contains(stay.word), "seed \(seed): missed \(item) in \(stay)")
                }
            }
        }

        /// The places of a line between two moments.
        private static func words(_ line: Line, _ from: Timestamp, _ to: Timestamp) -> Set<String> {
            let before = line.last { $0.at <= from }?.word
            return Set(line.filter { $0.at > from && $0.at <= to }.map(\.word) + (before.map { [$0] } ?? []))
        }

        private func judgeState(_ path: String, _ world: World, _ lesson: LessonRecord) throws {
            let store = try StateStore(path: path, holding: .house, at: WallClock.now())
            let check = try store.database?.connection.values("PRAGMA integrity_check", "check")
            #expect(check == ["ok"])
            #expect(store.opening.previous?.wasClean == true)
            #expect(try store.lessons().map(\.detail) == [lesson.detail])
            let told = try #require(world.book.events.first)
            let kept = try store.events(epoch: told.key, from: 1, limit: 10_000)
            #expect(kept.count == told.value.count)
            var unknown = 0
            defer { print("\(unknown) times nobody knew where an item was") }
            for item in BusyHouse.items {
                let visits = try store.visits(of: item, limit: 10_000)
                let rooms = told.value.sorted { $0.key < $1.key }.map(\.value).filter { $0.item == item }
                    .map { $0.event.room ?? "away" }
                // In a gap of ten seconds without any node, as when this machine stood still, the place was unknown,
                // and published so.
                let gaps = zip(visits, visits.dropFirst()).filter { $0.to != $1.from }
                unknown += gaps.count
                for (before, after) in gaps {
                    let isHonest = world.knewNothing(of: item, before.to ?? after.from, after.from)
                    #expect(isHonest, "\(item): \(before) and \(after) are not contiguous")
                }
                // The first one was determined, as a place found after that may be; all others began with an event.
                var untold = rooms[...]
                for visit in visits.dropFirst() {
                    let isTold = untold.first == visit.room
                    #expect(isTold || world.knewNothing(of: item, visit.from, visit.from), "\(item): \(visit)")
                    if isTold { untold.removeFirst() }
                }
                #expect(untold.isEmpty, "\(item)")
                #expect(visits.last?.to == nil || world.killed[item]?.last?.word == "unknown", "\(item)")
            }
        }
    }
}

/// A busy house that goes on independent of its fuser, received by one that never dies and by a subscriber.
private final class World {
    var house: BusyHouse
    let recorder: Recorder
    var book = EventBook()
    private(set) var pure: [String: Live.FuserKills.Line] = [:]
    private(set) var pausing: [String: Live.FuserKills.Line] = [:]
    private(set) var killed: [String: Live.FuserKills.Line] = [:]
    /// The times in which the fuser was dead, in the house.
    private(set) var pauses: [(from: Timestamp, to: Timestamp)] = []
    /// The times in which no message was sent to the fuser for long, since this machine stood still, in the house.
    private var stalls: [(from: Timestamp, to: Timestamp)] = []
    private(set) var pureEvents = 0
    private(set) var hasAnswered = false
    private var pausedFrom: Timestamp?
    private var pipeline = FuserPipeline(settings: Household.Settings(fuser: "main", epoch: "00000001"))
    private var outbox: [Message] = []
    /// The one that pauses; nil in a pause, in which only its memory is left.
    private var other: FuserPipeline?
    private var otherMemory = HouseholdRecord()
    private var otherOutbox: [Message] = []
    private var taken = 0
    private let topics = Topics()

    init(_ broker: Broker, _ house: BusyHouse) throws {
        self.house = house
        recorder = try Recorder(
            broker, [topics.allItems("events"), topics.allItems("room"), topics.fuserStatus("main"), "test/#"],
            qos: .atLeastOnce)
    }

    /// Seconds of the house after which a fuser without messages soon publishes that all is unknown.
    private static let stall = 6.0

    /// True if the fuser published between two moments that an item is unknown, or had reason to: it received no
    /// message.
    func knewNothing(of item: String, _ from: Timestamp, _ to: Timestamp) -> Bool {
        let slack = Live.FuserKills.slack
        let (begin, end) = (from.advanced(bySeconds: -slack), to.advanced(bySeconds: slack))
        return stalls.contains { $0.from < end && $0.to > begin }
            || (killed[item] ?? []).contains { $0.word == "unknown" && $0.at > begin && $0.at < end }
    }

    var pausedSeconds: Double { pauses.reduce(0) { $0 + $1.to.seconds(since: $1.from) } }

    func introduce() {
        for message in house.introductions() {
            recorder.publish(message)
            pipeline.receive(message, at: WallClock.now(), &outbox)
        }
    }

    private func resume() {
        var next = FuserPipeline(
            settings: Household.Settings(fuser: "main", epoch: "00000002"), remembering: otherMemory)
        for message in house.introductions() { next.receive(message, at: WallClock.now(), &otherOutbox) }
        other = next
    }

    /// The fuser was killed.
    func pause() {
        hasAnswered = false
        other?.rememberAll()
        if let record = other?.takeEffects(at: WallClock.now(), isLast: true).record { otherMemory = record }
        other = nil
        pausedFrom = pausedFrom ?? house.end.advanced(bySeconds: -3)
    }

    /// Lets the house live until a condition holds, for at most so many seconds of the wall's.
    func live(_ seconds: Double, until condition: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < end else { return condition() }
            let (now, before) = (WallClock.now(), house.end)
            while house.due <= now {
                for message in house.tell() {
                    recorder.publish(message)
                    pipeline.receive(message, at: now, &outbox)
                    other?.receive(message, at: now, &otherOutbox)
                }
            }
            if house.end.seconds(since: before) > Self.stall { stalls.append((before, house.end)) }
            pipeline.advance(to: now, &outbox)
            other?.advance(to: now, &otherOutbox)
            takePure()
            try takeKilled()
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    private func takePure() {
        for message in outbox { note(message, &pure) }
        outbox.removeAll()
        for message in otherOutbox { note(message, &pausing) }
        otherOutbox.removeAll()
        pureEvents += pipeline.takeEffects(at: WallClock.now()).events.count
    }

    private func takeKilled() throws {
        recorder.poll()
        for message in recorder.messages[taken...] where !message.retained {
            if message.topic == topics.fuserStatus("main"), message.payload == Array("online".utf8), other == nil {
                resume()
            }
            guard note(message, &killed) else { continue }
            hasAnswered = true
            if let from = pausedFrom { pauses.append((from, house.end)) }
            pausedFrom = nil
        }
        taken = recorder.messages.count
        try book.take(recorder)
        if let epoch = book.events.keys.first, book.hasGap(epoch) { book.repair(epoch, recorder) }
    }

    @discardableResult
    private func note(_ message: Message, _ lines: inout [String: Live.FuserKills.Line]) -> Bool {
        guard case .room(let item) = topics.kind(of: message.topic) else { return false }
        let word = String(decoding: message.payload, as: UTF8.self)
        if lines[item]?.last?.word != word { lines[item, default: []].append((house.end, word)) }
        return true
    }
}
