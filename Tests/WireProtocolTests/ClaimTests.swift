import WireProtocol
import Testing

@Suite struct ClaimTests {
    @Test("Write and read a claim's problems, at most eight of them, and leave out an empty list")
    func problems() throws {
        var claim = Claim(shards: 0...255, state: .starting, epoch: "0000000a", lastEvent: 3, seq: 4)
        #expect(!String(decoding: claim.payload, as: UTF8.self).contains("problems"))
        claim.problems = (0..<10).map { "problem \($0)" }
        let read = try Claim(payload: claim.payload.span)
        #expect(read.problems == Array(claim.problems.prefix(Claim.problemLimit)))
        #expect((read.state, read.seq) == (.starting, 4))
    }

    @Test("Write and read the shards of a member of a pool, and leave them out outside one")
    func shares() throws {
        var claim = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 3, seq: 4)
        #expect(!String(decoding: claim.payload, as: UTF8.self).contains("ready"))
        var odd = ShardSet()
        for shard in [0, 9, 255] as [UInt8] { odd.insert(shard) }
        (claim.ready, claim.serves) = (.all, odd)
        let text = String(decoding: claim.payload, as: UTF8.self)
        #expect(text.contains("\"serves\":\"8040\(String(repeating: "0", count: 59))1\""))
        let read = try Claim(payload: claim.payload.span)
        #expect(read == claim && odd.shards == [0, 9, 255])
    }

    private static let plain = #"{"v":1,"shards":"00-ff","state":"serving","epoch":"0000000a","last_event":3,"seq":4"#

    @Test("Write and read the settings of a fuser, and leave them out where there are none")
    func settings() throws {
        var claim = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 3, seq: 4)
        #expect(!String(decoding: claim.payload, as: UTF8.self).contains("settings"))
        #expect(try Claim(payload: claim.payload.span).settings == nil)
        var settings = FuserSettings(awayAfter: .milliseconds(90_500), detectsClones: false)
        settings.overridden = ["away_after"]
        claim.settings = settings
        let text = String(decoding: claim.payload, as: UTF8.self)
        #expect(text.contains(#""settings":{"away_after":90.5,"detect_clones":false,"overridden":["away_after"]}"#))
        #expect(try Claim(payload: claim.payload.span) == claim)
    }

    @Test(
        "Read a claim whose settings have no value that is valid here, without them",
        arguments: [
            #"{"away_after":0.5,"detect_clones":true}"#, #"{"away_after":1e308,"detect_clones":true}"#,
            #"{"away_after":-1e308,"detect_clones":true}"#, #"{"away_after":90}"#, #"{"detect_clones":true}"#, "{}",
        ])
    func oddSettings(_ settings: String) throws {
        let text = Self.plain + #","settings":"# + settings + "}"
        let claim = try Claim(payload: Array(text.utf8).span)
        #expect(claim.settings == nil && claim.state == .serving)
    }

    @Test(
        "Reject a claim whose settings are of another type",
        arguments: [
            "7", "[]", #""away""#, #"{"away_after":"90s"}"#, #"{"detect_clones":1}"#, #"{"overridden":"all"}"#,
        ])
    func wrongSettings(_ settings: String) {
        let text = Self.plain + #","settings":"# + settings + "}"
        #expect(throws: PayloadFault.self) { try Claim(payload: Array(text.utf8).span) }
    }

    @Test("Reject a claim whose last event has a number that JSON does not keep whole")
    func lastEvent() throws {
        let sent = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 1 << 53, seq: 4)
        #expect(try Claim(payload: sent.payload.span) == sent)
        let text = Self.plain.replacing(#""last_event":3"#, with: #""last_event":9007199254740993"#) + "}"
        #expect(throws: PayloadFault.outOfRange("last_event")) { try Claim(payload: Array(text.utf8).span) }
    }

    @Test("Fit the longest problems of denied subscriptions into a claim with all other fields")
    func fits() throws {
        var claim = Claim(shards: 0...255, state: .starting, epoch: "0000000a", lastEvent: 1 << 53, seq: .max)
        (claim.ready, claim.serves) = (.all, .all)
        claim.version = "0.1.0-989"
        var settings = FuserSettings(awayAfter: .seconds(86_400), detectsClones: false)
        settings.overridden = ["away_after", "detect_clones"]
        claim.settings = settings
        claim.teaching = (0..<Claim.teachingLimit).map { "\($0)" + String(repeating: "x", count: 60) }
        claim.problems = SubscriptionDenial.sentences(
            (0..<100).map { SubscriptionDenial(filter: "\($0)/" + String(repeating: "x", count: 200), reason: "No") })
        #expect(try Claim(payload: claim.payload.span).problems.count == SubscriptionDenial.namedLimit + 1)
    }
}
