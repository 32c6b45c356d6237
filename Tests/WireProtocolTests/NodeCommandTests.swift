import BeaconFrames
import Bytes
import Identity
import WireProtocol
import Testing

@Suite("Commands to a node")
struct NodeCommandTests {
    static func read(_ text: String) throws(CommandRefusal) -> NodeCommand {
        try NodeCommand(payload: Array(text.utf8).span)
    }

    static let changes: NodeChanges = {
        var changes = NodeChanges()
        (changes.window, changes.publishesAll) = (.override(.milliseconds(500)), .override(true))
        (changes.exitAfter, changes.offset) = (.override(.seconds(30)), .override(-2))
        return changes
    }()

    static let restoring: NodeChanges = {
        var changes = NodeChanges()
        (changes.window, changes.exitAfter) = (.restore, .override(.seconds(30)))
        (changes.publishesAll, changes.offset) = (.restore, .restore)
        return changes
    }()

    @Test(
        "Read a command back as it was sent",
        arguments: [
            .replay(epoch: "5f1c09aa", fromSeq: .max), .set(changes), .set(restoring), .determine(region: nil),
            .determine(region: "office"), .silence(.item("keys"), for: .seconds(60)),
            .silence(.region("office"), for: .zero), .nearby(for: .seconds(5)), .advertise(.stop),
            .advertise(.start(data: [2, 1, 6], for: .seconds(10))), .log(level: "debug"),
            .upgrade(version: "1:0.1.0~rc1-990+b2"),
        ] as [NodeCommand.Action])
    func roundTrip(_ action: NodeCommand.Action) throws {
        for id in ["7", nil] {
            let command = NodeCommand(id: id, action: action)
            #expect(try NodeCommand(payload: command.payload.span) == command)
        }
    }

    @Test("Accept a number as an id, and scan five seconds without 'for'")
    func defaults() throws {
        #expect(
            try Self.read(#"{"id":7,"action":"nearby","x":{}}"#)
                == NodeCommand(id: "7", action: .nearby(for: .seconds(5))))
    }

    @Test("Accept silencing everything and restarting a scan, as Home Assistant's buttons send them")
    func buttons() throws {
        let silence = try Self.read(#"{"action":"silence","all":true,"for":3600}"#)
        #expect(silence == NodeCommand(id: nil, action: .silence(.all, for: .hours(1))))
        for command in [silence, try Self.read(#"{"action":"rescan"}"#)] {
            #expect(try Self.read(String(decoding: command.payload, as: UTF8.self)) == command)
        }
        #expect(NodeCommand.actions.contains("rescan"))
    }

    @Test(
        "Answer an invalid command with the reason, under the command's id if there is one",
        arguments: [
            ("", nil, "not the expected JSON"), ("hello", nil, "not the expected JSON"),
            (#"{"id":"7","action":"nearby""#, "7", "not the expected JSON"), ("[1]", nil, "not the expected JSON"),
            (#"{"id":"7"}"#, "7", "'action' is missing"), (#"{"id":"7","action":5}"#, "7", "'action': expected text"),
            (#"{"id":"7","action":"dance"}"#, "7", "there is no action 'dance'; one of replay, set"),
            (#"{"id":[],"action":"nearby"}"#, nil, "'id': expected"),
            (#"{"id":"7","action":"nearby","for":0}"#, "7", "'for': expected seconds from 1.0 to 60.0"),
            (#"{"id":"7","action":"nearby","for":"5s"}"#, "7", "'for': expected seconds"),
            (#"{"id":"7","action":"replay","epoch":"e"}"#, "7", "'from_seq' is missing, which replay needs"),
            (#"{"id":"7","action":"replay","epoch":"e","from_seq":-1}"#, "7", "'from_seq': expected"),
            (#"{"id":"7","action":"set"}"#, "7", "is missing, which set needs"),
            (#"{"id":"7","action":"set","window":1e308}"#, "7", "'window': expected seconds"),
            (#"{"id":"7","action":"set","publish":"some"}"#, "7", "'publish': expected registered or all"),
            (#"{"id":"7","action":"set","publish":null,"window":0.0}"#, "7", "'window': expected seconds from 0.1 to"),
            (#"{"id":"7","action":"set","window":0.1005}"#, "7", "in whole milliseconds"),
            (#"{"id":"7","action":"set","exit_after":0.5}"#, "7", "'exit_after': expected seconds from 1.0 to"),
            (#"{"id":"7","action":"set","exit_after":"30s"}"#, "7", "'exit_after': expected seconds"),
            (#"{"id":"7","action":"set","offset_db":41}"#, "7", "'offset_db': expected whole decibels from -40"),
            (#"{"id":"7","action":"set","offset_db":2.5}"#, "7", "whole decibels, as levels are"),
            (#"{"id":"7","action":"determine","region":"A b"}"#, "7", "'region': expected an id"),
            (#"{"id":"7","action":"determine","region":5}"#, "7", "'region': expected an id"),
            (#"{"id":"7","action":"silence","for":5}"#, "7", "one of 'region', 'item' and 'all'"),
            (
                #"{"id":"7","action":"silence","item":"a","region":"b","for":5}"#, "7",
                "one of 'region', 'item' and 'all'"
            ),
            (#"{"id":"7","action":"silence","item":"a","all":true,"for":5}"#, "7", "one of 'region', 'item' and 'all'"),
            (#"{"id":"7","action":"silence","all":false,"for":5}"#, "7", "one of 'region', 'item' and 'all'"),
            (#"{"id":"7","action":"silence","item":"A b","for":5}"#, "7", "'item': expected an id"),
            (#"{"id":"7","action":"upgrade"}"#, "7", "'version' is missing"),
            (#"{"id":"7","action":"upgrade","version":"latest"}"#, "7", "'version': expected the version of a"),
            (#"{"id":"7","action":"upgrade","version":"1;reboot"}"#, "7", "'version': expected"),
            (#"{"id":"7","action":"upgrade","version":"-1"}"#, "7", "'version': expected"),
            (#"{"id":"7","action":"upgrade","version":"1\n2"}"#, "7", "'version': expected"),
            (#"{"id":"7","action":"upgrade","version":1}"#, "7", "'version': expected"),
            (#"{"id":"7","action":"advertise"}"#, "7", "'frame' is missing"),
            (#"{"id":"7","action":"advertise","frame":"0201","seconds":1e9}"#, "7", "'seconds': expected"),
            (#"{"id":"7","action":"advertise","frame":"xx","seconds":1}"#, "7", "hexadecimal"),
            (#"{"id":"7","action":"log","level":"loud"}"#, "7", "'level': expected one of error"),
        ] as [(String, String?, String)])
    func refused(_ text: String, _ id: String?, _ words: String) {
        do throws(CommandRefusal) {
            _ = try Self.read(text)
            Issue.record("taken")
        } catch {
            #expect(error.id == id)
            #expect("\(error.fault)".contains(words), "\(error.fault)")
            let result = CommandResult(to: error, at: Timestamp(microseconds: 5_000_000))
            #expect((try? CommandResult(payload: result.payload.span)) == result)
        }
    }

    @Test("Fail a replay of an unknown epoch, and name the known ones")
    func unknownEpoch() throws {
        let command = NodeCommand(id: "7", action: .replay(epoch: "5f1c09aa", fromSeq: 1))
        let at = Timestamp(microseconds: 5_000_000)
        let report = ReplayReport(unknown: "5f1c09aa", kept: (1...20).map { "e\($0)" })
        let result = CommandResult(to: command, .replayed(report), at: at)
        let text = String(decoding: result.payload, as: UTF8.self)
        #expect(text.contains(#""ok":false"#) && text.contains(#""epochs":["e5","e6","#))
        #expect(text.contains("nothing is kept of the epoch '5f1c09aa'; the epoch now is 'e20', before it 'e19', "))
        #expect(try CommandResult(payload: result.payload.span) == result)
        // One that failed for another reason is to be requested again.
        let other = #"{"v":1,"ok":false,"error":"busy","replay":{"epoch":"e","last_seq":9},"at":5}"#
        #expect(try CommandResult(payload: Array(other.utf8).span).answer == .failed("busy"))
    }

    @Test("Merge set and restored settings with earlier ones, and store them as a command")
    func overrides() throws {
        let all = NodeOverrides().applying(Self.changes)
        #expect(all.keys == ["window", "publish", "exit_after", "offset_db"])
        #expect(NodeOverrides().applying(all.changes) == all)
        let rest = all.applying(Self.restoring)
        #expect(rest.keys == ["exit_after"] && rest.exitAfter == .seconds(30))
        #expect(rest.applying(NodeChanges()) == rest)
        #expect(
            String(decoding: NodeCommand(id: nil, action: .set(rest.changes)).payload, as: UTF8.self)
                == #"{"action":"set","exit_after":30}"#)
    }

    @Test("Send an answer to its response topic under replies, and to no other topic that a stranger names")
    func replies() {
        let topics = Topics(prefix: "home/ble")
        var request = Message(topic: topics.nodeCommand("hall"), text: "{}")
        request.correlationData = [1, 2]
        let fallback = ReplyAddress(topic: "result")
        #expect(topics.reply(to: request, else: "result") == fallback)
        for topic in [
            "home/ble/replies/", "home/ble/replies", "home/ble/items/keys/config", "replies/x", "home/ble/replies/+",
            "home/ble/replies/#", "", "home/ble/repliesx/y", "whereabouts/replies/me",
        ] {
            request.responseTopic = topic
            #expect(topics.reply(to: request, else: "result") == fallback, "\(topic)")
        }
        request.responseTopic = "home/ble/replies/me/1"
        let message = topics.reply(to: request, else: "result").message([7])
        #expect(message.topic == "home/ble/replies/me/1" && message.correlationData == [1, 2])
        #expect(message.payload == [7] && message.qos == .atLeastOnce && !message.retained)
        #expect(message.responseTopic == nil)
    }

    @Test("Reject a command of a megabyte unread, with a short answer")
    func tooLong() {
        let text = #"{"id":"7","action":"\#(String(repeating: "x", count: 1 << 20))"}"#
        #expect(throws: CommandRefusal(id: nil, action: nil, fault: .tooLong(limit: 65_536))) { try Self.read(text) }
        let long = #"{"id":"7","action":"\#(String(repeating: "x", count: 60_000))"}"#
        do throws(CommandRefusal) {
            _ = try Self.read(long)
        } catch {
            #expect(CommandResult(to: error, at: Timestamp(microseconds: 0)).payload.count < 512)
        }
    }

    @Test("List beacons with ids, name, URL and level in the answer to nearby, and count the others by class")
    func nearby() throws {
        let id = BeaconID.iBeacon(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 4)
        var beacon = NearbyBeacon(id: id, ids: [id, .address(0xAABB_CCDD_EEFF)], mean: -51.5, last: -50, count: 12)
        (beacon.name, beacon.url, beacon.power) = ("Tag", "https://example.org/", -59)
        beacon.transmitterClass = .fastPair
        let others = [
            NearbyStranger(transmitterClass: .findMySeparated, addresses: 2, mean: -40.5),
            NearbyStranger(transmitterClass: nil, addresses: 9, mean: -70),
        ]
        let command = NodeCommand(id: "7", action: .nearby(for: .seconds(5)))
        let result = CommandResult(
            to: command, .nearby([beacon], others: others), at: Timestamp(microseconds: 5_000_000))
        #expect(
            String(decoding: result.payload, as: UTF8.self)
                == #"{"v":1,"id":"7","action":"nearby","ok":true,"beacons":[{"id":"\#(id.text)","ids":["\#(id.text)","#
                + #""aabbccddeeff"],"name":"Tag","url":"https://example.org/","class":"fast_pair","rssi":{"mean":-51.5,"#
                + #""last":-50},"count":12,"power":-59}],"others":[{"class":"find_my_separated","addresses":2,"#
                + #""rssi":{"mean":-40.5}},{"addresses":9,"rssi":{"mean":-70}}],"at":5}"#)
        #expect(try CommandResult(payload: result.payload.span) == result)
    }

    @Test("Distinguish topics of configs, commands and answers")
    func topics() {
        let topics = Topics(prefix: "home/ble")
        #expect(topics.kind(of: topics.itemConfig("keys")) == .itemConfig(item: "keys"))
        #expect(topics.kind(of: topics.nodeCommand("hall")) == .nodeCommand(node: "hall"))
        #expect(topics.kind(of: topics.commandResult("hall")) == .commandResult(node: "hall"))
        #expect(topics.kind(of: "home/ble/items/away/config") == nil)
        #expect(topics.kind(of: "home/ble/nodes/A/command/result") == nil)
    }
}
