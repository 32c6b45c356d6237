import Bytes
import Testing
import WireProtocol

@Suite("A rollout of settings")
struct RolloutTests {
    private static let text = """
        {"v":1,"id":"5f1c09aa","by":"anna","host":"desk","from":1700000000,"until":1700000030,"nodes":[{"node":"kitchen",\
        "before":{"window":0.5,"publish":"registered","exit_after":null,"offset_db":-3}},{"node":"hall","before":{}}]}
        """

    private func fault(_ text: String) -> String? {
        do throws(PayloadFault) {
            _ = try Rollout(payload: Array(text.utf8).span)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("is read, and written, as it is on its topic")
    func roundTrip() throws {
        let rollout = try Rollout(payload: Array(Self.text.utf8).span)
        #expect(rollout.by == "anna" && rollout.host == "desk")
        #expect(rollout.until.seconds(since: rollout.from) == 30)
        #expect(rollout.nodes.map(\.node) == ["kitchen", "hall"])
        let before = rollout.nodes[0].before
        #expect(before.window == .override(.milliseconds(500)) && before.publishesAll == .override(false))
        #expect(before.exitAfter == .restore && before.offset == .override(-3))
        #expect(rollout.nodes[1].before.isEmpty)
        #expect(String(decoding: rollout.payload, as: UTF8.self) == Self.text)
    }

    @Test(
        "names what it can't have",
        arguments: [
            (#""id":"5f1c09aa","#, "", "'id' is missing"),
            (#""from":1700000000,"#, "", "'from' is missing"),
            (#""node":"hall""#, #""node":"The hall""#, "'nodes' is out of range"),
        ])
    func faults(old: String, new: String, words: String) {
        #expect(Self.text.contains(old))
        #expect(fault(Self.text.replacing(old, with: new)) == words)
    }

    @Test("names the version that it installs")
    func version() throws {
        let text = Self.text.replacing(#""nodes":"#, with: #""version":"0.1.0-990","nodes":"#)
        let rollout = try Rollout(payload: Array(text.utf8).span)
        #expect(rollout.version == "0.1.0-990" && String(decoding: rollout.payload, as: UTF8.self) == text)
        #expect(fault(text.replacing("0.1.0-990", with: "$(reboot)")) == "'version' is out of range")
    }

    @Test("names the fusers that it has changed, and none of a settings file without them")
    func fusers() throws {
        let text =
            String(Self.text.dropLast())
            + #","fusers":[{"fuser":"main","before":{"away_after":90.5,"detect_clones":null}}]}"#
        let rollout = try Rollout(payload: Array(text.utf8).span)
        #expect(rollout.fusers.map(\.fuser) == ["main"])
        let before = rollout.fusers[0].before
        #expect(before.awayAfter == .override(.milliseconds(90_500)) && before.detectsClones == .restore)
        #expect(String(decoding: rollout.payload, as: UTF8.self) == text)
        let command = FuserCommand(id: "7", action: .set(before))
        #expect(try FuserCommand(payload: command.payload.span) == command)
        #expect(try Rollout(payload: Array(Self.text.utf8).span).fusers.isEmpty)
        #expect(fault(text.replacing(#""main""#, with: #""The main""#)) == "'fusers' is out of range")
        // Giving back a value that no fuser takes would give back nothing.
        #expect(fault(text.replacing("90.5", with: "1e308")) != nil)
        #expect(fault(text.replacing("90.5", with: "0")) != nil)
    }

    @Test("gives back by a command what it holds")
    func command() throws {
        let before = try Rollout(payload: Array(Self.text.utf8).span).nodes[0].before
        let command = NodeCommand(id: "7", action: .set(before))
        #expect(try NodeCommand(payload: command.payload.span) == command)
    }

    @Test("is watched by the health of nodes, which is read as it is written")
    func health() throws {
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        let health = NodeHealth(
            from: time, to: time.advanced(bySeconds: 60), reports: 38.5, gap: 0.02, malformed: 1, dropped: 5, spooled: 2
        )
        var json = JSONWriter()
        health.write(to: &json)
        #expect(try NodeHealth(payload: json.bytes.span) == health)
    }
}
