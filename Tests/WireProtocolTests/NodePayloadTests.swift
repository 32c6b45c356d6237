import Bytes
import WireProtocol
import Testing

private func scan(_ text: String) throws(PayloadFault) -> Scan { try Scan(payload: Array(text.utf8).span) }
private func info(_ text: String) throws(PayloadFault) -> NodeInfo { try NodeInfo(payload: Array(text.utf8).span) }

@Suite struct ScanTests {
    static let least = #"{"from":10,"to":11,"seq":5,"epoch":"e"}"#

    @Test("Read a scan back as it was sent, with every field that makes silence evidence")
    func exactBytes() throws {
        var sent = Scan(from: .at(10), to: .at(11), seq: 5, registry: "0123456789abcdef", epoch: "5f1c09aa")
        (sent.windows, sent.reports, sent.beacons) = (3, 120, 17)
        (sent.gapMilliseconds, sent.dropped, sent.spooled, sent.lastEvent) = (250, 4, 2, 9)
        let text = written { sent.write(to: &$0) }
        #expect(
            text
                == #"{"v":1,"from":10,"to":11,"seq":5,"windows":3,"registry":"0123456789abcdef","reports":120,"#
                + #""beacons":17,"gap_ms":250,"dropped":4,"spooled":2,"epoch":"5f1c09aa","last_event":9}"#)
        #expect(try scan(text) == sent)
        sent.malformed = 7
        #expect(written { sent.write(to: &$0) }.contains(#""reports":120,"malformed":7,"beacons":17"#))
        sent.clock = NodeClock(start: .at(100), origin: .at(5), speed: 60)
        #expect(try scan(written { sent.write(to: &$0) }) == sent)
    }

    @Test("Reject a scan without a required field", arguments: ["from", "to", "seq", "epoch"])
    func missing(_ key: String) {
        #expect(throws: PayloadFault.missing(key)) { try scan(Self.least.replacing("\"\(key)\":", with: "\"x\":")) }
    }

    @Test(
        "Reject a hostile scan",
        arguments: [
            #""windows":-1"#, #""reports":-1"#, #""malformed":-1"#, #""beacons":-5"#, #""gap_ms":-1"#, #""dropped":-1"#,
            #""spooled":-1"#,
            #""last_event":-1"#, #""windows":1e308"#, #""windows":"1""#, #""to":10"#, #""to":9"#, #""to":1e308"#,
            #""to":90000"#, #""epoch":{}"#, #""clock":{"origin":1,"speed":1e308}"#, #""clock":{"origin":1,"speed":0}"#,
            #""clock":{"origin":1,"speed":-1}"#, #""clock":{"origin":1e308}"#, #""clock":7"#, #""epoch":"""#,
            #""windows":100000001"#, #""reports":9223372036854775807"#, #""malformed":9007199254740992"#,
            #""beacons":100000001"#, #""gap_ms":9223372036854775807"#, #""spooled":100000001"#,
            #""dropped":18446744073709551615"#, #""last_event":9007199254740993"#,
        ])
    func hostile(_ field: String) {
        #expect(throws: PayloadFault.self) { try scan(String(Self.least.dropLast() + "," + field + "}")) }
    }

    @Test("A newer node's scan is read by an older fuser")
    func unknownKeys() throws {
        #expect(try scan(#"{"new":[{}],"from":10,"to":11,"seq":5,"epoch":"e"}"#) == scan(Self.least))
    }
}

@Suite struct NodeInfoTests {
    private func example() -> NodeInfo {
        NodeInfo(
            version: "0.1.0", room: "kitchen", adapter: "hci0", started: .at(1_763_715_138.5), epoch: "5f1c09aa",
            window: 1, publishesAll: false, registry: "0123456789abcdef")
    }

    @Test("What a node is and runs with arrives as it was sent")
    func exactBytes() throws {
        var sent = example()
        #expect(
            written { sent.write(to: &$0) }
                == #"{"v":1,"version":"0.1.0","room":"kitchen","adapter":"hci0","features":[],"#
                + #""started":1763715138.5,"epoch":"5f1c09aa","settings":{"window":1,"publish":"registered","#
                + #""offset_db":0,"overridden":[]},"registry":"0123456789abcdef","missing_keys":[],"refused":[]}"#)
        #expect(try info(written { sent.write(to: &$0) }) == sent)
        sent.address = "aa:bb:cc:dd:ee:ff"
        sent.features = ["extended", "coded"]
        sent.missingKeys = ["phone"]
        sent.missingKeysLeftOut = 3
        sent.refused = [RefusedEntry(item: "cat", reason: "an item needs one of ibeacon, …")]
        sent.refusedLeftOut = 7
        sent.problems = ["the broker's certificate (CN=broker) expires at 2026-12-01 08:25 UTC"]
        sent.publishesAll = true
        (sent.exitAfter, sent.offset, sent.overridden) = (30, -3, ["exit_after", "offset_db"])
        sent.window = 0.25
        sent.clock = NodeClock(start: .at(100), origin: .at(5), speed: nil)
        #expect(try info(written { sent.write(to: &$0) }) == sent)
    }

    @Test("How a radio does arrives as it was sent")
    func radio() throws {
        var sent = example()
        var radio = RadioStatus(state: "recovering")
        (radio.problem, radio.mend, radio.takenBack, radio.lost) = ("adapter_silent", "wait", 3, 17)
        radio.rungs = [RadioStatus.Rung(name: "reenable", tried: 2, helped: 1)]
        sent.radio = radio
        let payload = written { sent.write(to: &$0) }
        #expect(try info(payload) == sent)
        #expect(
            payload.hasSuffix(
                #""radio":{"state":"recovering","problem":"adapter_silent","mend":"wait","taken_back":3,"lost":17,"#
                    + #""rungs":[{"name":"reenable","tried":2,"helped":1}]}}"#))
    }

    @Test(
        "A hostile info moves nothing",
        arguments: [
            #"{"epoch":"e"}"#, #"{"room":"kitchen"}"#, #"{"room":"away","epoch":"e"}"#, #"{"room":"a/b","epoch":"e"}"#,
            #"{"room":"kitchen","epoch":"e","settings":{"window":0}}"#,
            #"{"room":"kitchen","epoch":"e","settings":{"window":-1}}"#,
            #"{"room":"kitchen","epoch":"e","settings":{"window":1e308}}"#,
            #"{"room":"kitchen","epoch":"e","features":"x"}"#, #"{"room":"kitchen","epoch":"e","features":[1]}"#, "[]",
            "",
        ])
    func hostile(_ text: String) {
        #expect(throws: PayloadFault.self) { try info(text) }
    }
}

@Suite struct NodeClockTests {
    private let clock = NodeClock(start: .at(1000), origin: .at(50), speed: 4)

    @Test("Simulated time is the scenario's start plus speed times the wall time since the origin")
    func mapping() {
        #expect(clock.time(atWall: .at(50)) == .at(1000))
        #expect(clock.time(atWall: .at(52.5)) == .at(1010))
        #expect(clock.time(atWall: .at(49)) == .at(996))
        #expect(clock.wallTime(at: .at(1010)) == .at(52.5))
        let fastest = NodeClock(start: .at(1000), origin: .at(50), speed: nil)
        #expect(fastest.time(atWall: .at(60)) == nil && fastest.wallTime(at: .at(2000)) == nil)
    }

    @Test("A hostile clock ends no fuser")
    func hostile() {
        let far = Timestamp(seconds: 3.19e12)!
        for speed in [1e6, 1e-3, .infinity, .nan, -1e6, 0] {
            for origin in [far, .at(-3.19e12), .at(0)] {
                let clock = NodeClock(start: far, origin: origin, speed: speed)
                for time in [far, .at(-3.19e12), .at(1_763_715_138)] {
                    _ = clock.time(atWall: time)
                    _ = clock.wallTime(at: time)
                }
            }
        }
    }

    @Test("The clock's wire form is origin and speed, with the start where it differs")
    func wire() throws {
        let read = { (clock: String) in
            try scan(#"{"from":10,"to":11,"seq":5,"epoch":"e","clock":"# + clock + "}").clock
        }
        #expect(try read(#"{"origin":50,"speed":4}"#) == NodeClock(start: .at(50), origin: .at(50), speed: 4))
        #expect(try read(#"{"origin":50,"start":1000,"speed":4}"#) == clock)
        #expect(try read(#"{"origin":50,"start":1000,"speed":"max"}"#)?.speed == nil)
        #expect(try read(#"{"speed":4}"#) == nil)
    }
}
