import Bytes
import Foundation
import Support
import Testing
import WireProtocol

@testable import Agent

/// An agent's side of an upgrade: the files that it shares with the helper, on a clock that the test moves, in seconds.
@Suite struct UpgradeHelperTests {
    private let state: TemporaryFolder
    private let folder: TemporaryFolder
    private var helper: UpgradeHelper
    private let anna = CommandSender(.administer, user: "anna")

    init() throws {
        (state, folder) = (try TemporaryFolder(), try TemporaryFolder())
        helper = UpgradeHelper(["WHEREABOUTS_UPGRADES": folder.path, "STATE_DIRECTORY": state.path])
    }

    private var request: String? { readFile(state.file("upgrade-request")) }

    private mutating func ask(_ version: String, by sender: CommandSender?, at now: Int) -> String? {
        do throws(CommandFault) {
            let command = NodeCommand(id: "7", action: .upgrade(version: version))
            try helper.request(version, command, by: sender, ReplyAddress(topic: "replies/me"), at: .second(now))
            return nil
        } catch {
            return "\(error)"
        }
    }

    private mutating func advance(to now: Int) -> NodeAnswer? {
        helper.advance(to: .second(now), at: Timestamp(microseconds: 0))?.0.answer
    }

    @Test("Hand a request over to a helper that is there, and answer once it has taken it")
    mutating func taken() throws {
        _ = try folder.write(Array("{}\n".utf8), to: "result")
        #expect(advance(to: 1) == nil && helper.report == UpgradeReport())
        #expect(ask("0.1.0-990", by: anna, at: 1) == nil)
        #expect(request == "0.1.0-990\n")
        #expect(ask("0.1.0-991", by: anna, at: 1)?.contains("has not taken the last request") == true)
        #expect(advance(to: 2) == nil)
        try removeRequest()
        #expect(advance(to: 3) == .done)
        #expect(advance(to: 4) == nil)
        let words = #"{"version":"0.1.0-990","before":"0.1.0-989","after":"0.1.0-989","error":"E: no","at":1700000000}"#
        _ = try folder.write(Array(words.utf8), to: "result")
        #expect(advance(to: 5) == nil)
        #expect(helper.report?.version == "0.1.0-990" && helper.report?.error == "E: no")
        #expect(helper.report?.before == helper.report?.after)
    }

    @Test("Withdraw a request that nothing takes, and name the mend")
    mutating func untaken() throws {
        _ = try folder.write(Array("{}".utf8), to: "result")
        #expect(advance(to: 1) == nil)
        #expect(ask("0.1.0-990", by: anna, at: 1) == nil)
        #expect(advance(to: 10) == nil && request != nil)
        let failure = advance(to: 11)?.failure
        #expect(failure?.contains("systemctl enable --now whereabouts-upgrade.path") == true)
        #expect(request == nil)
        // It was there once, and is not any more, until its result changes.
        #expect(helper.report == nil)
        #expect(advance(to: 12) == nil && helper.report == nil)
        #expect(ask("0.1.0-990", by: anna, at: 12)?.contains("systemctl enable --now") == true)
        _ = try folder.write(Array("{}\n".utf8), to: "result")
        #expect(advance(to: 13) == nil && helper.report == UpgradeReport())
    }

    @Test("Refuse without a helper, and from anybody but an administrator's own topic")
    mutating func refused() throws {
        _ = advance(to: 1)
        #expect(helper.report == nil)
        #expect(ask("0.1.0-990", by: anna, at: 1)?.contains("systemctl enable --now") == true)
        _ = try folder.write(Array("{}".utf8), to: "result")
        _ = advance(to: 2)
        for sender in [nil, CommandSender(.operate, user: "bert")] {
            #expect(ask("0.1.0-990", by: sender, at: 2)?.contains("administer/<user> alone") == true)
        }
        #expect(request == nil)
        var bare = UpgradeHelper([:])
        #expect(bare.nextDeadline == nil)
        #expect(bare.advance(to: .second(2), at: Timestamp(microseconds: 0)) == nil && bare.report == nil)
    }

    @Test("Take a result that is no report, or too long, for no helper")
    mutating func hostile() throws {
        let texts = ["", "[]", #"{"version":"$(id)"}"#, "{" + String(repeating: " ", count: 5000) + "}"]
        for (index, text) in texts.enumerated() {
            _ = try folder.write(Array("{}".utf8), to: "result")
            _ = advance(to: 2 * index + 1)
            #expect(helper.report == UpgradeReport())
            _ = try folder.write(Array(text.utf8), to: "result")
            _ = advance(to: 2 * index + 2)
            #expect(helper.report == nil, "\(text.prefix(20))")
        }
    }

    private func removeRequest() throws { try FileManager.default.removeItem(atPath: state.file("upgrade-request")) }
}
