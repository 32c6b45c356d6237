/// The topics of items, rooms, lessons and fusers.
extension TopicDescription {
    private static let version = PayloadKey("v", "1", "Version of the payload.")
    static let itemStates = "`present`, `quiet`, `away`, `unknown`"

    /// The payload of a person's item.
    static func personReason(_ parent: String) -> [PayloadKey] {
        [
            .init("\(parent).item", "", "Of a person: the item."),
            .init("\(parent).state", itemStates, "Of a person: the item's state."),
            .init("\(parent).room", "", "Of a person: the item's room; absent while it is away or unknown."),
            .init("\(parent).left_behind", "`true`", "Of a person: the item was left behind; else absent."),
        ]
    }

    /// All topics under the prefix.
    public static var all: [TopicDescription] { nodes + items + fusers }

    static var items: [TopicDescription] {
        [
            TopicDescription(
                "items/<item>/config", qos: 1, retained: true, by: [.client, .fuser],
                "Entry of the registry, or its removal.",
                .object(PayloadObject(keys: [version] + config, samples: PayloadSample.itemConfigs))),
            TopicDescription(
                "items/<item>/location", qos: 1, retained: true, by: [.fuser],
                "Place of an item or a person, with the reason: on change, and every 2 s to 5 min.",
                .object(PayloadObject(keys: [version] + location, samples: PayloadSample.locations))),
            TopicDescription(
                "items/<item>/room", qos: 1, retained: true, by: [.fuser], "Room of an item or a person.",
                .text("The room's id, `away` or `unknown`.")),
            TopicDescription(
                "items/<item>/events", qos: 1, retained: false, by: [.fuser],
                "Events of an item or a person, numbered and kept: see [event delivery](event-delivery.md).",
                .object(PayloadObject(keys: [version] + event, samples: PayloadSample.itemEvents))),
            TopicDescription(
                "items/<item>/alert", qos: 1, retained: true, by: [.fuser],
                "Standing alerts of the house about an item or a person. Cleared when there are none.",
                .object(PayloadObject(keys: [version] + alert, samples: [.itemAlerts]))),
            TopicDescription(
                "items/<item>/telemetry", qos: 1, retained: true, by: [.fuser],
                "Last readings of the item's beacon, from whatever node: at most once a minute, but for a change of 50 mV or 1 °C, "
                    + "a new reading, or a flag that changes.",
                .object(
                    PayloadObject(
                        keys: [version] + telemetry + [
                            .init("at", "Unix seconds", "Time of the readings."),
                            .init("node", "", "The node that received them."),
                        ], samples: [.itemTelemetry]))),
            TopicDescription(
                "items/<item>/battery", qos: 1, retained: true, by: [.fuser],
                "When the item's battery is to be changed, once it has said anything of it: see [batteries](../batteries.md). On "
                    + "change, and once an hour at most while its level falls.",
                .object(PayloadObject(keys: [version] + battery, samples: [.itemBattery]))),
            TopicDescription(
                "rooms/<room>/occupancy", qos: 1, retained: true, by: [.fuser], "Items and persons in a room.",
                .object(
                    PayloadObject(
                        keys: [
                            version,
                            .init("count", "", "How many there are; a person counts as one with the items carried."),
                            .init("items", "", "Ids of the items and persons."),
                            .init("persons", "", "Those of them that are persons; absent for none."),
                        ], samples: [.occupancy]))),
            TopicDescription(
                "lessons/<lesson>", qos: 1, retained: true, by: [.fuser],
                "A lesson, as fusers share it; at most 1 MiB. `<lesson>` is the item, `-`, and the milliseconds of `taught_at`.",
                .object(PayloadObject(keys: [version] + lesson, samples: PayloadSample.lessons))),
            TopicDescription(
                "house/plan", qos: 1, retained: true, by: [.fuser, .client],
                "The plan that people drew of the house; the highest `rev` is in force. At most 512 kB.",
                .object(
                    PayloadObject(
                        keys: [
                            version,
                            .init(
                                "rev", "1, 2 …", "The number of the change. Of two with one number the later counts."),
                            .init("at", "Unix seconds", "Time of the change."),
                            .init("by", "", "The user that made it."),
                            .init("floors", "", "The floors, 64 at most."),
                            .init("floors[].id", "", "Its id."),
                            .init("floors[].name", "", "Its name; absent for none."),
                            .init("floors[].picture", "", "`true` if it has a picture on `house/pictures/<floor>`."),
                            .init("floors[].metres", "m", "Width and height of its picture; absent without a scale."),
                            .init("rooms", "", "The rooms, 1,024 at most."),
                            .init("rooms[].id", "", "Its id."),
                            .init("rooms[].name", "", "Its name; absent for none."),
                            .init("rooms[].floor", "", "Its floor, one of `floors`; absent for none."),
                            .init(
                                "rooms[].polygon", "m",
                                "Its corners in order, each `[x, y]` from the top left of the floor; 1,000 at most."),
                            .init("doors", "", "Doors, each the two rooms that it joins."),
                            .init("nodes", "", "Nodes that have a place, 1,024 at most."),
                            .init("nodes[].id", "", "Its id."),
                            .init("nodes[].x", "m", "To the right."),
                            .init("nodes[].y", "m", "Down."),
                            .init("nodes[].z", "m", "Up."),
                        ], samples: [.housePlan]))),
            TopicDescription(
                "house/pictures/<floor>", qos: 1, retained: true, by: [.fuser, .client], "The picture of a floor.",
                .elsewhere("A PNG, JPEG or WebP file, 900,000 bytes at most.")),
            TopicDescription(
                "fleet/rollout", qos: 1, retained: true, by: [.client],
                "The rollout of settings or of a version that runs, or that was interrupted: see [fleet](../fleet.md). Renewed every 5 s; "
                    + "cleared at its end. At most 1 MiB.",
                .object(PayloadObject(keys: [version] + rollout, samples: [.rollout]))),
        ]
    }

    private static var rollout: [PayloadKey] {
        [
            .init("id", "", "Its id."),
            .init("by", "", "The user that runs it."),
            .init("host", "", "The name of the machine that it runs on."),
            .init("from", "Unix seconds", "Its begin."),
            .init("until", "Unix seconds", "It counts as interrupted from then on, unless it is renewed."),
            .init("version", "", "The version that it installs; absent for settings."),
            .init("nodes", "", "The nodes whose settings it has changed, 5,000 at most."),
            .init("nodes[].node", "", "The node."),
            .init("nodes[].before", "", "The `set` that gives it back what it had; `null`: the value of its file."),
            .init("nodes[].before.window", "s", "Length of an interval."),
            .init("nodes[].before.publish", "`registered`, `all`", "Beacons that it publishes."),
            .init("nodes[].before.exit_after", "s", "Silence after which it leaves a region."),
            .init("nodes[].before.offset_db", "dB", "Added to every level."),
            .init("fusers", "", "The fusers whose settings it has changed, 256 at most; absent for none."),
            .init("fusers[].fuser", "", "The fuser."),
            .init("fusers[].before", "", "The `set` that gives it back what it had; `null`: the value of its file."),
            .init("fusers[].before.away_after", "s", "Silence after which something is `away`."),
            .init("fusers[].before.detect_clones", "", "Whether it warns of clones."),
        ]
    }

    static var fusers: [TopicDescription] {
        [
            TopicDescription(
                "fuser/<fuser>/status", qos: 1, retained: true, by: [.fuser], "Connection of the fuser.",
                .text("`online` or `offline`. `offline` is the last will as well.")),
            TopicDescription(
                "fuser/<fuser>/claim", qos: 1, retained: false, by: [.fuser],
                "Sign of life of a fuser and its role: every 3 s, on change, and beside others before each decision.",
                .object(PayloadObject(keys: [version] + claim, samples: [.claim]))),
            TopicDescription(
                "fuser/<fuser>/command", qos: 1, retained: false, by: [.client], "Commands to the fuser.",
                .elsewhere("[Commands to a fuser](commands.md#commands-to-a-fuser).")),
            TopicDescription(
                "fuser/<fuser>/operate/<user>", qos: 1, retained: false, by: [.client, .fuser],
                "Commands of a user with the [right](../security.md#rights) to operate, and requests of other fusers "
                    + "(`peer-<name>`), which may be `replay` alone.",
                .elsewhere("[Commands to a fuser](commands.md#commands-to-a-fuser).")),
            TopicDescription(
                "fuser/<fuser>/administer/<user>", qos: 1, retained: false, by: [.client],
                "Commands of a user with the right to administer.",
                .elsewhere("[Commands to a fuser](commands.md#commands-to-a-fuser).")),
            TopicDescription(
                "fuser/<fuser>/command/result", qos: 1, retained: false, by: [.fuser],
                "Answers to commands that name no response topic.", .elsewhere("[Answers](commands.md#answers).")),
            TopicDescription(
                "replies/<client>", qos: 1, retained: false, by: [.node, .fuser, .client],
                "Answers to the commands of a client that names this as its response topic. Expire after 60 s.",
                .elsewhere("[Answers](commands.md#answers).")),
        ]
    }

    private static let config: [PayloadKey] = [
        .init("id", "", "The item."),
        .init("name", "", "Name for people."),
        .init("tags", "", "Words by which regions may watch it."),
        .init("ibeacon", "", "Identity: iBeacon."),
        .init("ibeacon.uuid", "", "UUID."),
        .init("ibeacon.major", "", "Major number."),
        .init("ibeacon.minor", "", "Minor number."),
        .init("altbeacon", "", "Identity: AltBeacon."),
        .init("altbeacon.uuid", "", "UUID."),
        .init("altbeacon.major", "", "Major number."),
        .init("altbeacon.minor", "", "Minor number."),
        .init("eddystone_uid", "", "Identity: Eddystone-UID."),
        .init("eddystone_uid.namespace", "20 hexadecimal digits", "Namespace."),
        .init("eddystone_uid.instance", "12 hexadecimal digits", "Instance."),
        .init("address", "", "Identity: a device address."),
        .init(
            "key", "`irk`, `eid`, `fmdn`, `bthome`",
            "Kind of key by which it is known. The key itself is in files of the nodes, never in a payload."),
        .init("expected_interval", "s", "Time between its advertisements."),
        .init("power", "dBm", "Measured power at one metre, in place of the one in its frames."),
        .init(
            "at", "Unix seconds",
            "Time of writing. Of two entries the later one counts. An entry without it counts as written when it arrives."
        ),
        .init(
            "removed", "Unix seconds",
            "The item was removed at this time; then no other key but `v`, `id` and `by` is there."),
        .init(
            "by", "`user@host`",
            "The author, for the [audit](../audit.md), as the tool and the page name it; absent where another wrote."),
    ]

    private static let location: [PayloadKey] =
        [
            .init("fuser", "", "The fuser that publishes it."),
            .init("person", "`true`", "It is a person's; else absent."),
            .init("name", "", "Of a person: the name."),
            .init(
                "state", itemStates,
                "`quiet`: not received for 10 s, or five of its own intervals, while nodes listen. `away`: not received for "
                    + "`away_after`, or five of its own intervals. `unknown`: no node listens."),
            .init("room", "", "The room; absent while away or unknown."),
            .init("confidence", "0 to 1", "Probability that the answer is right."),
            .init("since", "Unix seconds", "Begin of this answer."),
            .init("previous", "", "The room before this one; absent for none."),
            .init("at", "Unix seconds", "Time of the packets that decided last."),
            .init(
                "heard", "Unix seconds", "Its last packet; published at least every five minutes while it is received."),
            .init("item_seq", "", "Number of the item's last event; absent before the first."),
            .init("reason", "", "What decided, the strongest first."),
            .init("reason[].node", "", "The node."),
            .init(
                "reason[].weight", "natural logarithm of odds", "What the node adds for the room against the next one."),
            .init("reason[].level", "dBm", "The level that it received; absent where it received nothing."),
        ] + personReason("reason[]") + [
            .init("rooms", "", "Probability of each room."),
            .init("rooms.<room>", "0 to 1", "That of one room, by its id."),
            .init("distances", "", "Distance from each node that measured it in the last minute with a packet."),
            .init("distances.<node>", "m", "That from one node, by its id."),
        ]

    private static let event: [PayloadKey] = [
        .init("fuser", "", "The fuser that publishes it."),
        .init("epoch", "", "The fuser's epoch, in which `seq` counts."),
        .init("seq", "", "Number of the event in its epoch, from 1 without gaps."),
        .init("item_seq", "", "Number of the event among the item's, from 1 without gaps, over all fusers."),
        .init("id", "32 hexadecimal digits", "Name of what happened. Two fusers publish one move under one id."),
        .init("at", "Unix seconds", "The time at which it was so decided."),
        .init("not_before", "Unix seconds", "The earliest time at which it can have happened."),
        .init(
            "kind", "`moved`, `arrived`, `left`, `alert`, `cleared`",
            "`moved` from room to room, `arrived` from away, `left` to away."),
        .init("room", "", "The room after it; absent once it has left."),
        .init("previous", "", "The room before it; absent where it was away."),
        .init("alert", "", "Id of the alert. Of `alert` and `cleared`."),
        .init(
            "rule", "`left_behind`, `left_home`, `in_room`, `not_in_room`, `not_heard`, `battery_low`, `cloned`",
            "The kind of alert. Of `alert` and `cleared`."),
        .init("count", "", "How often the alert was published, this time included. Of `alert`."),
        .init("evidence", "", "The evidence in words and figures. Of an `alert` of the rule `cloned`."),
        .init(
            "reason", "`over`, `returned`, `left`, `together`, `removed`", "Why the alert ended. Of `cleared`."),
        .init("replayed", "`true`", "The event is a repetition that was asked for; else absent."),
    ]

    private static let alert: [PayloadKey] = [
        .init("fuser", "", "The fuser that publishes it."),
        .init("since", "Unix seconds", "Begin of the oldest."),
        .init("alerts", "", "Standing alerts, in the order of the rules."),
        .init("alerts[].alert", "", "Id of the alert."),
        .init("alerts[].rule", "", "Kind of the alert, as in events."),
        .init("alerts[].since", "Unix seconds", "Begin."),
        .init("alerts[].count", "", "How often it was published."),
        .init("alerts[].evidence", "", "The evidence in words and figures, of `cloned`; else absent."),
    ]

    private static let battery: [PayloadKey] = [
        .init("fuser", "", "The fuser that publishes it."),
        .init(
            "grade", "`change_now`, `this_week`, `this_month`, `fine`, `unknown`", "How urgent a change is."),
        .init(
            "reason",
            "`empty`, `low`, `falling`, `slower`, `silent`, `steady`, `new`, `stale`, `no_readings`, `other_cell`",
            "Why."),
        .init(
            "battery_mv", "mV",
            "The better level of the last two days, at 20 °C where the item sends its temperature; absent "
                + "where it sends no voltage."),
        .init("battery_percent", "%", "The same where it sends a charge and no voltage."),
        .init("days", "d", "How long it lasts; absent without a trend."),
        .init("days_low", "d", "Lower end of the range in which about four of five batteries end."),
        .init("days_high", "d", "Upper end."),
        .init("cell", "`cr2032`, `2xaa`, `percent`", "The kind of battery that is assumed."),
        .init("since", "Unix seconds", "First reading of this battery."),
        .init(
            "silent_since", "Unix seconds", "Last packet of an item that fell silent after a low level; else absent."),
        .init("until", "Unix seconds", "Begin of the last day of `levels`, in UTC."),
        .init(
            "levels", "mV or %", "The level of each day, the oldest first, at most 120; 0 for a day without a reading."),
    ]

    private static let lesson: [PayloadKey] = [
        .init("id", "", "Number of the lesson with the fuser that was taught."),
        .init("item", "", "The item that was carried."),
        .init("room", "", "The room that was taught."),
        .init("walk", "", "The walk that it is a part of; absent for none."),
        .init("taught_at", "µs since 1970", "Wall time of its end."),
        .init("from", "µs since 1970", "Begin, on the clock of the house."),
        .init("to", "µs since 1970", "End, on the clock of the house."),
        .init("nodes", "", "The nodes that received or listened."),
        .init("nodes[].id", "", "The node."),
        .init("nodes[].address", "", "Address of its adapter; absent where it had none."),
        .init("nodes[].room", "", "Its room; absent where that was not known."),
        .init("nodes[].offset_db", "dB", "What it added to its levels."),
        .init("sets", "places in `nodes`", "The sets of nodes that listened, each once."),
        .init(
            "hops", "",
            "The intervals: each end in ms after `from`, the place of its set in `sets`, and for each node that received its "
                + "place in `nodes`, the mean level in hundredths of dBm, and the packets."),
        .init("undone", "`true`", "The lesson counts no more; then no other keys but `v` and `undone_at` are there."),
        .init("undone_at", "Unix seconds", "Time of that. 30 days later the topic is cleared."),
    ]

    private static let claim: [PayloadKey] = [
        .init("shards", "`00-ff`", "The shards that it serves."),
        .init(
            "state", "`serving`, `standby`, `starting`",
            "Its role. Of the fusers that are alive and not `starting` the one with the lowest name serves; in a pool each member "
                + "serves its part."),
        .init("epoch", "", "The fuser's epoch."),
        .init("last_event", "", "Number of the fuser's last event in this epoch; 0 before the first."),
        .init("seq", "", "Number of the claim in the fuser's run."),
        .init(
            "version", "", "The program's version; of one that was installed from a Debian package that of the package."
        ),
        .init("settings", "", "The settings that `set` can change; absent from a fuser that takes no `set`."),
        .init("settings.away_after", "s", "Silence after which an item is `away`."),
        .init("settings.detect_clones", "", "Whether it warns of items whose identity several transmitters send."),
        .init("settings.overridden", "", "Those that a `set` command has put over the configuration file."),
        .init(
            "ready", "64 hexadecimal digits",
            "The shards for which a member of a pool has followed for long enough, a bit each, `00` the highest bit of the "
                + "first digit; absent outside a pool."),
        .init(
            "serves", "64 hexadecimal digits",
            "The shards that a member of a pool serves, or begins to serve when this claim has come back to it; absent outside a "
                + "pool."),
        .init("teaching", "", "Items whose lessons are under way, at most 16; absent for none."),
        .init("problems", "", "What keeps it from its work, a sentence each, at most eight; absent for none."),
        .init("neighbours", "", "Counts of other systems' nodes; absent where it reads none."),
        .init("neighbours.nodes", "", "Nodes that have a place now."),
        .init("neighbours.strangers", "", "Readings of beacons that are no items, since the start."),
        .init("neighbours.left_out", "", "Readings and names left out for want of room, since the start."),
        .init("neighbours.let_go", "", "Silent nodes that made room for new ones, since the start."),
    ]
}
