/// The topics of nodes.
extension TopicDescription {
    private static let version = PayloadKey("v", "1", "Version of the payload.")
    static let proximities = "`immediate`, `near`, `far`, `unknown`"
    static let regionStates = "`inside`, `outside`, `unknown`"

    static let clock: [PayloadKey] = [
        .init("clock", "", "The node's own clock, while it replays or simulates; else absent."),
        .init("clock.origin", "Unix seconds", "Wall time at which its time was `start`."),
        .init("clock.start", "Unix seconds", "Its time at `origin`."),
        .init("clock.speed", "or `max`", "Seconds of its time in a second of wall time."),
    ]

    static let telemetry: [PayloadKey] = [
        .init("battery_mv", "mV", "Voltage of the battery."),
        .init("temperature_c", "°C", "Temperature."),
        .init(
            "<reading>", "in the name's end",
            "Further readings, numbers and flags, by the names of `whereabouts decode`, such as `humidity_percent`; at most 24."
        ),
    ]

    static let nodeEvent: [PayloadKey] = [
        .init("node", "", "The node."),
        .init("epoch", "", "The epoch in which `seq` counts."),
        .init("seq", "", "Number of the event in its epoch, from 1 without gaps."),
        .init("id", "32 hexadecimal digits", "Name of the event, the same whenever it is published."),
        .init(
            "at", "Unix seconds", "The time at which it was so decided. Of an exit the last packet and the exit time."),
        .init(
            "not_before", "Unix seconds", "The earliest time at which it can have happened. Of an exit the last packet."
        ),
        .init(
            "kind", "`determined`, `enter`, `exit`, `alert`, `cleared`",
            """
            `determined` is a state that was found after a start or on request, and no crossing. `proximity` is reserved: \
            readers accept it, and no node publishes it.
            """),
        .init("region", "", "The region; absent where none is concerned."),
        .init("state", regionStates, "The region's state after the event."),
        .init("beacon", "", "The item, or the canonical id, of the beacon that crossed."),
        .init("alert", "", "Id of the alert; `radio` for the node's radio. Of `alert` and `cleared`."),
        .init("rule", "`left_behind`, `gone`, or a radio's problem", "The kind of alert. Of `alert` and `cleared`."),
        .init("item", "", "The item that the alert is about."),
        .init("count", "", "How often the alert was published, this time included. Of `alert`."),
        .init(
            "reason", "`returned`, `left`, `together`, `removed`, or a radio's rung",
            "Why the alert ended. Of `cleared`."),
        .init("replayed", "`true`", "The event is a repetition that was asked for; else absent."),
    ]

    static var nodes: [TopicDescription] {
        [
            TopicDescription(
                "nodes/<node>/status", qos: 1, retained: true, by: [.node], "Connection of the node.",
                .text("`online` or `offline`. `offline` is the last will as well.")),
            TopicDescription(
                "nodes/<node>/info", qos: 1, retained: true, by: [.node],
                "Description of the node and its settings, on each connection and change.",
                .object(PayloadObject(keys: [version] + info, samples: [.nodeInfo]))),
            TopicDescription(
                "nodes/<node>/scan", qos: 0, retained: false, by: [.node],
                "Sign of life after each interval's windows. It makes silence evidence.",
                .object(PayloadObject(keys: [version] + scan, samples: [.scan]))),
            TopicDescription(
                "nodes/<node>/health", qos: 1, retained: true, by: [.node],
                "Performance of the radio: ten seconds after the start, then once a minute.",
                .object(PayloadObject(keys: [version] + health, samples: [.health]))),
            TopicDescription(
                "windows/<shard>/<beacon>/<node>", qos: 0, retained: false, by: [.node],
                "All that a node received of a beacon in one interval.",
                .object(PayloadObject(keys: [version] + window, samples: PayloadSample.windows))),
            TopicDescription(
                "nodes/<node>/proximity/<beacon>", qos: 1, retained: true, by: [.node],
                "Proximity of a beacon, on change. Cleared after 5 minutes of silence and when the item is removed.",
                .object(
                    PayloadObject(
                        keys: [
                            version, .init("proximity", proximities, "The proximity."),
                            .init("distance", "m", "Distance at the change; absent where it is not known."),
                            .init("since", "Unix seconds", "Time of the change."),
                        ], samples: [.proximity]))),
            TopicDescription(
                "nodes/<node>/regions/<region>", qos: 1, retained: true, by: [.node], "State of a region.",
                .object(PayloadObject(keys: [version] + region, samples: [.region]))),
            TopicDescription(
                "nodes/<node>/events", qos: 1, retained: false, by: [.node],
                "Events of a node, numbered and kept: see [event delivery](event-delivery.md).",
                .object(PayloadObject(keys: [version] + nodeEvent, samples: PayloadSample.nodeEvents))),
            TopicDescription(
                "nodes/<node>/offers/<id>", qos: 1, retained: false, by: [.node],
                "An offer that a reaction makes once a visit of the region or the item `<id>`. Expires after 5 minutes.",
                .text("The text, or the `WIFI:` text of a network with its passphrase.")),
            TopicDescription(
                "nodes/<node>/command", qos: 1, retained: false, by: [.client, .fuser], "Commands to the node.",
                .elsewhere("[Commands to a node](commands.md#commands-to-a-node).")),
            TopicDescription(
                "nodes/<node>/operate/<user>", qos: 1, retained: false, by: [.client],
                "Commands of a user with the [right](../security.md#rights) to operate.",
                .elsewhere("[Commands to a node](commands.md#commands-to-a-node).")),
            TopicDescription(
                "nodes/<node>/administer/<user>", qos: 1, retained: false, by: [.client],
                "Commands of a user with the right to administer.",
                .elsewhere("[Commands to a node](commands.md#commands-to-a-node).")),
            TopicDescription(
                "nodes/<node>/command/result", qos: 1, retained: false, by: [.node],
                "Answers to commands that name no response topic, and entries of the registry that the node refuses.",
                .elsewhere("[Answers](commands.md#answers).")),
        ]
    }

    private static let info: [PayloadKey] =
        [
            .init("version", "", "Version of the program, or of the Debian package that it is from."),
            .init("room", "", "The room in which the node stands."),
            .init("adapter", "`hci0`, `replay` …", "The source of packets."),
            .init("address", "", "Address of the adapter; absent where it has none."),
            .init("features", "", "Features of the controller, such as `extended`."),
            .init("started", "Unix seconds", "Start of the program."),
            .init("epoch", "", "The epoch in which the node's numbers count."),
            .init("settings", "", "Settings in force."),
            .init("settings.window", "s", "Length of an interval."),
            .init("settings.publish", "`registered`, `all`", "The beacons that are published."),
            .init("settings.exit_after", "s", "Silence after which regions are left; absent where it is learned."),
            .init("settings.offset_db", "dB", "Added to every level."),
            .init("settings.overridden", "", "The settings that a `set` command has put over the configuration file."),
            .init("registry", "", "Digest of the registry that the node uses."),
            .init("missing_keys", "", "Items whose key the node lacks; at most 200."),
            .init("missing_keys_left_out", "", "The number of others; absent for none."),
            .init("refused", "", "Entries of the registry that the node does not use; at most 50."),
            .init("refused[].item", "", "The item."),
            .init("refused[].reason", "", "The reason, in words."),
            .init("refused_left_out", "", "The number of others; absent for none."),
            .init(
                "problems", "",
                "Problems, a sentence each, at most eight: denied subscriptions, certificates that expire, and what is wrong with "
                    + "how an item is known (begins with the item's id in `'`). Absent for none."),
        ] + clock + [
            .init("radio", "", "State of the radio; absent for a node without one."),
            .init("radio.state", "`scanning`, `waiting`, `starting`, `recovering`", "State of the scan."),
            .init(
                "radio.problem",
                "`no_adapter`, `adapter_blocked`, `adapter_down`, `no_le`, `not_permitted`, `adapter_held`, `adapter_silent`, "
                    + "`adapter_mute`, `command_refused`, `system_error`",
                "The problem; absent for none."),
            .init("radio.mend", "", "What to do about it, in words."),
            .init("radio.taken_back", "", "How often the scan was taken back from other programs since the start."),
            .init("radio.lost", "", "Events that the kernel dropped since the start."),
            .init("radio.rungs", "", "Recovery attempts since the start, the gentle ones first."),
            .init(
                "radio.rungs[].name", "`reenable`, `parameters`, `reset`, `down_up`, `power`, `bus`", "The attempt."),
            .init("radio.rungs[].tried", "", "How often it was tried."),
            .init("radio.rungs[].helped", "", "How often it helped."),
            .init(
                "espresense", "",
                "The first levels of the topics on which the node publishes for ESPresense; absent where it does not."),
            .init("area", "", "The area of the section `home_assistant`; absent where that names none."),
            .init(
                "status_read_back", "`false`",
                "The broker drops the node's status; else absent."),
            .init("upgrade", "", "The last upgrade by command; absent where no helper is enabled."),
            .init("upgrade.version", "", "The version that was asked for; absent for none since the machine's start."),
            .init("upgrade.before", "", "The agent's package before."),
            .init("upgrade.after", "", "The agent's package after."),
            .init("upgrade.error", "", "The reason if it failed, with apt's last words; else absent."),
            .init("upgrade.at", "Unix seconds", "Its end."),
        ]

    private static let scan: [PayloadKey] =
        [
            .init("from", "Unix seconds", "Begin of the interval."),
            .init("to", "Unix seconds", "End of the interval, which is not part of it."),
            .init("seq", "", "Number of the interval, which its windows have too."),
            .init("windows", "", "Windows that were published under that number."),
            .init("registry", "", "Digest of the registry that the node uses."),
            .init("reports", "", "Advertising reports received."),
            .init("malformed", "", "Reports and events that make no sense; absent for none."),
            .init("beacons", "", "Different beacons received, registered or not."),
            .init("gap_ms", "ms", "Time of the interval in which the node did not scan."),
            .init("dropped", "", "Windows and reports lost to full queues since the start."),
            .init("spooled", "", "Messages that wait for the broker."),
            .init("epoch", "", "The node's epoch."),
            .init("last_event", "", "Number of the node's last event in this epoch; 0 before the first."),
        ] + clock

    private static let health: [PayloadKey] = [
        .init("from", "Unix seconds", "Begin of the time."),
        .init("to", "Unix seconds", "End of the time."),
        .init("reports_per_s", "1/s", "Advertising reports a second."),
        .init("gap", "0 to 1", "Share of the time in which the node did not scan."),
        .init("malformed", "", "Reports and events that made no sense in that time."),
        .init("dropped", "", "Windows and reports lost to full queues in that time."),
        .init("spooled", "", "Messages that waited for the broker at its end."),
    ]

    private static let window: [PayloadKey] =
        [
            .init("seq", "", "Number of the node's interval in its epoch."),
            .init("from", "Unix seconds", "Begin of the interval, a multiple of its length."),
            .init("to", "Unix seconds", "End of the interval, which is not part of it."),
            .init("node", "", "The node."),
            .init("epoch", "", "The node's epoch, in which `seq` counts."),
            .init("id", "", "The beacon's canonical id."),
            .init("item", "", "The item that the beacon is; absent for others."),
            .init("count", "", "Reports with the frame that gives the id."),
            .init("expected", "", "Reports to be expected by the learned cadence; absent until that is known."),
            .init("rssi", "", "Levels of these reports; absent where none had one."),
            .init("rssi.mean", "dBm", "Mean."),
            .init("rssi.median", "dBm", "Median."),
            .init("rssi.min", "dBm", "Weakest."),
            .init("rssi.max", "dBm", "Strongest."),
            .init("rssi.sd", "dB", "Standard deviation; absent for fewer than two."),
            .init("power", "dBm", "Measured power at one metre; absent where it is not known."),
            .init(
                "address_returns", "",
                "How often an address sent the frame again after another one had; absent for never, and for keys."),
            .init("distance", "", "Distance; absent where levels or power are not known."),
            .init("distance.m", "m", "Estimate."),
            .init("distance.low", "m", "Lower end of the span in which two of three true distances lie."),
            .init("distance.high", "m", "Its upper end."),
            .init("proximity", proximities, "The proximity."),
            .init("telemetry", "", "Readings that came with it; absent for none."),
        ] + PayloadKey.nested("telemetry", telemetry) + [
            .init("url", "", "The URL of an Eddystone-URL frame of the same transmitter; absent for none."),
            .init(
                "class", "",
                "Kind of transmitter, such as `apple_nearby`, of one that is known by its address alone and is no item; else "
                    + "absent."),
        ]

    private static let region: [PayloadKey] = [
        .init("state", regionStates, "The state."),
        .init("since", "Unix seconds", "Begin of this state; absent while it is unknown."),
        .init("determined_at", "Unix seconds", "The last time that it was determined; absent before the first."),
        .init("count", "", "Beacons inside."),
        .init("beacons", "", "The first 100 of them, by item or canonical id."),
        .init("exit_after", "s", "Silence after which the region is left."),
        .init(
            "problem", "`cadence_too_slow`",
            "A beacon is so slow that its exit takes longer than three minutes; absent for none."),
        .init("alerts", "", "Of a region of one item: standing alerts about it; absent for none."),
    ]
}
