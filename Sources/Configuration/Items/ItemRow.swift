internal import BeaconFrames
internal import CommandLine
internal import Identity
internal import WireProtocol

/// One row of a CSV file of items: its non-empty fields, by column, and their faults.
struct ItemRow {
    let fields: [String: String]
    private let separator: UInt8
    private(set) var faults: [String] = []

    /// - Parameter separator: the separator of the file's fields.
    init(fields: [String: String], separator: UInt8) {
        self.fields = fields.mapValues(Self.trimmedText).filter { !$1.isEmpty }
        self.separator = separator
    }

    /// A field without the white space that quotes have preserved around it.
    private static func trimmedText(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The item; nil if `faults` has reasons against it.
    mutating func item(_ suggestions: inout IdentifierSuggestions) -> Item? {
        var item = Item(id: fields["id"] ?? "")
        if item.id.isEmpty {
            faults.append("id: is missing")
        } else if let complaint = suggestions.complaint(about: item.id) {
            faults.append("id: \(complaint)")
        }
        item.name = fields["name"]
        if let complaint = item.name.flatMap(ItemReader.complaint(name:)) { faults.append("name: \(complaint)") }
        item.tags = fields["tags"]?.split { " ,;".contains($0) }.map(String.init) ?? []
        for tag in item.tags {
            if let complaint = ItemReader.complaint(id: tag, noun: "a tag") { faults.append("tags: \(complaint)") }
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
            // The text is not repeated: it may be a key.
            if item.key == nil {
                let kinds = Item.KeyKind.allCases.map(\.rawValue)
                let hint = Spelling.question(text, among: kinds)
                faults.append("key: expected one of \(kinds.joined(separator: ", "))\(hint)")
            }
        }
        if let text = fields["expected_interval"] {
            item.expectedInterval = ItemSpelling.interval(text)
            if item.expectedInterval == nil { faultExpected("expected_interval", ItemSpelling.intervalForm, text) }
        }
        if let text = fields["power"] {
            item.power = readInteger("power", ItemReader.powers, text)
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
            if uuid == nil { faultExpected(keys[0], "a UUID of 8-4-4-4-12 hexadecimal digits", text) }
        }
        var numbers: [UInt16] = []
        for key in keys.dropFirst() {
            guard let number = fields[key].flatMap({ readInteger(key, 0...65535, $0) }) else { continue }
            numbers.append(UInt16(number))
        }
        guard let uuid, numbers.count == 2 else { return nil }
        return (uuid, numbers[0], numbers[1])
    }

    private mutating func add(
        _ identity: BeaconID?, _ key: String, _ form: String, _ text: String, to item: inout Item
    ) {
        if let identity { item.identities.append(identity) } else { faultExpected(key, form, text) }
    }

    /// A whole number within bounds; nil, and a fault, if the text is none.
    private mutating func readInteger(_ key: String, _ range: ClosedRange<Int>, _ text: String) -> Int? {
        let form = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        do throws(CSVNumber.Fault) {
            let number = try CSVNumber(text, separator: separator).integer()
            if range.contains(number) { return number }
            faultExpected(key, form, text)
        } catch {
            faults.append("\(key): expected \(form), found '\(text.prefix(40))', which \(error.sentence)")
        }
        return nil
    }

    private mutating func faultExpected(_ key: String, _ form: String, _ found: String) {
        // A spreadsheet that reads digits as a number drops zeros before them, and writes long ones as 1.1E+19.
        // Without contains("E+"), which would link Swift's regular expressions, 1 MB, into the agent.
        let isNumber = zip(found.utf8, found.utf8.dropFirst()).contains { $0 == 0x45 && $1 == 0x2B }
        let mend = isNumber ? "; a spreadsheet made a number of it: format the column as text" : ""
        faults.append("\(key): expected \(form), found '\(found.prefix(40))'\(mend)")
    }
}
