internal import Bytes
package import Identity
internal import WireProtocol

/// A JSON array of items: as `items export --json` writes them, or as a `BeaconData.json`:
/// `[{"id":1001,"name":"Beacon1","info":{"uuid":"…","major":1,"minor":2}}]`.
///
/// An element with `info` is of the second kind, an iBeacon. Its item id is made of its name
/// (``ItemSpelling/slug(_:)``), of `beacon-` and its id if it has no name that an id can be made of; if two names give
/// one id, the later one's is followed by `-` and its own id.
extension ItemsDocument {
    mutating func readJSON(_ bytes: [UInt8]) {
        var lines = LineFinder(bytes)
        do throws(JSONFault) {
            var json = JSONReader(bytes.span)
            var suggestions = IdentifierSuggestions(taken: Self.ids(of: json))
            try json.beginArray()
            var number = 0
            while try json.nextElement() {
                number += 1
                let start = json.offset
                var reader = ItemReader(id: nil, suggestions: suggestions)
                let change = try Self.hasInfo(json) ? beaconData(&json, &reader) : ownForm(&json, &reader)
                suggestions = reader.suggestions
                for fault in reader.faults {
                    self.fault(lines.place(of: fault.offset, in: file), "element \(number): \(fault)")
                }
                if let change, reader.faults.isEmpty { addItem(change, at: lines.place(of: start, in: file)) }
            }
            try json.end()
        } catch {
            fault(lines.place(of: error.offset, in: file), error.reason.rawValue)
        }
    }

    /// The valid ids of all elements, as far as the text can be read; nothing is consumed.
    private static func ids(of json: JSONReader) -> Set<String> {
        var ids: Set<String> = []
        var probe = json
        do throws(JSONFault) {
            try probe.beginArray()
            while try probe.nextElement() {
                try probe.beginObject()
                while let key = try probe.nextKey() {
                    if key == "id", probe.isString {
                        let id = try probe.string()
                        if Identifier.isValid(id) { ids.insert(id) }
                    } else {
                        try probe.skip()
                    }
                }
            }
        } catch {
            // The reading that follows reports the fault.
        }
        return ids
    }

    /// True if the next object is one of a `BeaconData.json`; nothing is consumed.
    private static func hasInfo(_ json: JSONReader) throws(JSONFault) -> Bool {
        var probe = json
        guard (try? probe.beginObject()) != nil else { return false }
        var hasInfo = false
        while let key = try probe.nextKey() {
            if key == "info" { hasInfo = true }
            try probe.skip()
        }
        return hasInfo
    }

    @_lifetime(json: copy json)
    private func ownForm(
        _ json: inout JSONReader, _ reader: inout ItemReader
    ) throws(JSONFault) -> ItemChange? {
        try reader.readElement(&json)
        return reader.change
    }

    @_lifetime(json: copy json)
    private mutating func beaconData(
        _ json: inout JSONReader, _ reader: inout ItemReader
    ) throws(JSONFault) -> ItemChange? {
        var number: String?
        var name: String?
        var identity: BeaconID?
        let start = json.offset
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id":
                var probe = json
                if let integer = try? probe.integer(Int64.self) {
                    number = String(integer)
                    json = probe
                } else {
                    number = try reader.text("id", "a whole number or an id", &json)
                }
            case "name": name = try reader.name("name", &json)
            case "info":
                guard let parts = try reader.uuidParts("info", &json) else { continue }
                identity = .iBeacon(uuid: parts.uuid, major: parts.major, minor: parts.minor)
            default: try json.skip()
            }
        }
        guard let identity else { return nil }
        let fallback = number.flatMap { ItemSpelling.slug("beacon-\($0)") }
        var id = name.flatMap(ItemSpelling.slug) ?? fallback
        if let taken = id, has(taken), let number { id = ItemSpelling.slug("\(taken)-\(number)") ?? id }
        guard let id else {
            reader.recordFault("", "an item's id is made of 'name' or 'id', and neither will do", at: start)
            return nil
        }
        notes.append("\(number ?? "an element")\(name.map { " '\($0)'" } ?? "") is item '\(id)'")
        return ItemChange(id: id, content: .item(Item(id: id, name: name, identities: [identity])), at: nil)
    }

    /// The entries as an array, one a line.
    package static func json(_ entries: [ItemEntry]) -> String {
        var json = JSONWriter()
        var lines: [String] = []
        for entry in entries {
            json.removeAll()
            var change = ItemChange(entry)
            // An item that only a file names has no date.
            if change.at?.microseconds == 0, !entry.isTombstone { change.at = nil }
            change.write(to: &json)
            lines.append(json.text)
        }
        return "[" + lines.joined(separator: ",\n") + "]\n"
    }
}

/// Finds lines and columns of bytes, each time continuing from the last one.
struct LineFinder {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func place(of target: Int, in file: String) -> ConfigurationPosition {
        if target < offset { (offset, line, column) = (0, 1, 1) }
        // White space before a value belongs to the place of the value.
        var target = target
        while target < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[target]) { target += 1 }
        while offset < min(target, bytes.count) {
            if bytes[offset] == 0x0A {
                (line, column) = (line + 1, 1)
            } else if bytes[offset] & 0xC0 != 0x80 {
                column += 1
            }
            offset += 1
        }
        return ConfigurationPosition(file: file, line: line, column: column)
    }
}
