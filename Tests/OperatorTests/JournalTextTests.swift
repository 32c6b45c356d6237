import Bytes
import WireProtocol
import Testing

@testable import Operator
import System

@Suite struct JournalTextTests {
    static let start = Timestamp(microseconds: 1_795_248_000_000_000)

    static let entries: [JournalReport.Entry] = {
        var event = NodeEvent(
            node: "hall", epoch: "5f1c09aa", seq: 1, at: start.advanced(bySeconds: 30.5), notBefore: start, kind: .exit)
        (event.region, event.beacon, event.state) = ("office", "keys", .outside)
        let lost = [
            LedgerLoss(epoch: "5f1c09aa", first: 2, last: 2, reason: .fellOut),
            LedgerLoss(epoch: "5f1c09aa", first: 3, last: 9, reason: .epochLost),
            LedgerLoss(epoch: "a,\"b", first: 10, last: nil, reason: .epochLost),
        ]
        return [.event(event)] + lost.map { .lost($0, at: start.advanced(bySeconds: 60)) }
    }()

    @Test("Print the events, and missing ones in their place with the reason")
    func table() {
        let clock = { (seconds: Double) in String(LocalTime.text(Self.start.advanced(bySeconds: seconds)).prefix(19)) }
        let lines = JournalText.lines(Self.entries, of: "hall", .table)
        #expect(lines.count == 5)
        #expect(lines[1].hasPrefix("\(clock(30.5))  exit outside") && lines[1].hasSuffix("keys  office"))
        #expect(lines[2].contains("event 2 of epoch 5f1c09aa missing: the node keeps no more"))
        #expect(lines[3].contains("events 3 to 9 of epoch 5f1c09aa missing: the node's database is lost"))
        #expect(lines[4].contains("unknown after event 9 of epoch \"a,\"\"b\""))
        #expect(JournalText.lines([], of: "hall", .table) == ["nothing is known of node hall in that time"])
    }

    @Test("Print the same as CSV, with any text as an epoch")
    func csv() {
        let lines = JournalText.lines(Self.entries, of: "hall", .csv)
        #expect(lines[0].split(separator: ",").count == 12)
        #expect(
            lines[1] == "hall,exit,office,keys,outside,2026-11-21T08:00:30.500Z,2026-11-21T08:00:00.000Z,"
                + "1795248030.5,5f1c09aa,1,1,", "\(lines[1])")
        #expect(lines[3] == "hall,lost,,,,2026-11-21T08:01:00.000Z,,1795248060,5f1c09aa,3,9,epoch_lost")
        #expect(lines[4].hasSuffix(",\"a,\"\"b\",10,,epoch_lost"))
    }

    @Test("Read a journal as it was sent")
    func roundTrip() throws {
        let command = FuserCommand(
            id: "7", action: .journal(node: "hall", region: nil, from: nil, to: nil, after: 3))
        #expect(try FuserCommand(payload: command.payload.span) == command)
        let report = JournalReport(node: "hall", entries: Self.entries, next: 12)
        let result = FuserResult(to: command, .journal(report), at: Self.start)
        #expect(try FuserResult(payload: result.payload.span) == result)
    }

    @Test("Leave out missing events whose first number nobody can have")
    func impossible() throws {
        let command = FuserCommand(
            id: "7", action: .journal(node: "hall", region: nil, from: nil, to: nil, after: 0))
        let lost = LedgerLoss(epoch: "e", first: 0, last: 4, reason: .fellOut)
        let report = JournalReport(node: "hall", entries: [.lost(lost, at: Self.start)], next: nil)
        let result = try FuserResult(payload: FuserResult(to: command, .journal(report), at: Self.start).payload.span)
        let empty = JournalReport(node: "hall", entries: [], next: nil)
        #expect(result == FuserResult(to: command, .journal(empty), at: Self.start))
    }
}
