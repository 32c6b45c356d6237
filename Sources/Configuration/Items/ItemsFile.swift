internal import Advertising
internal import BeaconFrames
internal import Bytes
public import Identity
internal import WireProtocol

/// The items file: a list of registered beacons.
///
///     - {id: keys, name: Keys, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100, minor: 1}}
///     - {id: cat, eddystone_uid: {namespace: 00112233445566778899, instance: 0123456789ab}, expected_interval: 5s}
///     - {id: phone, name: Phone, irk_file: phone.irk, tags: [anna]}
///
/// `power` replaces the measured power in an item's frames, in dBm at one metre.
public enum ItemsFile {
    /// The most items of a file.
    public static let bound = 100_000

    /// Reads a file; throws every fault with its position.
    public static func load(path: String) throws(ConfigurationFaults) -> [Item] {
        let reader = ConfigurationReader()
        let items = load(path, namedAt: nil, reader)
        try reader.check()
        return items
    }

    /// Reads a text, whose paths are relative to the folder of `file`.
    public static func load(text: String, file: String) throws(ConfigurationFaults) -> [Item] {
        let reader = ConfigurationReader()
        let items = reader.tree(Array(text.utf8), file: file).map { readItems($0, reader) } ?? []
        try reader.check()
        return items
    }

    /// - Parameter judgesKeys: true if this program uses the items' keys, whose files are read then.
    static func load(
        _ path: String, namedAt position: ConfigurationPosition?, _ reader: ConfigurationReader,
        judgesKeys: Bool = false
    ) -> [Item] {
        guard reader.opensFiles else { return [] }
        return reader.tree(file: path, namedAt: position).map { readItems($0, reader, judgesKeys: judgesKeys) } ?? []
    }

    private static func readItems(_ root: YAMLNode, _ reader: ConfigurationReader, judgesKeys: Bool = false) -> [Item] {
        readEntries(root, reader, judgesKeys: judgesKeys).map(\.item)
    }

    /// The items of a tree, each with its position.
    static func readEntries(
        _ root: YAMLNode, _ reader: ConfigurationReader, judgesKeys: Bool = false
    ) -> [(item: Item, position: ConfigurationPosition)] {
        let keys = ItemKeySection(reader: reader, judgesKeys: judgesKeys)
        var ids = UniqueNames("the id")
        var owners: [BeaconID: String] = [:]
        var keyOwners: [[UInt8]: String] = [:]
        let entry: ConfigurationReader.Getter<(item: Item, position: ConfigurationPosition)> = reader.map { map in
            let id = map.require("id", reader.newIdentifier)
            let name = map.read("name", reader.string)
            var identities: [BeaconID] = []
            for pattern in reader.patterns(map) {
                if let identity = pattern.value.exact {
                    identities.append(identity)
                } else {
                    reader.fault(pattern.position, "an item is one beacon: all parts of its identity are needed")
                }
            }
            let interval = map.read("expected_interval", reader.duration(.milliseconds(10)...(.seconds(3600))))
            let tags = map.read("tags", reader.list(Item.tagBound, of: reader.identifier))
            let power = map.read("power", reader.integer(ItemReader.powers))
            if !map.hasAny(of: PatternKey.all + ItemKeySection.keys) {
                let known = (PatternKey.all + ItemKeySection.keys).joined(separator: ", ")
                reader.fault(map.position, "an item needs one of \(known)")
            }
            var item = Item(
                id: id ?? "", name: name, identities: identities, expectedInterval: interval)
            let key = keys.read(map, into: &item)
            guard let id else { return nil }
            if let key, let owner = keyOwners.updateValue(id, forKey: key) {
                reader.warn(
                    map.position,
                    "'\(id)' has the same key as '\(owner)', so one of the two has none here: correct their files")
            }
            ids.registerName(id, at: map.place("id"), reader)
            for identity in item.identities {
                if let owner = owners.updateValue(id, forKey: identity), owner != id {
                    reader.fault(map.position, "the items '\(owner)' and '\(id)' are one beacon, \(identity.text)")
                }
            }
            item.tags = Array(Set(tags ?? [])).sorted()
            item.power = power
            return (item, map.position)
        }
        return reader.list(bound, of: entry)(root) ?? []
    }
}

/// The keys that identify beacons, in items and regions.
enum PatternKey {
    static let all = ["ibeacon", "altbeacon", "eddystone_uid", "address"]
}

extension ConfigurationReader {
    /// Every set of beacons in a map, with the position of its key.
    func patterns(_ map: MapReader) -> [(value: BeaconPattern, position: ConfigurationPosition)] {
        [
            ("ibeacon", map.read("ibeacon", uuidPattern { .iBeacon(uuid: $0, major: $1, minor: $2) })),
            ("altbeacon", map.read("altbeacon", uuidPattern { .altBeacon(uuid: $0, major: $1, minor: $2) })),
            ("eddystone_uid", map.read("eddystone_uid", eddystonePattern())),
            ("address", map.read("address", readAddress)),
        ].compactMap { key, pattern in pattern.map { ($0, map.place(key)) } }
    }

    private func uuidPattern(
        _ pattern: @escaping (BeaconUUID, UInt16?, UInt16?) -> BeaconPattern
    ) -> Getter<BeaconPattern> {
        map { map in
            let uuid = map.require("uuid", self.uuid)
            let major = map.read("major", self.integer(0...65535)).map { UInt16($0) }
            let minor = map.read("minor", self.integer(0...65535)).map { UInt16($0) }
            if map.has("minor"), !map.has("major") {
                self.fault(map.place("minor"), "a 'minor' needs a 'major' with it")
                return nil
            }
            return uuid.map { pattern($0, major, minor) }
        }
    }

    private func eddystonePattern() -> Getter<BeaconPattern> {
        map { map in
            let namespace = map.require("namespace", self.namespace)
            let instance = map.read("instance", self.hexadecimal(digits: 12))
            return namespace.map { .eddystone($0, instance) }
        }
    }

    /// Ten bytes of an Eddystone namespace.
    func namespace(_ node: YAMLNode) -> EddystoneUID.Namespace? {
        if case .scalar(let text, _) = node.value, let namespace = EddystoneUID.Namespace(text) { return namespace }
        expected("20 hexadecimal digits", node)
        return nil
    }

    private func readAddress(_ node: YAMLNode) -> BeaconPattern? {
        if case .scalar(let text, _) = node.value, let address = DeviceAddress(text) { return .address(address.bits) }
        expected("a device address such as aa:bb:cc:dd:ee:ff", node)
        return nil
    }
}

/// Names that must be unique.
struct UniqueNames {
    private let kind: String
    private var lines: [String: Int] = [:]

    init(_ kind: String) {
        self.kind = kind
    }

    /// Registers a name, or reports that it is already used.
    mutating func registerName(_ name: String, at position: ConfigurationPosition, _ reader: ConfigurationReader) {
        if let line = lines[name] {
            reader.fault(position, "\(kind) '\(name)' is given twice, first in line \(line)")
        } else {
            lines[name] = position.line
        }
    }
}
