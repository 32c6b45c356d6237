import Foundation
import Glibc
import WireProtocol
import Support
import Testing

extension Live {
    /// `whereabouts learn` and `why` against a built fuser, in the flat to teach in.
    @Suite struct Learn {
        @Test("Teach, list and explain rooms; retain lessons over the fuser's end, and undo them")
        func lessons() async throws {
            let flat = try TeachingFlat()
            let first = try flat.startFuser()
            let isHeard = try await flat.heard("in-hall")
            #expect(isHeard, "\(first.errors)")
            let before = try flat.say(["why", "in-hall"])
            #expect(String(decoding: before.output, as: UTF8.self).contains("Nothing was taught"), "\(before.error)")
            for room in ["hall", "kitchen"] {
                let learned = try flat.say(["learn", "in-\(room)", room, "--for", "20s"])
                #expect(learned.status == 0, "\(learned.error)")
                #expect(learned.lines.first?.contains("'s tag in \(room == "hall" ? "Hall" : "Kitchen") for ") == true)
                #expect(learned.lines.contains { $0.contains("PACKETS") })
            }
            // ^C ends a lesson, which is stored.
            let third = try RunningProgram(
                "whereabouts", ["learn", "in-living", "living", "--for", "30m", "--config", flat.fuser])
            #expect(try await until(20) { third.errors.contains("Living room: ") }, "\(third.errors)")
            try await Task.sleep(for: .seconds(2))
            let again = try flat.say(["learn", "in-living", "hall"])
            #expect(again.status == 1 && again.error.contains("a lesson of 'in-living' in living goes on"))
            third.process.send(SIGINT)
            #expect(try await third.status(within: 20) == 0, "\(third.errors)")
            #expect(third.output.contains("lesson 3: Reader's tag in Living room"))
            #expect(third.output.contains("seconds that had no part in the lessons were told right"))
            #expect(third.output.contains("not taught yet: Bedroom"))
            first.process.terminate()
            #expect(try await first.status(within: 20) == 0)

            let second = try flat.startFuser()
            #expect(try await until(20) { try flat.say(["learn", "--list"]).status == 0 }, "\(second.errors)")
            let list = try flat.say(["learn", "--list"])
            #expect(list.lines.prefix(4).map { $0.prefix(2) } == ["ID", "1 ", "2 ", "3 "], "\(list.error)")
            // The stored lessons are learned anew, beside its work, in a time that depends on the machine.
            var report: TaughtReport?
            let isLearned = try await until(60) {
                let json = try flat.say(["learn", "--list", "--json"])
                guard case .taught(let taught) = try FuserResult(payload: Array(json.output.dropLast()).span).answer
                else { return false }
                report = taught
                return taught.right != nil
            }
            #expect(isLearned, "\(second.errors)")
            #expect(report?.lessons.map(\.room) == ["hall", "kitchen", "living"])
            let known = try await flat.heard("in-hall")
            #expect(known)
            let why = try flat.say(["why", "in-hall", "--json"])
            guard case .why(let reason) = try FuserResult(payload: Array(why.output.dropLast()).span).answer else {
                Issue.record("no reason")
                return
            }
            #expect(reason.trust != nil && Set(reason.nodes.map(\.node)) == ["kitchen", "living", "bedroom"])
            // A lesson as an object, with its progress beside it.
            let given = try flat.say(["learn", "in-hall", "hall", "--for", "8s", "--json"])
            #expect(given.status == 0 && given.lines.count == 1, "\(given.error)")
            let lesson = try #require(
                try JSONSerialization.jsonObject(with: given.output) as? [String: Any], "\(given.lines)")
            #expect(lesson["item"] as? String == "in-hall" && lesson["room"] as? String == "hall")
            let lessonID = try #require(lesson["id"] as? String, "\(lesson)")
            for id in [lessonID, "1", "2"] { #expect(try flat.say(["learn", "--undo", id]).status == 0) }
            let undone = try flat.say(["learn", "--undo", "3", "--json"])
            #expect(undone.status == 0 && undone.lines == [#"{"undone":"3"}"#], "\(undone.error)")
            #expect(try flat.say(["learn", "--list"]).lines.first?.hasPrefix("nothing was taught") == true)
            second.process.terminate()
            #expect(try await second.status(within: 20) == 0)
            let last = try flat.startFuser()
            #expect(
                try await until(20) {
                    try flat.say(["learn", "--list"]).lines.first?.hasPrefix("nothing was taught") == true
                }, "\(last.errors)")
        }

        @Test("Guide a walk through the rooms, and report faults with the remedy")
        func walk() async throws {
            let flat = try TeachingFlat()
            let nobody = try flat.say(["learn", "--list"])
            #expect(nobody.status == 1 && nobody.error.contains("no fuser is online"), "\(nobody.error)")
            let fuser = try flat.startFuser()
            let isHeard = try await flat.heard("keys")
            #expect(isHeard, "\(fuser.errors)")
            let walk = try flat.say(["learn", "--walk", "keys", "--for", "8s"], typed: "\ns\n\n")
            #expect(walk.status == 0, "\(walk.error)")
            let prompts = walk.error.split(separator: "Go to ").dropFirst().map { $0.prefix { $0 != "," } }
            #expect(prompts == ["Kitchen", "Hall", "Living room", "Bedroom"], "\(walk.error)")
            let lessons = walk.lines.filter { $0.hasPrefix("lesson ") }
            #expect(lessons.count == 2 && lessons.last?.contains("Living room") == true)
            let list = try flat.say(["learn", "--list", "--json"])
            guard case .taught(let report) = try FuserResult(payload: Array(list.output.dropLast()).span).answer else {
                Issue.record("no list")
                return
            }
            #expect(Set(report.lessons.compactMap(\.walk)).count == 1)

            for (words, status, sentence) in [
                (["learn", "kyes", "hall"], 1, "there is no item 'kyes'; did you mean 'keys'?"),
                (["learn", "keys", "hal"], 1, "there is no room 'hal'; did you mean 'hall'?"),
                (["why", "kyes"], 1, "did you mean 'keys'?"), (["learn", "--undo", "77"], 1, "no lesson '77'"),
                (["learn", "--stop", "keys"], 1, "no lesson of 'keys' goes on"),
                (["learn", "keys", "hall", "--fuser", "side"], 1, "fuser 'side' is not online"),
                (["learn"], 2, "ITEM and ROOM are missing"), (["learn", "keys"], 2, "ROOM is missing"),
                (["learn", "keys", "hall", "--for", "1h"], 2, "--for takes 5s to 30m"),
                (["learn", "--walk", "keys", "--list"], 2, "give one of --walk and --list"),
            ] as [([String], Int32, String)] {
                let outcome = try flat.say(words)
                #expect(outcome.status == status && outcome.error.contains(sentence), "\(words): \(outcome.error)")
            }
        }
    }
}
