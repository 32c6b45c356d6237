import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// Two built fusers in the flat to teach in, of which one is taught and killed.
    @Suite struct SharedLessons {
        private func lessons(_ flat: TeachingFlat, _ fuser: String) throws -> [String] {
            let list = try flat.say(["learn", "--list", "--json"], to: fuser)
            guard list.status == 0,
                case .taught(let report) = try FuserResult(payload: Array(list.output.dropLast()).span).answer
            else { return [list.error] }
            return report.lessons.map { "\($0.id) \($0.room)" }
        }

        @Test("Retain lessons of the serving fuser over its end, and restore none that was undone meanwhile")
        func outlives() async throws {
            let flat = try TeachingFlat()
            let (a, b) = try (
                TeachingFlat.fuser("a", in: flat.deployment), TeachingFlat.fuser("b", in: flat.deployment)
            )
            let first = try RunningProgram("whereabouts-fuser", ["--config", a])
            #expect(try await until(60) { try lessons(flat, a) == [] }, "\(first.errors)")
            let second = try RunningProgram("whereabouts-fuser", ["--config", b])
            #expect(try await until(60) { try lessons(flat, b) == [] }, "\(second.errors)")
            for room in ["hall", "kitchen"] {
                let isHeard = try await flat.heard("in-\(room)", by: a)
                #expect(isHeard, "\(first.errors)")
                let learned = try flat.say(["learn", "in-\(room)", room, "--for", "15s"], to: a)
                #expect(learned.status == 0, "\(learned.error)")
            }
            first.process.send(SIGKILL)
            _ = first.process.wait()
            #expect(try await until(60) { try lessons(flat, b) == ["1 hall", "2 kitchen"] }, "\(second.errors)")
            #expect(
                try await until(60) {
                    let why = try flat.say(["why", "in-hall"], to: b)
                    return String(decoding: why.output, as: UTF8.self).contains("essons decide")
                })
            #expect(try flat.say(["learn", "--undo", "1"], to: b).status == 0)
            second.process.send(SIGKILL)
            _ = second.process.wait()

            let third = try RunningProgram("whereabouts-fuser", ["--config", a])
            #expect(try await until(60) { try lessons(flat, a) == ["2 kitchen"] }, "\(third.errors)")
            third.process.terminate()
            #expect(try await third.status(within: 20) == 0)
            // The broker forgets all, and programs with a stored copy restore it.
            let recorder = try Recorder(flat.broker, [Topics().allLessons])
            #expect(try await recorder.wait(20) { $0.latest.count == 2 })
            for topic in recorder.latest.keys { recorder.publish(Message(topic: topic, payload: [], retained: true)) }
            #expect(try await recorder.wait(20) { $0.latest.values.allSatisfy(\.payload.isEmpty) })
            for fuser in [a, b] {
                let program = try RunningProgram("whereabouts-fuser", ["--config", fuser])
                #expect(try await until(60) { try lessons(flat, fuser) == ["2 kitchen"] }, "\(program.errors)")
                #expect(try await recorder.wait(20) { $0.latest.values.allSatisfy { !$0.payload.isEmpty } })
                program.process.terminate()
                #expect(try await program.status(within: 20) == 0)
            }
            // A purge applies everywhere.
            let programs = try [a, b].map { try RunningProgram("whereabouts-fuser", ["--config", $0]) }
            for fuser in [a, b] { #expect(try await until(60) { try lessons(flat, fuser) == ["2 kitchen"] }) }
            let purged = try flat.say(["purge", "in-kitchen", "--yes"], to: a)
            #expect(purged.status == 0, "\(purged.error)")
            #expect(purged.lines.map { $0.contains("forgotten by fuser a: ") } == [true, false], "\(purged.lines)")
            #expect(purged.lines.first?.contains(" 1 lesson, ") == true && !purged.error.contains("offline"))
            for fuser in [a, b] { #expect(try await until(60) { try lessons(flat, fuser) == [] }) }
            programs[0].process.terminate()
            #expect(try await programs[0].status(within: 20) == 0)
            let alone = try flat.say(["purge", "in-kitchen", "--yes"], to: a)
            let object = try flat.say(["purge", "in-kitchen", "--yes", "--json"], to: a)
            let keys = try object.lines.map { line in
                try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)").keys
                    .sorted()
            }
            #expect(keys == [["events", "fuser", "item", "lessons", "messages", "visits"]], "\(object.error)")
            #expect(alone.lines.count == 1 && alone.error.contains("not asked, since offline: a"), "\(alone.error)")
        }
    }
}
