internal import Advertising
internal import Bytes
internal import CommandLine
package import Identity
internal import WireProtocol

/// CSV with a header row (``CSVReader``), and items files.
///
/// Columns, in any order, of which only `id` must be there: `id`, `name`, `tags` (separated by spaces), `uuid`, `major`,
/// `minor` (an iBeacon), `altbeacon_uuid`, `altbeacon_major`, `altbeacon_minor`, `namespace`, `instance` (an
/// Eddystone-UID), `address`, `key` (`irk`, `eid`, `fmdn` or `bthome`), `expected_interval` (such as `5s`), `power` (dBm at one
/// metre).
extension ItemsDocument {
    static let columns = [
        "id", "name", "tags", "uuid", "major", "minor", "altbeacon_uuid", "altbeacon_major", "altbeacon_minor",
        "namespace", "instance", "address", "key", "expected_interval", "power",
    ]

    mutating func readCSV(_ bytes: [UInt8]) {
        var suggestions = IdentifierSuggestions(taken: ids(ofCSV: bytes))
        do throws(InputFault) {
            var reader = try csvReader(bytes.span)
            for column in reader.strangers {
                let hint = Spelling.questionOrList(CSVHeader.normalized(column), among: Self.columns)
                fault(place(reader.line, 1), "unknown column '\(KeyText.hidden(in: String(column.prefix(40))))'\(hint)")
            }
            while true {
                do throws(InputFault) {
                    guard try reader.next() else { break }
                } catch {
                    guard !reader.isBroken else { throw error }
                    fault(place(error.line ?? 1, 1), error.message)
                    continue
                }
                let fields = Dictionary(zip(Self.columns, reader.fields)) { first, _ in first }
                readRow(ItemRow(fields: fields, separator: reader.separator), &suggestions, place(reader.line, 1))
            }
        } catch {
            fault(place(error.line ?? 1, 1), error.message)
        }
    }

    @_lifetime(copy bytes)
    private func csvReader(_ bytes: Span<UInt8>) throws(InputFault) -> CSVReader {
        try CSVReader(bytes, file: file, columns: ["id"], optional: Array(Self.columns.dropFirst()))
    }

    /// The valid ids of all rows, as far as the text can be read.
    private func ids(ofCSV bytes: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        guard var reader = try? csvReader(bytes.span) else { return [] }
        while true {
            do throws(InputFault) {
                guard try reader.next() else { return ids }
                if Identifier.isValid(reader.fields[0]) { ids.insert(reader.fields[0]) }
            } catch {
                if reader.isBroken { return ids }
            }
        }
    }

    private mutating func readRow(
        _ row: ItemRow, _ suggestions: inout IdentifierSuggestions, _ position: ConfigurationPosition
    ) {
        var row = row
        if let item = row.item(&suggestions) {
            addItem(ItemChange(id: item.id, content: .item(item.published), at: nil), at: position)
        }
        for message in row.faults { fault(position, message) }
    }

    /// The items as CSV, its header row included.
    package static func csv(_ items: [Item]) -> String {
        var text = columns.joined(separator: ",") + "\n"
        for item in items {
            var fields = ["id": item.id, "name": item.name ?? "", "tags": item.tags.joined(separator: " ")]
            for identity in item.identities { fields.merge(Self.fields(of: identity)) { first, _ in first } }
            fields["key"] = item.key?.rawValue
            fields["expected_interval"] = item.expectedInterval.map { DurationText.text($0) }
            fields["power"] = item.power.map(String.init)
            text += columns.map { quotedField(fields[$0] ?? "") }.joined(separator: ",") + "\n"
        }
        return text
    }

    private static func fields(of identity: BeaconID) -> [String: String] {
        switch identity {
        case .iBeacon(let uuid, let major, let minor):
            ["uuid": "\(uuid)", "major": "\(major)", "minor": "\(minor)"]
        case .altBeacon(let uuid, let major, let minor):
            ["altbeacon_uuid": "\(uuid)", "altbeacon_major": "\(major)", "altbeacon_minor": "\(minor)"]
        case .eddystone(let namespace, let instance):
            ["namespace": "\(namespace)", "instance": Hex.text(instance, digits: 12)]
        case .address(let bits): ["address": DeviceAddress(bits, .public).text]
        case .irk, .eid, .fmdn: [:]
        }
    }

    /// A field, in quotes if it needs them (RFC 4180).
    private static func quotedField(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The items as an items file.
    package static func yaml(_ items: [Item]) -> String {
        var text = ""
        for item in items {
            var parts = ["id: \(item.id)"]
            if let name = item.name { parts.append("name: \(scalarText(name))") }
            if !item.tags.isEmpty { parts.append("tags: [\(item.tags.joined(separator: ", "))]") }
            for identity in item.identities { parts.append(Self.yaml(of: identity)) }
            if let key = item.key { parts.append(Self.yaml(of: key, item)) }
            if let interval = item.expectedInterval {
                parts.append("expected_interval: \(DurationText.text(interval))")
            }
            if let power = item.power { parts.append("power: \(power)") }
            text += "- {\(parts.joined(separator: ", "))}\n"
        }
        return text
    }

    private static func yaml(of identity: BeaconID) -> String {
        switch identity {
        case .iBeacon(let uuid, let major, let minor), .altBeacon(let uuid, let major, let minor):
            "\(identity.itemKey): {uuid: \(uuid), major: \(major), minor: \(minor)}"
        case .eddystone(let namespace, let instance):
            "eddystone_uid: {namespace: \"\(namespace)\", instance: \"\(Hex.text(instance, digits: 12))\"}"
        case .address(let bits): "address: \"\(DeviceAddress(bits, .public).text)\""
        case .irk, .eid, .fmdn: "key: \(identity.itemKey)"
        }
    }

    /// The kind of a key, and its file if that is known.
    private static func yaml(of key: Item.KeyKind, _ item: Item) -> String {
        guard let file = item.keyFile, key == .irk else { return "key: \(key.rawValue)" }
        return "irk_file: \(scalarText(file))"
    }

    /// A JSON string, which YAML 1.2 reads alike.
    private static func scalarText(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return json.text
    }
}
