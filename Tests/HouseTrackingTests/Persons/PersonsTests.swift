@testable import HouseTracking
@testable import RoomEstimation
import Testing
import WireProtocol

/// The location of a person by its items: a line for each in, a line out; ten seconds a character, quiet in a capital.
@Suite struct PersonsTests {
    private static func live(
        _ lines: [(item: String, line: String)], mustHave: [String] = []
    ) -> PersonStory {
        var story = PersonStory(lines.map(\.item), mustHave: mustHave)
        story.live(Dictionary(uniqueKeysWithValues: lines.map { ($0.item, $0.line) }))
        return story
    }

    @Test("Locate a person with one item at that item")
    func alone() {
        let story = Self.live([("phone", "---hhkkk..kk----h")])
        #expect(story.line == "---hhkkkKKkk----h")
        #expect(story.events == ["30 arrived -→h", "50 moved h→k", "120 left k→-", "160 arrived -→h"])
    }

    @Test("Publish one arrival for a person who comes home with all items")
    func arrives() {
        let story = Self.live([("phone", "----hhkkkkkkkkk"), ("watch", "----hhhkkkkkkkk"), ("keys", "-----hhhhhhhhhh")])
        #expect(story.line == "----hhhkkkkkkkk")
        #expect(story.events == ["40 arrived -→h", "70 moved h→k"])
    }

    @Test("Let a person leave with the phone while the keys stay on their hook")
    func leavesKeysBehind() {
        let story = Self.live([("phone", "hhkkkkkkkkhh-------hh"), ("keys", "hhhhhhhhhhhhhhhhhhhhh")])
        #expect(story.line == "hhhkkkkkkkhh-------hh")
        #expect(story.leftBehind == ["keys"])
        #expect(story.events == ["30 moved h→k", "100 moved k→h", "120 left h→-", "190 arrived -→h"])
    }

    @Test("Let a person go out with watch and keys while the phone stays on its table")
    func leavesPhoneBehind() {
        let story = Self.live([
            ("phone", "kkkkkkkkkkkkkkkkkk"), ("watch", "kkkhh......-------"), ("keys", "kkkhhh.....-------"),
        ])
        #expect(story.line == "kkkhhhHHHHH-------")
        #expect(story.events == ["30 moved k→h", "110 left h→-"])
        #expect(story.leftBehind == ["phone"])
    }

    @Test("Ignore items at rest in another room than the carried ones")
    func lieAbout() {
        let story = Self.live([
            ("phone", "hhkkkkkkkkllllkk"), ("keys", "hhhhhhhhhhhhhhhh"), ("bag", "ssssssssssssssss"),
        ])
        #expect(story.line == "hhhkkkkkkkllllkk")
        #expect(story.leftBehind == ["keys", "bag"])
    }

    @Test("Count an item that was left behind again when it is carried")
    func takenAgain() {
        let story = Self.live([("phone", "hhkkkkkkkkkkhhkkkkkk-----"), ("keys", "hhhhhhhhhhhhhhkkkkkkkkkll")])
        #expect(story.line == "hhhkkkkkkkkkhhkkkkkkkkkll")
        #expect(story.leftBehind == [])
        #expect(story.deciding == "keys")
    }

    @Test("Keep a person with a watch present while the phone falls silent")
    func phoneFallsSilent() {
        let story = Self.live([("phone", "kkll......-----------ll"), ("watch", "kkllllllllllkkkkkklllll")])
        #expect(story.line == "kkllllllllllkkkkkklllll")
        #expect(story.events == ["20 moved k→l", "120 moved l→k", "180 moved k→l"])
    }

    @Test("Keep a person in the room of a quiet phone until that is away")
    func quiet() {
        let story = Self.live([("phone", "hhkkkkkkkkk......----"), ("keys", "hhhhhhhhhhhhhhhhhhhhh")])
        #expect(story.line == "hhhkkkkkkkkKKKKKK----")
        #expect(story.events == ["30 moved h→k", "170 left k→-"])
    }

    @Test("Decide by the first-named of two items in different rooms, without flaps by the other")
    func disagree() {
        #expect(Self.live([("phone", "kkkk..kk"), ("watch", "llllllll")]).line == "kkkkKKkk")
        #expect(Self.live([("phone", "kkkk..--"), ("watch", "llllllll")]).line == "kkkkKKll")
        #expect(Self.live([("phone", "kkkk..kk"), ("watch", "kkkkhhhh")]).line == "kkkkhhhh")
        #expect(Self.live([("watch", "llllllll"), ("phone", "kkkk..kk")]).line == "llllllll")
        let story = Self.live([("phone", "kkkklklkkklkkklkkkkkkk"), ("watch", "kkkkkkkkkkkkkkkkkkkkkk")])
        #expect(story.line == "kkkkkkkkkkkkkkkkkkkkkk")
        #expect(story.events.isEmpty)
    }

    @Test(
        "Follow one item after ten seconds, soon after a move after thirty, and most of them at once")
    func hysteresis() {
        let alone = Self.live([("phone", "kkkkkkkkkhhhhkkkkkkk"), ("watch", "kkkkkkkkkkkkkkkkkkkk")])
        #expect(alone.events.first == "100 moved k→h")
        let soon = Self.live([("phone", "kkkkkkkkkhhhhhhhhlllllll"), ("watch", "kkkkkkkkkhhhhhhhhhhhhhhh")])
        #expect(soon.events == ["90 moved k→h", "180 moved h→l"])
        let again = Self.live([("phone", "kkkkkkkkkhhlllllllll"), ("watch", "kkkkkkkkkhhhhhhhhhhhh")])
        #expect(again.events == ["90 moved k→h", "140 moved h→l"])
        let most = Self.live([("phone", "kkkkkkkkkhh"), ("watch", "kkkkkkkkkhh"), ("keys", "kkkkkkkkkkk")])
        #expect(most.events == ["90 moved k→h"])
    }

    @Test("Report a person absent without a required item")
    func mustHave() {
        let lines = [("phone", "kkkk...----kkkk"), ("watch", "kkkkkkkkkkkkkkk")]
        let story = Self.live(lines, mustHave: ["phone"])
        #expect(story.line == "kkkkkkk----kkkk")
        #expect(story.events == ["70 left k→-", "110 arrived -→k"])
        #expect(story.persons.explain("anna", at: PersonStory.time(200))?.mustHave == ["phone"])
        #expect(Self.live(lines).events.isEmpty)
        #expect(
            Self.live([("phone", "kkkk----"), ("watch", "kkkkkkkk")], mustHave: ["phone", "watch"]).events.isEmpty)
    }

    @Test("Ignore an unknown item, but report the person unknown if it is a required one")
    func unknown() {
        #expect(Self.live([("phone", "?????"), ("watch", "kkkhh")]).line == "kkkhh")
        #expect(Self.live([("phone", "??kkk"), ("watch", "kkkkk")], mustHave: ["phone"]).line == "??kkk")
        let deaf = Self.live([("phone", "kkk??kkk"), ("watch", "kkk??kkk")])
        #expect(deaf.line == "kkk??kkk" && deaf.events.isEmpty)
        let gone = Self.live([("phone", "kkk??---")])
        #expect(gone.line == "kkk??---" && gone.events == ["50 left k→-"], "it has left while nobody listened")
    }

    @Test("Publish no arrival at a start, and correct an answer of its first seconds without an event")
    func start() {
        let story = Self.live([("phone", "?kkkkk"), ("keys", "hhhhhh")])
        #expect(story.events.isEmpty)
        var slow = PersonStory(["phone", "keys"])
        slow.live(["keys": "h"])
        #expect(slow.events.isEmpty && slow.line == "h")
    }

    @Test("Ignore a removed item")
    func removed() {
        var story = PersonStory(["phone", "keys"])
        story.live(["phone": "kkk", "keys": "kkk"])
        story.persons.removeAnswer(of: "phone", at: PersonStory.time(story.now))
        story.live(["keys": "kk-"])
        #expect(story.line == "kkkkk-")
        #expect(story.leftBehind == [])
    }
}
