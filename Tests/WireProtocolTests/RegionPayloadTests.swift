import WireProtocol
import Testing

@Suite struct RegionPayloadTests {
    @Test("Read a region's report back as it was sent, under the contract's keys")
    func report() throws {
        var sent = RegionReport(exitAfter: 30)
        #expect(try RegionReport(payload: Array(written { sent.write(to: &$0) }.utf8).span) == sent)
        sent.state = .inside
        sent.since = .at(100.5)
        sent.determinedAt = .at(101)
        sent.beacons = ["iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-7", "keys"]
        sent.count = 2
        sent.exitAfter = 450.25
        sent.problem = .cadenceTooSlow
        let text = written { sent.write(to: &$0) }
        #expect(
            text == #"{"v":1,"state":"inside","since":100.5,"determined_at":101,"count":2,"#
                + #""beacons":["iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-7","keys"],"#
                + #""exit_after":450.25,"problem":"cadence_too_slow"}"#)
        #expect(try RegionReport(payload: Array(text.utf8).span) == sent)
    }

    @Test("Bound the report of a full region below its limit")
    func full() throws {
        var sent = RegionReport(exitAfter: 30)
        sent.beacons = (0..<RegionReport.beaconBound).map { "\($0)" + String(repeating: "x", count: 120) }
        sent.count = 5000
        sent.alerts = (0..<RegionReport.alertBound).map { "\($0)" + String(repeating: "a", count: 60) }
        #expect(try RegionReport(payload: Array(written { sent.write(to: &$0) }.utf8).span) == sent)
    }

    @Test("Read an event back as it was sent, with the same id each time")
    func event() throws {
        var sent = NodeEvent(
            node: "kitchen", epoch: "5f1c09aa", seq: 7, at: .at(130), notBefore: .at(100.25), kind: .exit)
        sent.region = "office"
        sent.state = .outside
        sent.beacon = "keys"
        let text = written { sent.write(to: &$0) }
        #expect(
            text == #"{"v":1,"node":"kitchen","epoch":"5f1c09aa","seq":7,"id":"\#(sent.id)","at":130,"#
                + #""not_before":100.25,"kind":"exit","region":"office","state":"outside","beacon":"keys"}"#)
        #expect(try NodeEvent(payload: Array(text.utf8).span) == sent)
        var again = sent
        again.isReplayed = true
        #expect(again.id == sent.id && sent.id.utf8.count == 32)
        #expect(try NodeEvent(payload: Array(written { again.write(to: &$0) }.utf8).span) == again)
        again.kind = .proximity
        again.proximity = .near
        again.region = nil
        again.state = nil
        #expect(try NodeEvent(payload: Array(written { again.write(to: &$0) }.utf8).span) == again)
    }

    @Test("Read an alert and its end back as they were sent, under the contract's keys")
    func alert() throws {
        var sent = NodeEvent(
            node: "kitchen", epoch: "5f1c09aa", seq: 7, at: .at(130), notBefore: .at(100.25), kind: .alert)
        (sent.alert, sent.rule, sent.item, sent.count) = ("left_behind-keys", "left_behind", "keys", 2)
        let text = written { sent.write(to: &$0) }
        #expect(
            text.hasSuffix(
                #""kind":"alert","alert":"left_behind-keys","rule":"left_behind","item":"keys","count":2}"#))
        #expect(try NodeEvent(payload: Array(text.utf8).span) == sent)
        (sent.kind, sent.count, sent.reason) = (.cleared, nil, "returned")
        let end = written { sent.write(to: &$0) }
        #expect(
            end.hasSuffix(
                #""kind":"cleared","alert":"left_behind-keys","rule":"left_behind","item":"keys","reason":"returned"}"#)
        )
        #expect(try NodeEvent(payload: Array(end.utf8).span) == sent)
        // A node's own: of no item.
        (sent.alert, sent.rule, sent.item, sent.reason) = ("radio", "adapter_mute", nil, "down_up")
        let radio = written { sent.write(to: &$0) }
        #expect(radio.hasSuffix(#""kind":"cleared","alert":"radio","rule":"adapter_mute","reason":"down_up"}"#))
        #expect(try NodeEvent(payload: Array(radio.utf8).span) == sent)
    }

    @Test("Read proximity back as it was sent")
    func proximity() throws {
        let sent = ProximityReport(proximity: .near, distance: 2.41, since: .at(5))
        let text = written { sent.write(to: &$0) }
        #expect(text == #"{"v":1,"proximity":"near","distance":2.41,"since":5}"#)
        #expect(try ProximityReport(payload: Array(text.utf8).span) == sent)
    }

    @Test(
        "Reject a hostile payload",
        arguments: [
            "", "{}", "[]", #"{"state":"gone","exit_after":1}"#, #"{"state":"inside"}"#,
            #"{"state":"inside","exit_after":-1}"#, #"{"state":"inside","exit_after":1,"beacons":["a/b"]}"#,
            #"{"state":"inside","exit_after":1,"beacons":["a"],"count":0}"#,
            #"{"state":"inside","exit_after":1,"since":1e300}"#,
            #"{"node":"n","epoch":"e","seq":0,"at":1,"not_before":1,"kind":"exit"}"#,
            #"{"node":"n","epoch":"e","seq":1,"at":1,"not_before":2,"kind":"exit"}"#,
            #"{"node":"N","epoch":"e","seq":1,"at":1,"not_before":1,"kind":"exit"}"#,
            #"{"node":"n","epoch":"","seq":1,"at":1,"not_before":1,"kind":"exit"}"#,
            #"{"node":"n","epoch":"e","seq":1,"at":1,"not_before":1,"kind":"left"}"#,
            #"{"node":"n","epoch":"e","seq":1,"at":1,"not_before":1,"kind":"exit","region":"a/b"}"#,
            #"{"node":"n","epoch":"e","seq":1,"at":1,"not_before":1,"kind":"exit","beacon":"+"}"#,
            #"{"proximity":"touching","since":1}"#, #"{"proximity":"near"}"#,
            #"{"proximity":"near","since":1,"distance":-1}"#,
        ])
    func hostile(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(throws: PayloadFault.self) { try RegionReport(payload: bytes.span) }
        #expect(throws: PayloadFault.self) { try NodeEvent(payload: bytes.span) }
        #expect(throws: PayloadFault.self) { try ProximityReport(payload: bytes.span) }
    }
}
