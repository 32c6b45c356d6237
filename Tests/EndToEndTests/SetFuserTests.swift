import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// The command `set` of a built fuser.
    @Suite struct SetFuser {
        private let topics = Topics()

        private func send(_ recorder: Recorder, _ text: String) {
            recorder.publish(
                Message(topic: topics.fuserCommand("main"), payload: Array(text.utf8), qos: .atLeastOnce))
        }

        private func answer(_ recorder: Recorder, _ id: String) -> FuserAnswer? {
            recorder.messages.filter { $0.topic == topics.fuserCommandResult("main") }
                .compactMap { try? FuserResult(payload: $0.payload.span) }.last { $0.id == id }?.answer
        }

        private func settings(_ recorder: Recorder) -> FuserSettings? {
            recorder.latest[topics.fuserClaim("main")].flatMap { try? Claim(payload: $0.payload.span) }?.settings
        }

        private static func expected(_ seconds: Int, _ detectsClones: Bool, _ overridden: [String]) -> FuserSettings {
            var settings = FuserSettings(awayAfter: .seconds(seconds), detectsClones: detectsClones)
            settings.overridden = overridden
            return settings
        }

        @Test("Change settings at run time, keep them over a reload and a restart, and give the file's back")
        func set() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            func file(_ awayAfter: String) throws -> String {
                try deployment.file("fuser.yaml", ["name: main", "state: fuser.sqlite", "away_after: \(awayAfter)"])
            }
            var fuser = try RunningProgram("whereabouts-fuser", ["--config", file("2m")])
            #expect(try await recorder.wait(30) { settings($0) == Self.expected(120, true, []) }, "\(fuser.errors)")

            send(recorder, #"{"id":"a","action":"set","away_after":90,"detect_clones":false}"#)
            let both = Self.expected(90, false, ["away_after", "detect_clones"])
            #expect(try await recorder.wait(20) { settings($0) == both }, "\(fuser.errors)")
            #expect(answer(recorder, "a") == .done)
            #expect(fuser.logged("count over the file: away_after, detect_clones") == 1, "\(fuser.errors)")
            // One fault, and nothing is done.
            send(recorder, #"{"id":"b","action":"set","away_after":0,"detect_clones":true}"#)
            #expect(try await recorder.wait(20) { answer($0, "b") != nil }, "\(fuser.errors)")
            #expect(answer(recorder, "b")?.failure?.contains("'away_after': expected seconds") == true)

            _ = try file("3m")
            fuser.process.send(SIGHUP)
            #expect(try await until(20) { fuser.logged("is applied: away_after") == 1 }, "\(fuser.errors)")
            #expect(fuser.logged("settings of the command 'set' count over the file") == 1, "\(fuser.errors)")
            let count = recorder.count(topics.fuserClaim("main"))
            #expect(try await recorder.wait(20) { $0.count(topics.fuserClaim("main")) > count + 1 })
            #expect(settings(recorder) == both)

            fuser.process.send(SIGKILL)
            _ = try await fuser.status(within: 10)
            let end = recorder.messages.count
            fuser = try RunningProgram("whereabouts-fuser", ["--config", file("3m")])
            let isBack = try await recorder.wait(30) { seen in
                seen.messages.dropFirst(end).contains { $0.topic == topics.fuserClaim("main") }
            }
            #expect(isBack && settings(recorder) == both, "\(fuser.errors)")

            send(recorder, #"{"id":"c","action":"set","away_after":null}"#)
            let one = Self.expected(180, false, ["detect_clones"])
            #expect(try await recorder.wait(20) { settings($0) == one }, "\(fuser.errors)")
            send(recorder, #"{"id":"d","action":"set","detect_clones":null}"#)
            #expect(try await recorder.wait(20) { settings($0) == Self.expected(180, true, []) }, "\(fuser.errors)")
            #expect(answer(recorder, "c") == .done && answer(recorder, "d") == .done)
            fuser.process.send(SIGTERM)
            #expect(try await fuser.status(within: 20) == 0, "\(fuser.errors)")
        }

        @Test("Say of settings without a state that they last until the fuser ends")
        func passing() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let fuser = try deployment.startFuser()
            #expect(try await recorder.wait(30) { settings($0) != nil }, "\(fuser.errors)")
            send(recorder, #"{"id":"a","action":"set","away_after":90}"#)
            let expected = Self.expected(90, true, ["away_after"])
            #expect(try await recorder.wait(20) { settings($0) == expected }, "\(fuser.errors)")
            #expect(fuser.logged("they last until this fuser ends, which has no 'state'") == 1, "\(fuser.errors)")
        }
    }
}
