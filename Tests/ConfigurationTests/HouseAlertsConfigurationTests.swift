import Alerts
import Configuration
import Testing

/// The section `alerts` of a fuser's file.
@Suite struct HouseAlertsConfigurationTests {
    private static func load(_ text: String) throws -> FuserConfiguration {
        try FuserConfiguration.load(text: "mqtt: {url: 'mqtt://h'}\n" + text, file: "f")
    }

    @Test("Read the values of each kind of rule")
    func values() throws {
        let alerts = try Self.load(
            """
            alerts:
              - left_home: {item: keys, unless_with: [phone]}
              - left_behind: {item: keys, with: [phone]}
                grace: 90s
              - in_room: {item: cat, rooms: [office, lab]}
                repeat: 10m
              - not_in_room: {item: grandma, rooms: [bed]}
                id: wanders
              - not_heard: {item: cat, for: 1d}
              - battery_low: {item: keys, below: 2.45}

            """
        ).alerts
        #expect(alerts.map(\.kind) == AlertRule.Kind.ofHouses)
        #expect(
            alerts.map(\.id) == [
                "left_home-keys", "left_behind-keys", "in_room-cat", "wanders", "not_heard-cat", "battery_low-keys",
            ])
        #expect(alerts.map(\.companions) == [["phone"], ["phone"], [], [], [], []])
        #expect(alerts.map(\.rooms) == [[], [], ["office", "lab"], ["bed"], [], []])
        #expect(alerts.map(\.grace) == [60, 90, 60, 60, 86_400, 0].map { Duration.seconds($0) })
        #expect(alerts[2].interval == .seconds(600) && alerts[5].limit == 2450)
    }

    @Test(
        "Report faults with their positions",
        arguments: [
            (
                "alerts: [{gone: {item: keys}}]\n",
                "f:2:11: unknown key 'gone'"
            ),
            ("alerts: [{in_room: {item: cat}}]\n", "f:2:20: 'rooms' is missing"),
            ("alerts: [{in_room: {item: cat, rooms: []}}]\n", "f:2:39: expected at least one room"),
            (
                "rooms: [{id: office}]\nalerts: [{in_room: {item: cat, rooms: [offce]}}]\n",
                "f:3:40: there is no room 'offce'; did you mean 'office'?"
            ),
            ("alerts: [{not_heard: {item: cat, for: 1s}}]\n", "f:2:39: expected a duration from 10s to 365d"),
            ("alerts: [{battery_low: {item: cat, below: 2400}}]\n", "f:2:43: expected a number from 0.5 to 20"),
            (
                "alerts: [{battery_low: {item: cat, below: 2.4}, grace: 5s}]\n",
                "f:2:49: 'battery_low' takes no 'grace'"
            ),
        ])
    func faults(_ text: String, _ words: String) {
        #expect {
            _ = try Self.load(text)
        } throws: { error in
            "\(error)".contains(words)
        }
    }
}
