internal import BeaconFrames
internal import Identity
internal import Sightings

/// One row of a CSV file of items: its fields that aren't empty, by column, and what is wrong with them.
struct ItemRow {
    let fields: [String: String]
    private(set) var faults: [String] = []

    init(fields: [String: String]) {
        self.fields = fields
    }

    /// The item; nil where `faults` say why there is none.
    mutating func item() -> Item? {
        var item = Item(id: fields["id"] ?? "")
        if let complaint = ItemReader.complaint(id: item.id) { faults.append("id: \(complaint)") }
        item.name = fields["name"]
        if let complaint = item.name.flatMap(ItemReader.complaint(name:)) { faults.append("name: \(complaint)") }
        item.tags = fields["tags"]?.split(separator: " ").map(String.init) ?? []
        for tag in item.tags {
            if let complaint = ItemReader.complaint(id: tag) { faults.append("tags: \(complaint)") }
        }
        if item.tags.count > Item.tagBound { faults.append("tags: at most \(Item.tagBound)") }
        if let parts = uuidParts("") {
            item.identities.append(.iBeacon(uuid: parts.uuid, major: parts.major, minor: parts.minor))
        }
        if let parts = uuidParts("altbeacon_") {
            item.identities.append(.altBeacon(uuid: parts.uuid, major: parts.major, minor: parts.minor))
        }
        if fields["namespace"] != nil || fields["instance"] != nil {
            let text = "\(fields["namespace"] ?? ""),\(fields["instance"] ?? "")"
            add(ItemSpelling.eddystone(text), "namespace, instance", "20 and 12 hexadecimal digits", text, to: &item)
        }
        if let text = fields["address"] {
            add(ItemSpelling.address(text), "address", ItemSpelling.addressForm, text, to: &item)
        }
        if let text = fields["key"] {
            item.key = Item.KeyKind(rawValue: text)
            // What was found isn't repeated: it may be a key.
            if item.key == nil {
                faults.append("key: expected one of \(Item.KeyKind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        }
        if let text = fields["expected_interval"] {
            item.expectedInterval = ItemSpelling.interval(text)
            if item.expectedInterval == nil { expected("expected_interval", ItemSpelling.intervalForm, text) }
        }
        if let text = fields["power"] {
            item.power = Int(text).flatMap { ItemReader.powers.contains($0) ? $0 : nil }
            if item.power == nil { expected("power", "a whole number from -100 to 0", text) }
        }
        if faults.isEmpty, item.identities.isEmpty, item.key == nil {
            faults.append("an item needs uuid, major and minor, or namespace and instance, or an address")
        }
        return faults.isEmpty ? item : nil
    }

    private mutating func uuidParts(_ prefix: String) -> (uuid: BeaconUUID, major: UInt16, minor: UInt16)? {
        let keys = ["uuid", "major", "minor"].map { prefix + $0 }
        guard keys.contains(where: { fields[$0] != nil }) else { return nil }
        for key in keys where fields[key] == nil { faults.append("\(key): is missing") }
        var uuid: BeaconUUID?
        if let text = fields[keys[0]] {
            uuid = BeaconUUID(text)
            if uuid == nil { expected(keys[0], "a UUID of 8-4-4-4-12 hexadecimal digits", text) }
        }
        let numbers = keys.dropFirst().map { key -> UInt16? in
            guard let text = fields[key] else { return nil }
            let number = ItemSpelling.number16(text)
            if number == nil { expected(key, "a whole number from 0 to 65535", text) }
            return number
        }
        guard let uuid, let major = numbers[0], let minor = numbers[1] else { return nil }
        return (uuid, major, minor)
    }

    private mutating func add(
        _ identity: BeaconID?, _ key: String, _ form: String, _ text: String, to item: inout Item
    ) {
        if let identity { item.identities.append(identity) } else { expected(key, form, text) }
    }

    private mutating func expected(_ key: String, _ form: String, _ found: String) {
        faults.append("\(key): expected \(form), found '\(found.prefix(40))'")
    }
}
