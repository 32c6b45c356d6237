@testable import HouseTracking
import WireProtocol
import Support
import Testing

/// The persistence of a person's answer: over a restart, and over another fuser's turn.
@Suite struct PersonsMemoryTests {
    private static let before = ["phone": "hhkkkkkkkkkk", "keys": "hhhhhhhhhhhh"]

    private static func restarted(_ lines: [String: String], pause: Int = 60) -> PersonStory {
        var story = PersonStory(["phone", "keys"])
        story.live(before)
        var next = PersonStory(["phone", "keys"], remembering: story.persons.takeMemories(), from: story.now + pause)
        next.live(lines)
        return next
    }

    @Test("Keep an unmoved person without an event after a restart, and left-behind items as such")
    func stays() {
        let story = Self.restarted(["phone": " kkk---", "keys": "hhhhhhh"])
        #expect(story.line == "kkkk---")
        #expect(story.events == ["220 left k→-"])
        #expect(story.leftBehind == ["keys"])
    }

    @Test("Publish once that a person moved or left meanwhile")
    func moved() {
        #expect(Self.restarted(["phone": "ll", "keys": "hh"]).events == ["180 moved k→l"])
        #expect(Self.restarted(["phone": "--", "keys": "hh"]).events == ["180 left k→-"])
    }

    @Test("Give up answers that are not confirmed")
    func givenUp() {
        var story = Self.restarted(["phone": " "])
        story.persons.giveUp(at: PersonStory.time(story.now))
        story.live(["phone": " "])
        #expect(story.line == "k?" && story.events.isEmpty)
    }

    @Test("Drop stored state of the future, or of a name alone")
    func future() {
        var story = PersonStory(["phone"], remembering: [PersonMemory(nothingOf: "anna")])
        story.live(["phone": "kk"])
        #expect(story.line == "kk" && story.events.isEmpty)
        var late = PersonStory(["phone"], from: 1_000_000)
        late.live(["phone": "hh"])
        var early = PersonStory(["phone"], remembering: late.persons.takeMemories())
        early.live(["phone": "kk"])
        #expect(early.line == "kk" && early.events.isEmpty)
    }

    @Test("Store nothing while only confidence changes")
    func quietMemory() {
        var story = PersonStory(["phone"])
        story.live(["phone": "kk"])
        #expect(story.persons.takeMemories().map(\.person) == ["anna"])
        story.live(["phone": "kkkk"])
        #expect(story.persons.takeMemories().isEmpty)
        story.persons.rememberAll()
        #expect(story.persons.takeMemories().count == 1, "as where the store has lost it")
    }

    // MARK: In a store

    private static func memory() throws -> PersonMemory {
        var story = PersonStory(["phone", "keys"])
        story.live(before)
        return try #require(story.persons.takeMemories().first)
    }

    @Test("Read a person's stored state as written, and no other person's")
    func bytes() throws {
        let memory = try Self.memory()
        #expect(PersonMemory(person: "anna", bytes: memory.bytes.span) == memory)
        #expect(PersonMemory(person: "bob", bytes: memory.bytes.span) == nil)
    }

    @Test("Reject a truncated state, or one with a room that cannot be published")
    func damaged() throws {
        let bytes = try Self.memory().bytes
        for length in bytes.indices {
            #expect(PersonMemory(person: "anna", bytes: Array(bytes[..<length]).span) == nil, "\(length) bytes")
        }
        for (good, bad) in [("\"k\"", "\"#\""), ("\"k\"", "\"away\""), ("\"v\":1", "\"v\":2")] {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(good))
            let spoilt = Array(text.replacing(good, with: bad).utf8)
            #expect(PersonMemory(person: "anna", bytes: spoilt.span) == nil, "\(bad)")
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var spoilt = bytes
            spoilt[.random(in: spoilt.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            guard let memory = PersonMemory(person: "anna", bytes: spoilt.span) else { continue }
            var story = PersonStory(["phone", "keys"], remembering: [memory])
            story.live(["phone": "kl", "keys": "hh"])
            #expect(story.letter != "!")
        }
    }

    /// The text in which all persons were stored before each had a row.
    static func older(_ memories: [PersonMemory]) -> String {
        let rows = memories.map { String(decoding: $0.bytes, as: UTF8.self).replacing("\"v\":1,", with: "") }
        return "{\"v\":1,\"persons\":[\(rows.joined(separator: ","))]}"
    }

    @Test("Read the former text of all persons, or reject it")
    func olderForm() throws {
        let memory = try Self.memory()
        #expect(PersonMemory.all(in: Self.older([memory])) == [memory])
        #expect(PersonMemory.all(in: Self.older([])) == [])
        for text in ["", "{", "[]", "{\"persons\":[{}]}", "{\"v\":1,\"persons\":[{\"person\":1}]}"] {
            #expect(PersonMemory.all(in: text) == nil, "\(text)")
        }
    }

    // MARK: Beside another fuser

    private static func word(_ state: Location.State, _ room: String?, at seconds: Int, fuser: String = "a") -> Location
    {
        var word = Location(
            fuser: fuser, state: state, room: room, confidence: 0.9, since: PersonStory.time(seconds), previous: nil,
            at: PersonStory.time(seconds))
        word.isPerson = true
        return word
    }

    /// A standby that follows another fuser's answer for Anna.
    private static func follower() -> PersonStory {
        var story = PersonStory(["phone", "watch"])
        story.served = ShardSet()
        story.live(["phone": "kk", "watch": "kk"])
        _ = story.persons.receivePeerAnswer(
            word(.present, "k", at: 10), countsEvent: true, of: "anna", isPublisher: false,
            at: PersonStory.time(story.now))
        return story
    }

    private static func takeOver(_ story: inout PersonStory, end: Int?) {
        story.served = .all
        let ends = end.map { ["a": PersonStory.time($0)] } ?? [:]
        story.note(story.persons.takeOver(.all, ends: ends, at: PersonStory.time(story.now)))
        story.settle()
    }

    @Test("Continue from the other's answer after a takeover, without repeating an event")
    func handedOver() {
        var story = Self.follower()
        story.live(["phone": "hh", "watch": "hh"])
        _ = story.persons.receivePeerAnswer(
            Self.word(.present, "h", at: 20), countsEvent: true, of: "anna", isPublisher: false,
            at: PersonStory.time(story.now))
        #expect(story.changes.isEmpty)
        Self.takeOver(&story, end: nil)
        #expect(story.events.isEmpty && story.letter == "h")
        #expect(!story.changes.isEmpty, "it is told anew, in this fuser's name")
    }

    @Test("Leave out an answer from before the last one, which another fuser repeats")
    func repeated() {
        var story = Self.follower()
        story.live(["phone": "hh", "watch": "hh"])
        var last = Self.word(.present, "h", at: 20)
        last.itemSeq = 1
        var old = Self.word(.present, "k", at: 10, fuser: "c")
        old.at = PersonStory.time(22)
        let now = PersonStory.time(story.now)
        for word in [last, old] {
            _ = story.persons.receivePeerAnswer(
                word, countsEvent: word.itemSeq > 0, of: "anna", isPublisher: false, at: now)
        }
        Self.takeOver(&story, end: nil)
        #expect(story.events.isEmpty && story.letter == "h")
    }

    @Test("Publish a move that the other had no time to publish")
    func untold() {
        var story = Self.follower()
        story.live(["phone": "hh", "watch": "hh"])
        Self.takeOver(&story, end: 21)
        #expect(story.events == ["20 moved k→h"])
    }

    @Test("Publish the event of a fuser that died after its answer")
    func halfTold() {
        for isHeard in [false, true] {
            var story = Self.follower()
            story.live(["phone": "hh", "watch": "hh"])
            _ = story.persons.receivePeerAnswer(
                Self.word(.present, "h", at: 20), countsEvent: true, of: "anna", isPublisher: false,
                at: PersonStory.time(story.now))
            if isHeard {
                let event = ItemEvent(
                    fuser: "a", epoch: "e", seq: 1, itemSeq: 1, id: "i", at: PersonStory.time(20),
                    notBefore: PersonStory.time(20), kind: .moved, room: "h", previous: "k")
                story.persons.receivePeerEvent(event, of: "anna")
            }
            Self.takeOver(&story, end: 21)
            #expect(story.events == (isHeard ? [] : ["20 moved k→h"]))
        }
    }
}
