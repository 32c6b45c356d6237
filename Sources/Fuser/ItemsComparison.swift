internal import Bytes
internal import Configuration
internal import Identity

/// A file of items beside the registry: what an import of it changes, and why it can't.
struct ItemsComparison {
    /// The most rows that are shown.
    static let rowBound = 1000

    private struct Row {
        var line: Int
        var id: String, name: String?
        var effect: ItemEffect
        var changed: [String]
    }

    /// The entries to publish.
    private(set) var changes: [ItemChange] = []
    /// The faults, those of the file first.
    private(set) var faults: [ConfigurationFault]
    private var rows: [Row] = []
    private var counts: [ItemEffect: Int] = [:]
    private let notes: [String]

    init(_ document: ItemsDocument, with book: RegistryBook) {
        notes = document.notes
        var owners: [BeaconID: String] = [:]
        for item in book.checkEntries().items {
            for identity in item.identities { owners[identity] = item.id }
        }
        faults =
            document.faults
            + document.faults(owners: owners) { owner in "take it out of the file, or remove '\(owner)' first" }
        var added = 0
        for (change, position) in zip(document.changes, document.positions) {
            let known = book.entry(change.id)
            let effect = ItemEffect(change, on: known, isRetained: book.entries[change.id] != nil)
            counts[effect, default: 0] += 1
            guard effect != .unchanged else { continue }
            if book.entries[change.id] == nil { added += 1 }
            changes.append(change)
            var row = Row(line: position.line, id: change.id, name: nil, effect: effect, changed: [])
            if case .item(let item) = change.content {
                row.name = item.name
                if let old = known?.item { row.changed = ItemsDocument.changedKeys(old.published, item) }
            }
            rows.append(row)
        }
        let room = RegistryBook.entryBound - book.entries.count
        if added > room, let position = document.positions.first {
            faults.append(
                ConfigurationFault(
                    position, "the registry has room for \(max(0, room)) more items, and \(added) are new"))
        }
    }

    /// The changes, and all faults with their lines.
    func json(isPreview: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("preview", isPreview)
        for effect in ItemEffect.allCases { json.field(effect.rawValue, counts[effect] ?? 0) }
        json.beginArray("items")
        for row in rows.prefix(Self.rowBound) {
            json.beginObject()
            json.field("line", row.line)
            json.field("id", row.id)
            json.field("name", row.name)
            json.field("effect", row.effect.rawValue)
            if !row.changed.isEmpty {
                json.beginArray("fields")
                for key in row.changed { json.value(key) }
                json.endArray()
            }
            json.endObject()
        }
        json.endArray()
        if rows.count > Self.rowBound { json.field("left_out", rows.count - Self.rowBound) }
        json.beginArray("faults")
        for fault in faults {
            json.beginObject()
            json.field("line", fault.position.line)
            json.field("column", fault.position.column)
            json.field("detail", fault.message)
            json.endObject()
        }
        json.endArray()
        json.beginArray("notes")
        for note in notes.prefix(Self.rowBound) { json.value(note) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
