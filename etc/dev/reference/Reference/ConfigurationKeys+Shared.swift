/// Keys that the files of agents and fusers have in common.
extension ConfigurationPart {
    static let mqtt = ConfigurationPart(
        "configuration-mqtt",
        [
            .init(
                "mqtt", .required,
                "The connection to the broker."),
            .init(
                "mqtt.url", .required,
                "The broker's URL: `mqtt://` without TLS (port 1883), `mqtts://` with TLS (port 8883). Not beside `urls`."
            ),
            .init(
                "mqtt.urls", .none,
                "In place of `url`: 1 to 4 URLs, tried in turn. The variable takes them with commas between."),
            .init("mqtt.username", .none, "The user's name at the broker."),
            .init(
                "mqtt.password_file", .none,
                "File with the user's password in its first line. Needs `username`."),
            .init(
                "mqtt.client_id", .words("`whereabouts-agent-<node>` or `whereabouts-fuser-<name>`"),
                "The MQTT client id, at most 128 bytes. The default has a dot and the prefix behind it where `topic_prefix` is "
                    + "not `whereabouts`."),
            .init(
                "mqtt.keepalive", "30s",
                "The longest silence on the connection, in whole seconds, before it is probed."),
            .init(
                "mqtt.ca_file", .words("the system's authorities"),
                "PEM file of the certificate authorities to trust. The certificate must be for the host in `url`."),
            .init(
                "mqtt.crl_file", .none,
                "PEM file of certificate revocation lists. One must be by the issuer of the broker's certificate."),
            .init(
                "mqtt.fingerprint", .none,
                "In place of an authority: the SHA-256 fingerprint of the broker's certificate, or a list of up to 8. Host and "
                    + "dates are not checked then."),
            .init(
                "mqtt.certificate_file", .none,
                "PEM file of this client's certificate, with intermediate certificates behind it. Needs `key_file`."),
            .init("mqtt.key_file", .none, "PEM file of that certificate's private key. Needs `certificate_file`."),
            .init(
                "mqtt.key_passphrase_file", .none,
                "File with the passphrase of an encrypted `key_file`."),
            .init(
                "mqtt.psk_identity", .none,
                "In place of certificates: the name of a key that client and broker share (TLS-PSK), at most 127 bytes. Needs "
                    + "`psk_file`."),
            .init("mqtt.psk_file", .none, "File with that key in 32 to 512 hexadecimal digits."),
        ])

    /// The keys of one reaction: an element of `on_determined`, `on_enter` or `on_exit`.
    static let reaction = ConfigurationPart(
        "configuration-reaction",
        [
            .init(
                "publish", .none,
                "Publishes a message with QoS 1. A reaction has one of `publish`, `run` and `offer`."),
            .init(
                "publish.topic", .required,
                "The whole topic, outside `topic_prefix`. `{kind}` and the id of the subject, `{item}` or `{region}`, are "
                    + "replaced."),
            .init(
                "publish.payload", .required,
                "The payload, at most 4096 bytes. `{item}`, `{region}`, `{kind}`, `{state}` and `{at}` are replaced."),
            .init("publish.retained", "false", "`true` publishes the message retained."),
            .init(
                "run", .none,
                "Runs a program without a shell: its absolute path, or its name in `/usr/local/bin:/usr/bin:/bin`, and its "
                    + "arguments (64 words at most). Placeholders are replaced as in a payload."),
            .init("timeout", "10s", "The time after which that program is ended."),
            .init(
                "offer", .none,
                "Offers a text or a Wi-Fi network once a visit, on `nodes/<node>/offers/<id>` or to a program."),
            .init("offer.text", .none, "The text that is offered, at most 4096 bytes. One of `text` and `wifi`."),
            .init("offer.wifi", .none, "The network that is offered, as a `WIFI:` text."),
            .init("offer.wifi.ssid", .required, "The network's name, 1 to 32 bytes."),
            .init(
                "offer.wifi.passphrase_file", .words("an open network"),
                "File with the passphrase in its first line, read when the offer is made."),
            .init("offer.wifi.hidden", "false", "`true` for a network that does not announce its name."),
            .init(
                "via", .words("`topic`"),
                "The way of an offer: over the topic, or to the standard input of the program in `run`."),
        ])

    /// The keys of an alert that do not depend on its kind.
    static func alert(_ meaning: String) -> [ConfigurationKey] {
        [
            .init("alerts", .none, meaning),
            .init(
                "alerts[].id", .words("the kind and the item, such as `gone-keys`"),
                "The alert's id. It must be the only one of that name."),
            .init(
                "alerts[].repeat", .words("published once"),
                "The interval after which a standing alert is published again."),
            .init(
                "alerts[].at_most", .words("until it is cleared or silenced"),
                "The most times that it is published. Needs `repeat`."),
            .init(
                "alerts[].hours", .words("at any time"),
                "The hours of the day in which it is published. What falls outside of them is published when they begin, if it "
                    + "still stands."),
            .init("alerts[].hours.from", .required, "The beginning, `\"HH:MM\"`."),
            .init(
                "alerts[].hours.to", .required, "The end, `\"HH:MM\"`; before the beginning for a span over midnight."),
            .init("alerts[].hours.zone", .words("the machine's zone"), "The time zone, such as `Europe/Vienna`."),
        ]
    }

    /// The keys of a pair of an item and its companions.
    static func pair(
        _ kind: String, _ meaning: String, companions: String, _ standard: ConfigurationKey.Default,
        _ which: String
    ) -> [ConfigurationKey] {
        [
            .init("alerts[].\(kind)", .none, meaning),
            .init("alerts[].\(kind).item", .required, "The item."),
            .init("alerts[].\(kind).\(companions)", standard, which),
        ]
    }

    static let log = ConfigurationKey(
        "log", "text",
        "The form of the log: lines for the journal and for people, or lines of JSON (`at`, `level`, `text`).")

    static let web: [ConfigurationKey] = [
        .init("web", .none, "Serves `/metrics` and `/healthz`. See [Metrics](metrics.md)."),
        .init("web.listen", .required, "The address and port to listen on."),
        .init("web.token_file", .words("everybody may read"), "File with the token that `/metrics` asks for."),
    ]

    /// The keys that identify beacons, in regions and in items.
    static func beacon(under parent: String, isExact: Bool) -> [ConfigurationKey] {
        let rest: ConfigurationKey.Default = isExact ? .words("required in an item") : .words("any")
        var keys: [ConfigurationKey] = []
        for (key, name) in [("ibeacon", "iBeacon"), ("altbeacon", "AltBeacon")] {
            keys += [
                .init("\(parent).\(key)", .none, "Identity: \(name)."),
                .init("\(parent).\(key).uuid", .required, "The UUID."),
                .init("\(parent).\(key).major", rest, "The major number."),
                .init("\(parent).\(key).minor", rest, "The minor number. Needs `major`."),
            ]
        }
        return keys + [
            .init("\(parent).eddystone_uid", .none, "Identity: Eddystone-UID."),
            .init("\(parent).eddystone_uid.namespace", .required, "The namespace."),
            .init("\(parent).eddystone_uid.instance", rest, "The instance."),
            .init("\(parent).address", .none, "Identity: a device address that does not change."),
        ]
    }
}
