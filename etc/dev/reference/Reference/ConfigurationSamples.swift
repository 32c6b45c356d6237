/// Texts that hold every key once, for the probe and the tests.
extension ConfigurationFile {
    private static let beacon = """
        ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100, minor: 1}, \
        altbeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100, minor: 2}, \
        eddystone_uid: {namespace: "00112233445566778899", instance: "0123456789ab"}, address: "aa:bb:cc:dd:ee:ff"
        """
    private static let reactions = """
        [{publish: {topic: home/light, payload: "on", retained: true}}, {run: [logger, "{item}"], timeout: 5s}, \
        {offer: {wifi: {ssid: Guests, passphrase_file: guests, hidden: true}}, via: stdin, run: [print-code]}, \
        {offer: {text: menu}}]
        """
    private static let allReactions = "on_determined: \(reactions), on_enter: \(reactions), on_exit: \(reactions)"
    private static let mqtt = """
        mqtt: {url: "mqtts://broker.lan", username: kitchen, password_file: password, client_id: kitchen, keepalive: 20s, \
        ca_file: ca.pem, crl_file: crl.pem, certificate_file: one.pem, key_file: key.pem, key_passphrase_file: phrase}
        """
    private static let otherMQTT = [
        #"mqtt: {urls: ["mqtts://one.lan", "mqtts://two.lan"], psk_identity: kitchen, psk_file: psk}"#,
        #"mqtt: {url: "mqtts://one.lan", fingerprint: "sha256:\#(String(repeating: "0", count: 64))"}"#,
    ]
    private static let hours = #"repeat: 10m, at_most: 5, hours: {from: "07:00", to: "22:00", zone: UTC}"#

    static let agentSamples =
        [
            """
            node: kitchen
            room: hall
            \(mqtt)
            source: hci:hci0
            topic_prefix: house
            window: 2s
            publish: all
            log: json
            offset_db: 3
            items: items.yaml
            keys: keys
            state: agent.sqlite
            radio: {scan: active, interval: 50ms, duty: 50, phy: 1m+coded, channel: user}
            regions:
              - {id: office, name: Office, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100, minor: 1}, \
            exit_after: 30s, notify_on_entry: false, notify_on_exit: false, \(allReactions)}
              - {id: two, altbeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100, minor: 1}}
              - {id: three, eddystone_uid: {namespace: "00112233445566778899", instance: "0123456789ab"}}
              - {id: four, eddystone_url: {url: "https://example.com/"}}
              - {id: five, eddystone_url: {prefix: "https://example.com/"}}
              - {id: six, address: "aa:bb:cc:dd:ee:ff"}
              - {id: seven, item: keys}
              - {id: eight, tag: pet}
            alerts:
              - {id: one-alert, left_behind: {item: keys, with: [phone]}, grace: 30s, \(hours)}
              - {gone: {item: keys, unless_with: [phone]}}
            reactions: [{item: guest, \(allReactions)}]
            outputs: {home_assistant: true, espresense: true, mqtt_room: true}
            home_assistant: {discovery_prefix: discovery, area: Kitchen}
            neighbours: {topics: {espresense: esp, mqtt_room: rooms}}
            web: {listen: "127.0.0.1:8098", token_file: token}
            """
        ] + otherMQTT.map { "node: kitchen\n\($0)\n" }

    static let fuserSamples =
        [
            """
            name: second
            \(mqtt)
            topic_prefix: house
            rooms:
              - {id: kitchen, name: Kitchen, floor: ground, polygon: [[0, 0], [4, 0], [4, 4]], next_to: [hall]}
              - {id: hall}
            nodes: {stove: {room: kitchen, x: 0.5, y: 1, z: 2}}
            items: items.yaml
            away_after: 90s
            detect_clones: false
            shards: 00-7f
            state: fuser.sqlite
            history: {keep: 60d, audit: 500d, postgres: {connection: host=db.lan dbname=house, password_file: database, keep: 800d}}
            log: json
            persons: [{id: anna, name: Anna, items: [phone, keys], must_have: [phone]}]
            alerts:
              - {id: one-alert, left_home: {item: bag, unless_with: [phone]}, grace: 30s, \(hours)}
              - {left_behind: {item: bag, with: [phone]}}
              - {in_room: {item: cat, rooms: [hall]}}
              - {not_in_room: {item: cat, rooms: [kitchen]}}
              - {not_heard: {item: cat, for: 24h}}
              - {battery_low: {item: bag, below: 2.4}}
            inputs: {espresense: true, theengs: true, mqtt_room: true, raddec: true}
            outputs: {home_assistant: true, mqtt_room: true}
            home_assistant: {discovery_prefix: discovery, tracker: in_zones, zone: zone.house}
            neighbours:
              topics: {espresense: esp, theengs: gateway, mqtt_room: rooms, raddec: anywhere}
              aliases: {"phone:anna": phone}
            web: {listen: "127.0.0.1:8099", token_file: tokens, certificate: page.pem, key: page.key, files: site,
              prefix: /whereabouts, ingress: [172.30.32.2], metrics_items: true, sites: sites.yaml}
            """
        ] + otherMQTT

    static let sitesSample = """
        - id: north
          name: North clinic
          \(mqtt)
          topic_prefix: clinics/north
          page: "https://north.example/"
          limit: {items: 2000, messages_per_second: 100}
        - id: south
          \(otherMQTT[0])
        - id: west
          \(otherMQTT[1])
        """

    static let itemsSample = """
        - {id: keys, name: Keys, tags: [anna], expected_interval: 5s, power: -60, \(beacon)}
        - {id: phone, irk_file: phone.irk}
        - {id: tag, eid: {key_file: tag.eid, rotation_exponent: 10, clock: 1753862400}}
        - {id: bag, fmdn: {key_file: bag.fmdn, clock: 1753862400}}
        - {id: fridge, bthome: {address: "a4:c1:38:00:11:22", key_file: fridge.bthome}}
        - {id: watch, key: irk}
        """
}
