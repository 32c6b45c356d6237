/// The keys of an agent's file.
extension ConfigurationPart {
    static let agent = [
        ConfigurationPart(
            "configuration-agent",
            [
                .init("node", .required, "The node's id."),
                .init("room", .words("the node's id"), "The id of the room in which the node stands."),
                .init(
                    "source", "hci:auto",
                    "The source of packets: `hci:auto`, `hci:hci0`, `hci:` and an adapter's address, `replay:FILE[,FILE…]`, "
                        + "`replay:-` or `simulate:SCENARIO`."),
                .init(
                    "topic_prefix", "whereabouts",
                    "The first levels of all topics. Houses that share a broker need a prefix each."),
                .init(
                    "window", "1s",
                    "The length of an interval. Intervals begin at multiples of it on the clock."),
                .init(
                    "publish", "registered",
                    "The beacons whose windows are published: items and beacons of regions, or all."),
                .init("offset_db", "0", "Decibels added to every level that the adapter reports."),
                .init("items", .words("the registry of the broker alone"), "The [items file](#items-file)."),
                .init(
                    "keys", .none,
                    "Folder of items' keys: the file `<item>.<kind>`, such as `phone.irk`. `credential:NAME` is a folder of "
                        + "systemd's credentials."),
                .init(
                    "state", .words("nothing outlasts a restart"),
                    "The SQLite database of what outlasts a restart: epoch, kept events, regions, settings, the registry."
                ),
                log,
            ]),
        ConfigurationPart(
            "configuration-radio",
            [
                .init("radio", .none, "How the adapter listens."),
                .init(
                    "radio.scan", "passive",
                    "`active` requests scan responses, which costs the beacons' batteries."),
                .init(
                    "radio.interval", "100ms", "The time after which the scan goes on to the next advertising channel."),
                .init(
                    "radio.duty", "100",
                    "The share of the interval in which the adapter listens, in per cent."),
                .init(
                    "radio.phy", "1m",
                    "`1m+coded` listens to LE Coded as well where the controller can, each half of the time."),
                .init("radio.channel", "shared", "`user` takes the adapter for the agent alone."),
            ]),
        ConfigurationPart(
            "configuration-regions",
            [
                .init("regions", .none, "The regions that the node watches; at most 10,000."),
                .init("regions[].id", .required, "The region's id."),
                .init("regions[].name", .words("the id"), "The name for people."),
            ] + beacon(under: "regions[]", isExact: false) + [
                .init("regions[].item", .none, "Identity: an item, by its id."),
                .init("regions[].tag", .none, "Identity: all items with this tag."),
                .init(
                    "regions[].eddystone_url", .none,
                    "Identity: Eddystone-URL. A region has exactly one identity: `ibeacon`, `altbeacon`, `eddystone_uid`, "
                        + "`address`, `item`, `tag` or this."),
                .init("regions[].eddystone_url.url", .none, "The whole URL. One of `url` and `prefix`."),
                .init("regions[].eddystone_url.prefix", .none, "The URL's beginning."),
                .init(
                    "regions[].exit_after", .words("learned from the beacon's cadence, at least 10 s"),
                    "The silence after which the region is left."),
                .init("regions[].notify_on_entry", "true", "`false` publishes no `enter` events."),
                .init("regions[].notify_on_exit", "true", "`false` publishes no `exit` events."),
                .init(
                    "regions[].on_determined", .none,
                    "[Reactions](#reactions) to a state that is determined after a start or on request; at most 10."),
                .init("regions[].on_enter", .none, "Reactions to an entry."),
                .init("regions[].on_exit", .none, "Reactions to an exit."),
            ]),
        ConfigurationPart(
            "configuration-agent-alerts",
            alert("The alerts of this node; at most 100. They concern what this node receives.")
                + pair(
                    "left_behind", "Every companion has left, and the item is still here.", companions: "with",
                    .required,
                    "The companions, 1 to 20.")
                + pair(
                    "gone", "The item has left, and no companion has.", companions: "unless_with", .none,
                    "The companions, at most 20.")
                + [
                    .init(
                        "alerts[].grace", "60s",
                        "The time after an exit in which whoever leaves counts as leaving together.")
                ]),
        ConfigurationPart(
            "configuration-agent-reactions",
            [
                .init("reactions", .none, "Reactions to the coming and going of items; at most 1,000 items."),
                .init("reactions[].item", .required, "The item."),
                .init(
                    "reactions[].on_determined", .none,
                    "[Reactions](#reactions) to a state that is determined after a start or on request; at most 10."),
                .init("reactions[].on_enter", .none, "Reactions to an entry."),
                .init("reactions[].on_exit", .none, "Reactions to an exit."),
            ]),
        ConfigurationPart(
            "configuration-agent-integrations",
            [
                .init("outputs", .none, "The other systems that this node publishes for."),
                .init("outputs.home_assistant", "false", "Publishes Home Assistant's discovery documents of the node."),
                .init("outputs.espresense", "false", "Publishes windows as ESPresense's nodes do."),
                .init("outputs.mqtt_room", "false", "Publishes windows for Home Assistant's `mqtt_room`."),
                .init("home_assistant", .none, "Details of `outputs.home_assistant`."),
                .init("home_assistant.discovery_prefix", "homeassistant", "Home Assistant's discovery prefix."),
                .init(
                    "home_assistant.area", .words("made of the room's id"), "The area that is suggested for the node."),
                .init("neighbours", .none, "Details of the outputs for other systems."),
                .init("neighbours.topics", .none, "The first levels of their topics."),
                .init("neighbours.topics.espresense", .words("`espresense`"), "Those of ESPresense."),
                .init("neighbours.topics.mqtt_room", .words("`room_presence`"), "Those of `mqtt_room`."),
            ] + web),
    ]
}
