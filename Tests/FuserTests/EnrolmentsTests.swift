import BeaconFrames
import Bytes
import Foundation
import Identity
import System
import Testing
import WireProtocol

@testable import Fuser

/// Nodes that are asked for the tags near them.
@Suite struct EnrolmentsTests {
    private static let topics = Topics()
    private static let time = Timestamp(microseconds: 1_000_000_000)

    private static func at(_ seconds: Double) -> MonotonicTime { .start + .milliseconds(Int64(seconds * 1000)) }

    private static func beacon(_ bits: UInt64, _ level: Double) -> NearbyBeacon {
        NearbyBeacon(id: .address(bits), ids: [.address(bits)], mean: level, last: Int(level), count: 3)
    }

    /// Enrolments with what they send, and the answers of nodes.
    private struct Played {
        var enrolments = Enrolments(topics: topics, replyTopic: topics.fuserReplies("main"))
        var sent: [Message] = []

        /// The commands that are due at a time.
        mutating func advance(_ seconds: Double) throws -> [NodeCommand] {
            var outbox: [Message] = []
            enrolments.advance(to: at(seconds), &outbox)
            sent += outbox
            return try outbox.map { try NodeCommand(payload: $0.payload.span) }
        }

        mutating func answer(
            _ command: NodeCommand, _ answer: NodeAnswer, _ seconds: Double,
            on topic: String = topics.fuserReplies("main")
        ) {
            let payload = CommandResult(to: command, answer, at: time).payload
            enrolments.receive(Message(topic: topic, payload: payload), at: at(seconds))
        }

        mutating func shown(_ known: BeaconID...) throws -> [String: Any]? {
            guard let change = enrolments.takeChanges(isRegistered: known.contains).last, let value = change.value
            else {
                return nil
            }
            return try JSONSerialization.jsonObject(with: Data(value)) as? [String: Any]
        }
    }

    @Test("Ask a node again as soon as it has answered, and show the strongest first")
    func asks() throws {
        var played = Played()
        let isBegun = played.enrolments.begin("kitchen", at: Self.at(0), house: Self.time)
        #expect(isBegun && played.enrolments.hasChanges)
        let first = try played.advance(0)
        #expect(first.map(\.action) == [.nearby(for: .seconds(2))])
        #expect(played.sent[0].topic == "whereabouts/nodes/kitchen/command" && played.sent[0].responseTopic != nil)
        #expect(try played.advance(1).isEmpty, "it listens")
        played.answer(
            first[0],
            .nearby(
                [Self.beacon(1, -80), Self.beacon(2, -41), Self.beacon(3, -60)],
                others: [.init(transmitterClass: .tile, addresses: 2, mean: -70)]),
            2)
        let shown = try #require(try played.shown(.address(3)))
        let beacons = try #require(shown["beacons"] as? [[String: Any]])
        #expect(beacons.map { $0["level"] as? Double } == [-41, -80])
        let entry = try #require(beacons[0]["entry"] as? [String: Any])
        #expect(entry["address"] as? String == "00:00:00:00:00:02", "the registered one is left out")
        #expect((shown["others"] as? [[String: Any]])?.first?["title"] as? String == "Tile")
        #expect(shown["until"] as? Double == 1060)
        #expect(try played.advance(2).count == 1)
    }

    @Test("End after a minute, and when somebody says so")
    func ends() throws {
        var played = Played()
        _ = played.enrolments.begin("kitchen", at: Self.at(0), house: Self.time)
        _ = try played.advance(0)
        _ = try played.shown()
        _ = try played.advance(60)
        let changes = played.enrolments.takeChanges { _ in false }
        #expect(changes.map(\.node) == ["kitchen"] && changes[0].value == nil)
        #expect(played.enrolments.nextDeadline == nil)
        _ = played.enrolments.begin("hall", at: Self.at(70), house: Self.time)
        let ends = (0..<2).map { _ in played.enrolments.end("hall") }
        #expect(ends == [true, false])
        #expect(try played.advance(71).isEmpty)
    }

    @Test("Ask anew where no answer comes, and say why a node can't tell")
    func failures() throws {
        var played = Played()
        _ = played.enrolments.begin("kitchen", at: Self.at(0), house: Self.time)
        let first = try played.advance(0)
        #expect(try played.advance(4.9).isEmpty)
        let second = try played.advance(5)
        #expect(second.count == 1 && second[0].id != first[0].id)
        played.answer(first[0], .nearby([Self.beacon(1, -40)], others: []), 6)
        #expect((try played.shown()?["beacons"] as? [Any])?.isEmpty == true, "the former request is over")
        played.answer(second[0], .failed("four requests are open"), 6, on: Self.topics.commandResult("kitchen"))
        #expect(try played.shown()?["fault"] as? String == "four requests are open")
        #expect(try played.advance(6).isEmpty, "not at once")
        #expect(try played.advance(9).count == 1)
    }

    @Test("Forget a beacon that is not heard for 6 s, and ask no more than four nodes")
    func bounds() throws {
        var played = Played()
        let begun = ["a", "b", "c", "d", "e", "a"].map { played.enrolments.begin($0, at: Self.at(0), house: Self.time) }
        #expect(begun == [true, true, true, true, false, true])
        for node in ["b", "c", "d"] { _ = played.enrolments.end(node) }
        _ = try played.shown()
        let first = try played.advance(1)
        played.answer(try #require(first.first), .nearby([Self.beacon(1, -40)], others: []), 3)
        let again = try played.advance(3)
        played.answer(try #require(again.first), .nearby([Self.beacon(2, -50)], others: []), 5)
        #expect((try played.shown()?["beacons"] as? [Any])?.count == 2)
        let last = try played.advance(9.5)
        played.answer(try #require(last.first), .nearby([Self.beacon(2, -50)], others: []), 10)
        #expect((try played.shown()?["beacons"] as? [Any])?.count == 1)
    }
}
