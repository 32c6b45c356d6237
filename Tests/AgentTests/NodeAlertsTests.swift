import Bytes
import Identity
import WireProtocol
import Testing

@testable import Agent
import Alerts

@Suite struct NodeAlertsTests {
    private static let leftBehind = AlertRule(
        .leftBehind, item: "keys", companions: ["phone"], interval: .seconds(300), atMost: 3)
    private static let gone = AlertRule(.gone, item: "keys", companions: ["phone"])
    private static let both = [leftBehind, gone]

    @Test(
        "Don't alert for items that leave together, in any order",
        arguments: [(100, 100), (100, 155), (155, 100)])
    func together(_ phone: Int, _ keys: Int) {
        var node = Comings(Self.both)
        node.play([("phone", 0, phone), ("keys", 0, keys)], until: 1000)
        #expect(node.alerts.isEmpty)
    }

    @Test("Don't alert for a slow tag before its exit is decided")
    func slow() {
        var node = Comings(Self.both)
        node.periods = ["keys": 30]
        node.play([("phone", 0, 3000), ("keys", 0, 3000)], until: 5000)
        #expect(node.alerts.isEmpty, "\(node.alerts)")
    }

    @Test("Repeat the alert for keys left behind by the phone until it is back")
    func leftBehind() throws {
        var node = Comings(Self.both, regions: [Region(id: "my-keys", members: .item("keys"))])
        node.play([("phone", 0, 100), ("keys", 0, 900)], until: 600)
        #expect(node.alerts == ["170 alert left_behind-keys 1", "470 alert left_behind-keys 2"])
        #expect(node.reports["my-keys"]?.alerts == ["left_behind-keys"])
        let event = try #require(node.events.last)
        #expect(event.notBefore == Node.time(100) && event.item == "keys" && event.rule == "left_behind")
        node.play([("phone", 700, 900), ("keys", 0, 900)], from: 601, until: 900)
        #expect(node.alerts.last == "700 cleared left_behind-keys returned" && node.alerts.count == 3)
        #expect(node.reports["my-keys"]?.alerts == [])
    }

    @Test("Alert for keys that leave alone, and clear on their return")
    func gone() {
        var node = Comings(Self.both)
        node.play([("phone", 0, 900), ("keys", 0, 100), ("keys", 400, 900)], until: 900)
        #expect(node.alerts == ["170 alert gone-keys 1", "400 cleared gone-keys returned"])
    }

    @Test("Clear the alerts of keys that are removed from the registry")
    func unregistered() {
        let rule = AlertRule(.gone, item: "keys", companions: ["phone"], interval: .seconds(60))
        var gone = Comings([rule])
        gone.play([("phone", 0, 900), ("keys", 0, 100)], until: 200)
        gone.remove("keys")
        gone.play([("phone", 0, 900)], from: 201, until: 900)
        #expect(gone.alerts == ["170 alert gone-keys 1", "201 cleared gone-keys removed"])

        var left = Comings([Self.leftBehind])
        left.play([("phone", 0, 100), ("keys", 0, 900)], until: 200)
        left.remove("keys")
        left.play([("keys", 0, 900)], from: 201, until: 900)
        #expect(left.alerts == ["170 alert left_behind-keys 1", "201 cleared left_behind-keys removed"])
    }

    @Test("Decide alike with a look each second and with one look, as in a replay at full speed")
    func pace() {
        let stays: [Comings.Stay] = [("phone", 0, 100), ("keys", 0, 500), ("phone", 700, 900), ("keys", 800, 900)]
        var paced = Comings(Self.both)
        paced.play(stays, until: 900)
        var fast = Comings(Self.both)
        fast.play(stays, until: 900, atOnce: true)
        #expect(paced.alerts == fast.alerts && paced.alerts.count == 5, "\(paced.alerts) \(fast.alerts)")
    }

    @Test("Hold back a silenced alert over a restart, and publish it at the end of the silence")
    func silence() throws {
        var node = Comings(Self.both)
        node.play([("phone", 0, 100), ("keys", 0, 2000)], until: 200)
        try node.silence(.item("keys"), for: 600, at: 200)
        node.play([("keys", 0, 2000)], from: 201, until: 480)
        node.restart()
        node.play([("keys", 0, 2000)], from: 490, until: 900)
        #expect(node.alerts == ["170 alert left_behind-keys 1", "800 alert left_behind-keys 2"])
        #expect(throws: CommandFault.failed("there is no item 'sock' here")) {
            try node.silence(.item("sock"), for: 60, at: 900)
        }
        #expect(throws: CommandFault.failed("there is no region 'attic' here")) {
            try node.silence(.region("attic"), for: 60, at: 900)
        }
    }

    @Test("Neither lose nor double an alert in a power cut at any moment", arguments: [105, 130, 169, 171, 300, 460])
    func restart(_ second: Int) {
        var node = Comings(Self.both)
        let stays: [Comings.Stay] = [("phone", 0, 100), ("keys", 0, 900), ("phone", 700, 900)]
        node.play(stays, until: second)
        node.restart()
        node.play(stays, from: second + 3, until: 900)
        let words = node.alerts.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(
            words == ["alert left_behind-keys 1", "alert left_behind-keys 2", "cleared left_behind-keys returned"],
            "\(node.alerts)")
    }

    @Test("Don't alert for items that left together while the node was down")
    func outage() {
        var node = Comings(Self.both)
        node.play([("phone", 0, 100), ("keys", 0, 105)], until: 112)
        node.restart()
        node.play([], from: 2000, until: 4000)
        #expect(node.alerts.isEmpty, "\(node.alerts)")
    }

    @Test("Don't alert for items that left together during hours of the machine's sleep")
    func suspend() {
        var node = Comings(Self.both)
        node.play([("phone", 0, 100), ("keys", 0, 105)], until: 112)
        node.play([], from: 9000, until: 11_000)
        #expect(node.alerts.isEmpty, "\(node.alerts)")
    }

    @Test("Use the exit time of an item's own region")
    func exitAfter() {
        let region = Region(id: "my-keys", members: .item("keys"), exitAfter: .minutes(2))
        var node = Comings(Self.both, regions: [region])
        node.play([("phone", 0, 900), ("keys", 0, 100)], until: 900)
        #expect(node.alerts == ["280 alert gone-keys 1"])
    }

    @Test("Clear an alert after the removal of its rule")
    func removed() {
        var node = Comings(Self.both)
        node.play([("phone", 0, 100), ("keys", 0, 300)], until: 200)
        node.restart([Self.gone])
        node.play([("keys", 0, 300)], from: 210, until: 300)
        #expect(node.alerts == ["170 alert left_behind-keys 1", "210 cleared left_behind-keys removed"])
    }

    @Test("Publish no events or topics for items watched by alerts alone")
    func implicit() {
        var node = Comings(Self.both)
        node.play([("phone", 0, 100), ("keys", 0, 300)], until: 400)
        #expect(node.events.allSatisfy { $0.kind == .alert || $0.kind == .cleared })
        #expect(node.toldRegions.isEmpty)
    }

    @Test("Hold back an alert outside of its hours until they begin")
    func hours() {
        var rule = Self.leftBehind
        rule.hours = DailyHours(from: 600, to: 7200, zone: TimeZoneRules.utc)
        var node = Comings([rule])
        node.play([("phone", 0, 100), ("keys", 0, 1000)], until: 1000)
        #expect(node.alerts == ["600 alert left_behind-keys 1", "900 alert left_behind-keys 2"])
    }
}
