import Bytes
import Configuration

/// Configuration files. Relative paths in them are taken from a folder that isn't there.
enum Configurations {
    private static let file = "/nonexistent/fuzz.yaml"

    static func parse(_ bytes: Span<UInt8>) -> Bool {
        let text = [UInt8](copying: bytes)
        let reader = ConfigurationReader()
        let tree = reader.tree(text, file: file)
        let isWhole = tree != nil && reader.faults.isEmpty
        // Each kind of value is asked of each node: what is none must be told, not trapped on.
        if let tree { judge(tree, by: reader) }
        _ = try? AgentConfiguration.load(bytes: text, file: file)
        _ = try? FuserConfiguration.load(bytes: text, file: file)
        _ = try? ItemsFile.load(text: String(decoding: text, as: UTF8.self), file: file)
        _ = try? ScenarioFile.read(text, file: file)
        if let last = reader.faults.last { precondition(!"\(last)".isEmpty) }
        return isWhole
    }

    private static func judge(_ node: YAMLNode, by reader: ConfigurationReader) {
        switch node.value {
        case .mapping(let pairs):
            for pair in pairs { judge(pair.node, by: reader) }
            let keys: ConfigurationReader.Getter<Bool> = reader.map { map in
                for key in ["node", "mqtt", "window", "regions"] { _ = map.node(key) }
                return true
            }
            _ = keys(node)
            _ = reader.pairs(node)
        case .sequence(let nodes):
            for node in nodes { judge(node, by: reader) }
            _ = reader.list(4, of: reader.string)(node)
        case .scalar(let text, _):
            _ = reader.string(node)
            _ = reader.identifier(node)
            _ = reader.boolean(node)
            _ = reader.integer(Int.min...Int.max)(node)
            _ = reader.number(-1e9...1e9)(node)
            _ = reader.duration(.seconds(0) ... .seconds(86_400))(node)
            _ = reader.word(["hci", "replay"])(node)
            _ = reader.uuid(node)
            _ = reader.hexadecimal(digits: 20)(node)
            if let duration = DurationText.duration(text) { _ = DurationText.text(duration) }
        case .refused: break
        }
    }

    static var seeds: [[UInt8]] { [agent, fuser, items, house, node, odd].map { Array($0.utf8) } }

    private static let agent = """
        node: kitchen
        room: kitchen            # the node's own name unless given
        source: hci:auto
        mqtt:
          url: mqtts://broker.example:8883
          username: kitchen
        window: 1s
        publish: registered
        regions:
          - id: office
            ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100}
            exit_after: 30s
        outputs: {home_assistant: true, espresense: false}
        web: {listen: "127.0.0.1:8098"}

        """

    private static let fuser = """
        name: main
        mqtt: {url: mqtt://127.0.0.1:1883}
        rooms:
          - {id: kitchen, name: Kitchen, floor: ground, polygon: [[0,0],[4,0],[4,3],[0,3]], next_to: [hall]}
        nodes:
          kitchen: {room: kitchen, x: 1.0, y: 2.0, z: 1.2}
        away_after: 60s
        shards: 00-ff

        """

    private static let items = """
        - {id: keys, name: Keys, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100, minor: 1}, tags: [anna]}
        - {id: phone, irk_file: phone.irk}
        - {id: cat, eid: {key_file: cat.eid, rotation_exponent: 10, clock: 1753862400}}
        - {id: bag, fmdn: {key_file: bag.fmdn, clock: 1753862400}}
        - {id: fridge, bthome: {address: "a4:c1:38:00:11:22", key_file: fridge.bthome}, expected_interval: 5s, power: -59}
        - {id: watch, key: irk}

        """

    private static let house = """
        name: main
        mqtt: {url: mqtt://127.0.0.1:1883}
        persons:
          - {id: anna, name: Anna, items: [phone, watch, keys], must_have: [phone]}
        inputs: {espresense: true, theengs: true, mqtt_room: true, raddec: true}
        outputs: {home_assistant: true, mqtt_room: true}
        home_assistant: {discovery_prefix: ha, tracker: in_zones, zone: zone.home}
        neighbours:
          topics: {espresense: espresense, theengs: home, mqtt_room: rooms/presence, raddec: paretoanywhere}
          aliases: {"phone:anna": phone, "known:a4c138001122": fridge}
        nodes:
          espresense-hall: {room: hall}

        """

    private static let node = """
        node: kitchen
        mqtt: {url: mqtt://127.0.0.1:1883}
        keys: keys
        outputs: {home_assistant: true, espresense: true, mqtt_room: true}
        home_assistant: {discovery_prefix: ha, area: "Under the roof"}
        neighbours: {topics: {espresense: espresense/house, mqtt_room: room_presence}}

        """

    private static let odd = """
        %YAML 1.1
        ---
        ? plain
        : 'it''s'
        "quoted \\u00e9 \\x41": >-
          folded
          text
        block: |+2
            kept

        anchor: &a [1, 0x1F, 1e9, .inf, ~, null, no]
        alias: *a
        tagged: !!str 12
        duration: 99999999999h
        ...

        """
}
