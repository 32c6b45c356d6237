internal import Advertising
internal import BeaconFrames
internal import Identity
internal import System

/// The keys of an items file: the names of the files with the keys, never a key.
///
///     - {id: phone, irk_file: phone.irk}
///     - {id: cat, eid: {key_file: cat.eid, rotation_exponent: 10, clock: 1753862400}}
///     - {id: bag, fmdn: {key_file: bag.fmdn, clock: 1753862400}}
///     - {id: fridge, bthome: {address: "a4:c1:38:00:11:22", key_file: fridge.bthome}}
///     - {id: watch, key: irk}
///
/// With `key` alone the file is looked up by its name, such as `watch.irk`, in the configured folder (`keys`).
struct ItemKeySection {
    static let keys = ["irk_file", "eid", "fmdn", "bthome", "key"]

    let reader: ConfigurationReader
    /// True to read the key files: a missing one is a warning, one that is readable by others or contains no key a
    /// fault.
    let judgesKeys: Bool

    /// Reads the keys of an item's map into the item; returns an identity resolving key that was read.
    func read(_ map: MapReader, into item: inout Item) -> [UInt8]? {
        let irk = map.read("irk_file", readPath)
        let eid = map.read("eid", reader.map { readEphemeral($0) })
        let fmdn = map.read("fmdn", reader.map { readTag($0) })
        let bthome = map.read("bthome", reader.map { readSensor($0) })
        let word = map.read("key", reader.word(Item.KeyKind.allCases.map(\.rawValue)))
        let given = Self.keys.filter(map.has)
        if given.count > 1 {
            reader.fault(map.place(given[1]), "an item has one kind of key: '\(given[0])' or '\(given[1])'")
        }
        if let irk { (item.key, item.keyFile) = (.irk, irk) }
        if let eid { (item.key, item.keyFile, item.clock) = (.eid, eid.path, eid.clock) }
        if let fmdn { (item.key, item.keyFile, item.clock) = (.fmdn, fmdn.path, fmdn.clock) }
        if let bthome {
            (item.key, item.keyFile) = (.bthome, bthome.path)
            if let address = bthome.address, !item.identities.contains(address) { item.identities.append(address) }
        }
        if let kind = word.flatMap(Item.KeyKind.init(rawValue:)) { item.key = kind }
        if item.key == .bthome, item.identities.isEmpty {
            reader.fault(map.position, "a BTHome device needs an 'address' beside its key")
        }
        guard judgesKeys, reader.opensFiles, let kind = item.key, let file = item.keyFile else { return nil }
        let bytes = readKey(file, kind, item.clock, at: map.valuePlace(given[0]))
        return kind == .irk ? bytes : nil
    }

    /// The key in a file; nil, with a report, if there is none.
    private func readKey(
        _ path: String, _ kind: Item.KeyKind, _ clock: EphemeralClock?, at place: ConfigurationPosition
    ) -> [UInt8]? {
        let file = SecretFile(path: path)
        if let exposure = file.exposure {
            reader.fault(place, "the file \(Quoted.path(path)) \(exposure.sentence)")
            return nil
        }
        let line: Secret
        do throws(SecretFile.Problem) {
            line = try file.line()
        } catch {
            reader.warn(place, "the file \(Quoted.path(path)) \(error.sentence): the item has no key here")
            return nil
        }
        do throws(ItemKeyText.Fault) {
            return try ItemKeyText.key(line, kind, clock: clock).bytes
        } catch {
            reader.fault(place, "the file \(Quoted.path(path)) \(error.words)")
            return nil
        }
    }

    /// A path as ``ConfigurationReader/readPath(_:)`` reads it, except that a missing credential is no fault: other
    /// programs read the same items file without it.
    private func readPath(_ node: YAMLNode) -> String? {
        guard case .scalar(let text, _) = node.value else { return reader.path(node) }
        if ItemKeyText.isKey(text) {
            reader.fault(node.position, "expected the name of a file with the key in it, found the key itself")
            return nil
        }
        if text.hasPrefix(SecretFile.credentialPrefix), reader.credentialsFolder == nil { return text }
        return reader.path(node)
    }

    private func readEphemeral(_ map: MapReader) -> (path: String?, clock: EphemeralClock?)? {
        let file = map.read("key_file", readPath)
        let exponent = map.read("rotation_exponent", reader.integer(0...15))
        let origin = map.read("clock", reader.integer(Self.origins))
        if map.has("rotation_exponent") != map.has("clock") {
            reader.fault(map.position, "'rotation_exponent' and 'clock' belong together, here or in the key's file")
        }
        guard let exponent, let origin else { return (file, nil) }
        return (file, EphemeralClock(exponent: UInt8(exponent), origin: Int64(origin)))
    }

    private func readTag(_ map: MapReader) -> (path: String?, clock: EphemeralClock?)? {
        let file = map.read("key_file", readPath)
        let origin = map.read("clock", reader.integer(Self.origins))
        return (file, origin.map { EphemeralClock(exponent: FMDNKey.exponent, origin: Int64($0)) })
    }

    private static let origins = Int(EphemeralClock.origins.lowerBound)...Int(EphemeralClock.origins.upperBound)

    private func readSensor(_ map: MapReader) -> (path: String?, address: BeaconID?)? {
        let address: BeaconID? = map.require(
            "address",
            { node in
                if case .scalar(let text, _) = node.value, let address = DeviceAddress(text) {
                    return .address(address.bits)
                }
                reader.expected("a device address such as aa:bb:cc:dd:ee:ff", node)
                return nil
            })
        return (map.read("key_file", readPath), address)
    }
}

extension ConfigurationReader {
    /// A folder of keys as the prefix of their paths: `folder/`, or that of a folder that systemd has loaded as
    /// credentials (`LoadCredential=NAME:FOLDER`, systemd.exec(5): each file is `NAME_` and its name).
    func keyFolder(_ node: YAMLNode) -> String? {
        guard let path = path(node) else { return nil }
        if case .scalar(let text, _) = node.value, text.hasPrefix(SecretFile.credentialPrefix) { return path + "_" }
        if opensFiles, !Files.isFolder(path) {
            warn(node.position, "\(Quoted.path(path)) is no folder: there are no keys in it")
        }
        return path.hasSuffix("/") ? path : path + "/"
    }
}
