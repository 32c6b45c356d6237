import Bytes
import WireProtocol

/// What fusers tell each other, and what is asked of them and answered. What was read says the same when it is written and
/// read again.
enum Fusers {
    static func claim(_ bytes: Span<UInt8>) -> Bool {
        guard let claim = try? Claim(payload: bytes) else { return false }
        let text = Payloads.written { claim.write(to: &$0) }
        precondition((try? Claim(payload: text.span)) == claim, "a claim changes by being sent on")
        return true
    }

    static func command(_ bytes: Span<UInt8>) -> Bool {
        let command: FuserCommand
        do {
            command = try FuserCommand(payload: bytes)
        } catch {
            _ = "\(error.fault)"
            return false
        }
        // Moments are sent on in milliseconds.
        let again = try? FuserCommand(payload: command.payload.span)
        precondition(again?.payload == command.payload, "a command changes by being sent on")
        return true
    }

    static func result(_ bytes: Span<UInt8>) -> Bool {
        guard let result = try? FuserResult(payload: bytes) else { return false }
        precondition(isShowable(result.answer), "an answer that can't be shown")
        precondition((try? FuserResult(payload: result.payload.span)) != nil, "an answer is lost by being written")
        return Payloads.isWritable { result.write(to: &$0) }
    }

    /// Whether its numbers fit a table: as percentages and whole numbers.
    private static func isShowable(_ answer: FuserAnswer) -> Bool {
        switch answer {
        case .lesson(let lesson):
            return isShowable([lesson.seconds, lesson.limit] + lesson.nodes.map(\.level))
        case .taught(let taught):
            return isShowable(
                [taught.right] + taught.lessons.map(\.seconds) + taught.rooms.flatMap { [$0.seconds, $0.right] })
        case .why(let why):
            return isShowable(
                [why.confidence, why.trust] + why.rooms.map(\.probability)
                    + why.nodes.flatMap { [$0.weight, $0.level] })
        case .history(let history): return isShowable(history.visits.map(\.confidence))
        case .done, .purged, .audit, .replayed, .journal, .failed: return true
        }
    }

    private static func isShowable(_ numbers: [Double?]) -> Bool {
        numbers.allSatisfy { ($0 ?? 0).magnitude <= 1e10 }
    }

    static func alerts(_ bytes: Span<UInt8>) -> Bool {
        guard let alerts = try? ItemAlerts(payload: bytes) else { return false }
        return Payloads.isWritable { alerts.write(to: &$0) }
    }

    // MARK: Seeds

    static var claimSeeds: [[UInt8]] {
        [Claim.State.serving, .standby, .starting].enumerated().map { index, state in
            var claim = Claim(
                shards: 0...UInt8(127 + 64 * index), state: state, epoch: "5f1c09aa", lastEvent: 40, seq: UInt64(index))
            claim.teaching = Array(["keys", "cat"].prefix(index))
            return Payloads.written { claim.write(to: &$0) }
        }
    }

    static var commandSeeds: [[UInt8]] {
        let now = Timestamp(microseconds: 1_795_248_000_123_000)
        let actions: [FuserCommand.Action] = [
            .learn(.start(item: "keys", room: "hall", for: .seconds(60), walk: "w-1")),
            .learn(.status(item: "keys")), .learn(.stop(item: "keys", keeps: false)), .learn(.list), .learn(.undo("3")),
            .why(item: "keys"), .history(item: "keys", from: now, to: nil), .purge(item: "keys", before: now),
            .journal(node: "hall", region: "office", from: now, to: nil, after: 200),
            .silence(item: "keys", for: .hours(1)), .replay(epoch: "5f1c09aa", fromSeq: 17),
        ]
        return actions.map { FuserCommand(id: "7", action: $0).payload }
    }

    static var resultSeeds: [[UInt8]] {
        [
            #"{"v":1,"id":"7","action":"learn","ok":true,"lesson":{"id":"1","item":"keys","room":"hall","running":false,"#
                + #""seconds":60.5,"limit":60,"packets":55,"nodes":[{"node":"kitchen","packets":40,"level":-61.5}]},"#
                + #""at":1795248000.5}"#,
            #"{"v":1,"id":"7","action":"learn","ok":true,"lessons":[{"id":"1","item":"keys","room":"hall","taught_at":"#
                + #"1795248000.5,"seconds":60.5,"packets":55,"walk":"w","left_out":["kitchen: another adapter"]}],"rooms":"#
                + #"[{"id":"hall","seconds":60.5,"next_to":["kitchen"],"teach_again":true,"right":0.9,"taken_for":"#
                + #""kitchen"}],"running":[],"learning":true,"kept":true,"right":0.9,"at":1795248000.5}"#,
            #"{"v":1,"action":"why","ok":true,"why":{"item":"keys","at":1795248000.5,"state":"present","room":"hall","#
                + #""confidence":0.9,"since":1795248000,"previous":"kitchen","last_heard":1795248000,"runner_up":"#
                + #""kitchen","trust":0.5,"rooms":{"hall":0.9},"nodes":[{"node":"hall","room":"hall","state":"heard","#
                + #""weight":2.5,"level":-61.5}]},"at":1795248000.5}"#,
            #"{"v":1,"action":"history","ok":true,"history":{"item":"keys","now":1795248000.5,"visits":[{"room":"hall","#
                + #""from":1795248000,"to":1795248001,"confidence":0.9}],"next":1795248001},"at":1795248000.5}"#,
            #"{"v":1,"action":"history","ok":true,"journal":{"node":"hall","events":[{"v":1,"node":"hall","epoch":"#
                + #""5f1c09aa","seq":12,"at":1795248000.5,"not_before":1795248000,"kind":"exit","region":"office"},{"kind":"#
                + #""lost","epoch":"5f1c09aa","first_seq":13,"last_seq":15,"reason":"fell_out","at":1795248001}],"next":2},"#
                + #""at":1795248000.5}"#,
            #"{"v":1,"action":"replay","ok":true,"replay":{"epoch":"5f1c09aa","first_seq":1,"last_seq":9,"next_seq":4},"#
                + #""at":1795248000.5}"#,
            #"{"v":1,"ok":false,"error":"there is no item 'kexs'","at":1795248000.5}"#,
        ].map { Array($0.utf8) }
    }

    static var alertSeeds: [[UInt8]] {
        let since = Timestamp(microseconds: 1_795_248_000_123_000)
        let one = ItemAlerts(
            fuser: "main", alerts: [.init(id: "left_home-keys", rule: "left_home", since: since, count: 2)])
        let none = ItemAlerts(fuser: "main", alerts: [])
        return [one, none].map { alerts in Payloads.written { alerts.write(to: &$0) } }
    }
}
