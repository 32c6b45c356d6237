import Identity
import WireProtocol
import Testing

@testable import Agent
import Alerts
import Configuration
import System

@Suite struct NodeReactionsTests {
    private static let offer = Reaction.offer(Offer(.text("menu"), .topic))

    private static func reactions(_ subject: Crossing.Subject, _ reaction: Reaction) -> Reactions {
        var reactions = Reactions(subject)
        reactions.onDetermined = [reaction]
        reactions.onEnter = [reaction]
        return reactions
    }

    @Test("Make an offer once a visit, and again after an exit, but not after a fade or a restart")
    func offers() {
        var node = Comings(reactions: [Self.reactions(.item("phone"), Self.offer)])
        node.play([("phone", 0, 100), ("phone", 107, 200)], until: 200)
        #expect(node.deeds == ["offer phone"])
        node.restart()
        node.play([("phone", 203, 260)], from: 203, until: 400)
        #expect(node.deeds == ["offer phone"])
        node.play([("phone", 500, 600)], from: 401, until: 600)
        #expect(node.deeds == ["offer phone", "offer phone"])
    }

    @Test("Don't repeat an offer after a kill that followed its storing")
    func kept() throws {
        var node = Comings(reactions: [Self.reactions(.item("phone"), Self.offer)])
        node.play([("phone", 0, 5)], until: 5)
        let memory = try #require(node.memory)
        #expect(memory.contains("phone") && !memory.contains("menu"))
        node.restart()
        node.play([("phone", 6, 50)], from: 6, until: 50)
        #expect(node.deeds == ["offer phone"])
    }

    @Test("Retry a failed offer with longer and longer pauses during the visit, and make it once")
    func owed() {
        var node = Comings(reactions: [Self.reactions(.item("phone"), Self.offer)])
        node.failsOffers = true
        node.play([("phone", 0, 1000)], until: 80)
        #expect(node.deeds.isEmpty && node.failures == 4, "after 0, 10, 30 and 70 s")
        #expect(
            node.problems == ["on_determined of phone: offer could not be made: guests.passphrase can't be read"])
        node.failsOffers = false
        node.play([("phone", 0, 1000)], from: 81, until: 1000)
        #expect(node.deeds == ["offer phone"] && node.problems.isEmpty)
    }

    @Test("Keep a waiting offer over a restart, and drop it with the visit", arguments: [true, false])
    func owedOverRestart(leaves: Bool) {
        var node = Comings(reactions: [Self.reactions(.item("phone"), Self.offer)])
        node.failsOffers = true
        node.play([("phone", 0, 1000)], until: 5)
        node.restart()
        node.play([("phone", 0, leaves ? 20 : 1000)], from: 6, until: 300)
        #expect(node.deeds.isEmpty && node.failures > 1)
        #expect(node.problems.isEmpty == leaves)
        node.failsOffers = false
        node.play([("phone", 0, leaves ? 20 : 1000)], from: 301, until: 700)
        #expect(node.deeds == (leaves ? [] : ["offer phone"]))
        #expect(node.problems.isEmpty)
    }

    @Test("React to every crossing of items and regions, with or without an event")
    func everyCrossing() {
        var office = Region(id: "office", members: .item("keys"))
        office.notifyOnEntry = false
        office.notifyOnExit = false
        var region = Reactions(.region("office"))
        region.onEnter = [.publish(.init(topic: "light", payload: "{region} {item} {kind}"))]
        region.onExit = [.run(ActionCommand("off", ["{region}", "{item}"]))]
        var item = Reactions(.item("keys"))
        item.onDetermined = [.run(ActionCommand("greet", ["{item}", "{kind}", "{state}", "{at}"]))]
        var node = Comings(reactions: [region, item], regions: [office])
        node.play([("keys", 0, 60), ("keys", 100, 160)], until: 120)
        #expect(
            node.deeds == [
                "run greet keys determined inside 0", "run off office keys", "publish light office keys enter",
            ])
        #expect(node.events.map(\.kind) == [.determined])
    }

    @Test("Carry out no reaction of a silenced region")
    func silence() throws {
        let office = Region(id: "office", members: .item("keys"))
        var region = Reactions(.region("office"))
        region.onEnter = [.publish(.init(topic: "light", payload: "on"))]
        var node = Comings(reactions: [region], regions: [office])
        node.play([("keys", 0, 60)], until: 90)
        try node.silence(.region("office"), for: 60, at: 90)
        node.restart()
        node.play([("keys", 100, 120), ("keys", 200, 220)], from: 95, until: 220)
        #expect(node.deeds == ["publish light on"])
        #expect(node.events.filter { $0.kind == .enter }.count == 2)
    }
}
