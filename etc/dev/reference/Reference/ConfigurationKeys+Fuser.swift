/// The keys of a fuser's file.
extension ConfigurationPart {
    static let fuser = [
        ConfigurationPart(
            "configuration-fuser",
            [
                .init(
                    "name", "main",
                    "The fuser's id. Of several fusers that are alive the one with the lowest name serves."),
                .init(
                    "topic_prefix", "whereabouts",
                    "The first levels of all topics. Houses that share a broker need a prefix each."),
                .init("items", .words("the registry of the broker alone"), "The [items file](#items-file)."),
                .init(
                    "away_after", "60s",
                    "The silence after which an item is `away`; five of its own intervals where those are longer, 15 min at most. A phone needs at least five minutes."
                ),
                .init(
                    "detect_clones", "true",
                    "Whether the fuser warns of items whose identity [several transmitters](clones.md) send."
                ),
                .init(
                    "shards", "00-ff",
                    "The shards that this fuser serves: items and rooms whose id has a SHA-256 that begins with these bytes. "
                        + "With `shared` the fusers that have it [divide all shards](install.md#a-pool-of-fusers)."
                ),
                .init(
                    "state", .words("nothing outlasts a restart"),
                    "The SQLite database of what outlasts a restart: epoch, kept events, whereabouts, settings, lessons, history."
                ),
                .init(
                    "history", "30d",
                    "How long visits and the events of nodes are kept, or a map of `keep`, `audit` and `postgres`."),
                .init("history.keep", "30d", "How long visits and the events of nodes are kept in `state`."),
                .init("history.audit", "400d", "How long the [audit](audit.md) is kept in `state`: 30 days at least."),
                .init(
                    "history.postgres", .none,
                    "A PostgreSQL that has the [long history](history.md) as well. Needs `state`."),
                .init(
                    "history.postgres.connection", .required,
                    "The connection in libpq's words, such as `host=db.lan dbname=whereabouts user=fuser "
                        + "sslmode=verify-full sslrootcert=/etc/whereabouts/db-ca.pem`, or a URI; without a password."),
                .init(
                    "history.postgres.password_file", .none,
                    "The file of the password, in one line; read again for each connection."),
                .init("history.postgres.keep", "400d", "How long rows are kept in PostgreSQL."),
                log,
            ]),
        ConfigurationPart(
            "configuration-rooms",
            [
                .init("rooms", .words("named by the nodes"), "The rooms of the house."),
                .init("rooms[].id", .required, "The room's id."),
                .init("rooms[].name", .words("the id"), "The name for people."),
                .init("rooms[].floor", .none, "The floor, any text. Places of nodes count within a floor."),
                .init(
                    "rooms[].polygon", .none,
                    "The outline in metres, its corners in order. It has an effect where every room has one and at least three "
                        + "nodes have `x` and `y`."),
                .init("rooms[].next_to", .none, "The rooms that a door leads to."),
                .init("nodes", .words("as the nodes publish"), "The places of nodes, by their ids."),
                .init("nodes.<node>", .none, "The place of the node of this id."),
                .init("nodes.<node>.room", .words("the room that the node publishes"), "The node's room."),
                .init("nodes.<node>.x", .none, "The node's place in metres. `x` and `y` belong together."),
                .init("nodes.<node>.y", .none, "Likewise."),
                .init("nodes.<node>.z", "0", "Likewise, the height. Needs `x` and `y`."),
            ]),
        ConfigurationPart(
            "configuration-persons",
            [
                .init("persons", .none, "Persons, each published like an item; at most 1,000."),
                .init("persons[].id", .required, "The person's id. No item has the same one."),
                .init("persons[].name", .words("the id"), "The name for people."),
                .init(
                    "persons[].items", .required,
                    "The items that the person carries, the most telling first; 1 to 20, each of one person alone."),
                .init(
                    "persons[].must_have", .words("any of `items`"),
                    "The items of which one must be `present` or `quiet` for the person to be at home."),
            ]),
        ConfigurationPart(
            "configuration-fuser-alerts",
            alert("The alerts of the house; at most 100.")
                + pair(
                    "left_behind", "Every companion has left the house, and the item is still here.",
                    companions: "with",
                    .required, "The companions, 1 to 20: items or persons.")
                + pair(
                    "left_home", "No node receives the item any more, and no companion has left.",
                    companions: "unless_with", .none, "The companions, at most 20: items or persons.")
                + [
                    .init("alerts[].in_room", .none, "The item or person is in one of the rooms."),
                    .init("alerts[].in_room.item", .required, "The item or person."),
                    .init("alerts[].in_room.rooms", .required, "The rooms, 1 to 20."),
                    .init("alerts[].not_in_room", .none, "The item or person is in none of the rooms."),
                    .init("alerts[].not_in_room.item", .required, "The item or person."),
                    .init("alerts[].not_in_room.rooms", .required, "The rooms, 1 to 20."),
                    .init("alerts[].not_heard", .none, "No node has received the item for a time, while nodes listen."),
                    .init("alerts[].not_heard.item", .required, "The item or person."),
                    .init("alerts[].not_heard.for", .required, "The time since its last packet."),
                    .init("alerts[].battery_low", .none, "The item's telemetry reports a low voltage."),
                    .init("alerts[].battery_low.item", .required, "The item."),
                    .init(
                        "alerts[].battery_low.below", .required,
                        "The voltage in volts. The alert is cleared 0.1 V above it."),
                    .init(
                        "alerts[].grace", "60s",
                        "The time that the condition must hold. Not with `not_heard` and `battery_low`."),
                ]),
        ConfigurationPart(
            "configuration-fuser-integrations",
            [
                .init("inputs", .none, "The other systems whose readings count."),
                .init("inputs.espresense", "false", "Reads the nodes of ESPresense."),
                .init("inputs.theengs", "false", "Reads Theengs Gateway and OpenMQTTGateway."),
                .init("inputs.mqtt_room", "false", "Reads senders in the form of `mqtt_room`."),
                .init("inputs.raddec", "false", "Reads reelyActive's raddecs."),
                .init("outputs", .none, "The other systems that this fuser publishes for."),
                .init(
                    "outputs.home_assistant", "false",
                    "Publishes Home Assistant's discovery documents of items, persons, rooms and the fuser."),
                .init("outputs.mqtt_room", "false", "Publishes the items' rooms for Home Assistant's `mqtt_room`."),
                .init("home_assistant", .none, "Details of `outputs.home_assistant`."),
                .init("home_assistant.discovery_prefix", "homeassistant", "Home Assistant's discovery prefix."),
                .init(
                    "home_assistant.tracker", "state",
                    "The form of trackers: the state `home` or `not_home` with `zone` as an attribute, or the zone alone."
                ),
                .init("home_assistant.zone", "zone.home", "The entity id of the zone that stands for the house."),
                .init("neighbours", .none, "Details of the inputs and outputs for other systems."),
                .init("neighbours.topics", .none, "The first levels of their topics."),
                .init("neighbours.topics.espresense", .words("`espresense`"), "Those of ESPresense."),
                .init("neighbours.topics.theengs", .words("`home`"), "Those of Theengs Gateway and OpenMQTTGateway."),
                .init("neighbours.topics.mqtt_room", .words("`room_presence`"), "Those of `mqtt_room`."),
                .init("neighbours.topics.raddec", .words("`paretoanywhere`"), "Those of raddecs."),
                .init(
                    "neighbours.aliases", .none,
                    "Items by the names that other systems have for them; at most 4,096. A name has 1 to 128 bytes."),
                .init("neighbours.aliases.<name>", .none, "The id of the item that this name stands for."),
            ] + page),
    ]

    static let items = [
        ConfigurationPart(
            "configuration-items",
            [
                .init("[].id", .required, "The item's id."),
                .init("[].name", .words("the id"), "The name for people."),
                .init("[].tags", .none, "Words by which regions may watch it; at most 16."),
            ] + beacon(under: "[]", isExact: true) + [
                .init(
                    "[].irk_file", .none,
                    "File of an identity resolving key, of a phone or watch. An item has at most one kind of key: `irk_file`, "
                        + "`eid`, `fmdn`, `bthome` or `key`."),
                .init("[].eid", .none, "An Eddystone-EID beacon."),
                .init("[].eid.key_file", .words("`keys` of the agent"), "File of its identity key."),
                .init(
                    "[].eid.rotation_exponent", .words("in the key's file"),
                    "The exponent of its rotation period. `rotation_exponent` and `clock` belong together."),
                .init("[].eid.clock", .words("in the key's file"), "The Unix second at which its counter was 0."),
                .init("[].fmdn", .none, "A tag of Google's Find Hub."),
                .init("[].fmdn.key_file", .words("`keys` of the agent"), "File of its ephemeral identity key."),
                .init("[].fmdn.clock", .words("in the key's file"), "The Unix second at which it was set up."),
                .init("[].bthome", .none, "A BTHome 2 device that encrypts."),
                .init("[].bthome.address", .required, "The device's address."),
                .init("[].bthome.key_file", .words("`keys` of the agent"), "File of its bind key."),
                .init(
                    "[].key", .none,
                    "The kind of its key, whose file is in the folder `keys` of the agent's configuration."),
                .init(
                    "[].expected_interval", .words("learned"),
                    "The time between its advertisements."),
                .init(
                    "[].power", .words("as its frames say"),
                    "Its measured power at one metre, in dBm, in place of the one in its frames."),
            ])
    ]
    /// The keys of the file of sites, beside those of each connection.
    static let sites = ConfigurationPart(
        "configuration-sites",
        [
            .init("[].id", .required, "The site's id."),
            .init("[].name", .words("the id"), "The name for people, 1 to 100 bytes."),
            .init(
                "[].topic_prefix", "whereabouts",
                "The first levels of the site's topics, as in the files of its programs."),
            .init("[].page", .none, "The address of the site's own page, for a link."),
            .init("[].limit", .none, "The bounds on what is kept of the site. What is beyond is left out and counted."),
            .init(
                "[].limit.items", "5000",
                "The most items and persons. All sites of a file together may have 100,000."),
            .init(
                "[].limit.messages_per_second", "500",
                "The most messages a second. Three an item, and 1,000 besides, may come at once at a start."),
        ])

    /// The keys of a connection to a broker that stands in a map at another path.
    static func mqtt(of parent: String) -> ConfigurationPart {
        ConfigurationPart("", mqtt.keys.map { $0.moved(under: parent) })
    }

    private static let page: [ConfigurationKey] = [
        .init("web", .none, "The page; without it there is none. See [the page](page.md)."),
        .init("web.listen", .required, "The address and port to listen on, such as `127.0.0.1:8099`."),
        .init(
            "web.token_file", .words("nobody may sign in"),
            "File with a line `role:token` or `role:user:token` for each token; roles are `viewer`, `operator` and `admin`."
        ),
        .init("web.certificate", .words("plain HTTP"), "File with the certificate, and those above it, in PEM."),
        .init("web.key", .none, "File with the certificate's private key in PEM."),
        .init("web.files", "/usr/share/whereabouts/web", "Folder with the page's own files."),
        .init(
            "web.metrics_items", "false",
            "`true` to have items and persons as labels of `/metrics`: all who read it then see where they are."),
        .init(
            "web.sites", .none,
            "The [file of sites](#file-of-sites): other houses that the page shows. See [Several sites](sites.md)."),
        .init("web.prefix", .none, "The path under which a proxy shows the page, such as `/whereabouts`."),
        .init(
            "web.ingress", .none,
            "Addresses of proxies that sign users in, such as Home Assistant's; at most 8. Their headers "
                + "`X-Remote-User-Name` and `X-Ingress-Path` are believed."),
    ]
}
