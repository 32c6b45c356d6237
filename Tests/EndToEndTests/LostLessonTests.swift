import Glibc
import Support
import Testing
import WireProtocol

extension Live {
    /// `whereabouts learn` during losses of broker or fuser, and the state they leave.
    @Suite struct LostLessons {
        @Test("Continue and store a lesson while the broker is away, and report one lost with its fuser")
        func lost() async throws {
            let flat = try TeachingFlat()
            let fuser = try flat.startFuser()
            let isHeard = try await flat.heard("in-hall")
            #expect(isHeard, "\(fuser.errors)")
            let words = ["learn", "in-hall", "hall", "--for", "24s", "--config", flat.fuser]
            let first = try RunningProgram("whereabouts", words)
            #expect(try await until(20) { first.errors.contains("Hall: ") }, "\(first.errors)")
            flat.broker.kill()
            #expect(try await until(20) { first.errors.contains("the lesson goes on meanwhile") }, "\(first.errors)")
            try flat.broker.start()
            #expect(try await first.status(within: 60) == 0, "\(first.errors)")
            #expect(first.output.contains("lesson 1: Porter's tag in Hall for 2"), "\(first.output)")

            let isBack = try await flat.heard("in-hall")
            #expect(isBack)
            let second = try RunningProgram("whereabouts", words)
            #expect(try await until(20) { second.errors.contains("Hall: ") }, "\(second.errors)")
            fuser.process.send(SIGKILL)
            #expect(try await second.status(within: 40) == 1, "\(second.errors)")
            #expect(second.errors.contains("the lesson is lost: fuser 'main' is offline"), "\(second.errors)")

            // It is gone for good.
            let unknown = try flat.say(["history", "kyes"])
            #expect(unknown.status == 1 && unknown.error.contains("no fuser is online"))
            let wrong = try flat.say(["forget", "fuser", "mian"])
            #expect(wrong.status == 1 && wrong.error.contains("did you mean 'main'?"), "\(wrong.error)")
            let refused = try flat.say(["forget", "node", "kitchen"])
            #expect(refused.status == 1 && refused.error.contains("node 'kitchen' is online"), "\(refused.error)")
            #expect(try flat.say(["forget", "kitchen", "node"]).status == 2)
            let forgotten = try flat.say(["forget", "fuser", "main"])
            #expect(forgotten.status == 0 && forgotten.lines.first?.hasPrefix("fuser main is forgotten") ?? false)
            let recorder = try Recorder(flat.broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            #expect(recorder.messages.contains { $0.topic.hasSuffix("/status") })
            let left = recorder.messages.filter { message in
                message.retained && (message.topic.contains("/fuser/") || message.topic.hasSuffix("/location"))
            }
            #expect(left.isEmpty, "\(left.map(\.topic))")
        }

        @Test("Report no history, and nothing to purge, of an unknown item")
        func unknown() async throws {
            let flat = try TeachingFlat()
            let fuser = try flat.startFuser()
            let isHeard = try await flat.heard("keys")
            #expect(isHeard, "\(fuser.errors)")
            for words in [["history", "kyes"], ["purge", "kyes", "--yes"]] {
                let outcome = try flat.say(words)
                #expect(outcome.status == 1 && outcome.error.contains("there is no item 'kyes'; did you mean 'keys'?"))
            }
            #expect(try flat.say(["history", "keys"]).status == 0)
            #expect(fuser.logged("of clocks that are wrong") == 0, "nothing is wrong at a start")
        }
    }
}
