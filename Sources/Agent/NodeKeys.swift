internal import Configuration
internal import Identity

/// The keys that this node has, by the ids of their items, read from their files.
///
/// For an item without a file name in the items file, the key is in one of the folders, under its id and kind:
/// `phone.irk`. The caller renews them, as for each connection, by reading the files again. No key is logged or
/// published.
struct NodeKeys {
    /// The keys.
    private(set) var known: [String: ItemKey] = [:]
    /// Items that are identified by a key which is missing here, in the order of their ids. A BTHome device is not
    /// among them: it is identified by its address, and only its data needs the key.
    private(set) var missing: [String] = []
    /// The problems of files, by item.
    private(set) var problems: [String: String] = [:]
    private let folders: [String]
    private var bytes: [String: [UInt8]] = [:]

    init(folders: [String] = []) {
        self.folders = folders
    }

    /// Reads the keys of items that have any; known ones are read again only if `renewing`.
    mutating func loadKeys(_ items: [Item], renewing: Bool) {
        let keyed = items.filter { $0.key != nil }
        guard !keyed.isEmpty || !known.isEmpty else { return missing = [] }
        let ids = Set(keyed.map(\.id))
        // Items may have exchanged their keys.
        if renewing { (known, bytes) = ([:], [:]) }
        for id in known.keys where !ids.contains(id) { (known[id], bytes[id]) = (nil, nil) }
        problems = problems.filter { ids.contains($0.key) && !renewing }
        for item in keyed {
            guard let kind = item.key else { continue }
            if renewing || known[item.id]?.kind != kind { readKey(item, kind) }
        }
        missing = keyed.filter { $0.key != .bthome && known[$0.id] == nil }.map(\.id).sorted()
    }

    private mutating func readKey(_ item: Item, _ kind: Item.KeyKind) {
        (known[item.id], bytes[item.id], problems[item.id]) = (nil, nil, nil)
        let name = "\(item.id).\(kind.rawValue)"
        let paths = [item.keyFile].compactMap { $0 } + folders.map { $0 + name }
        var problem = paths.isEmpty ? "no 'keys' folder is configured" : ""
        for path in paths {
            let file = SecretFile(path: path)
            // The key itself may be written in place of a file's name.
            let shown = KeyText.hidden(in: path)
            do throws(SecretFile.Problem) {
                let line = try file.line()
                do throws(ItemKeyText.Fault) {
                    let read = try ItemKeyText.key(line, kind, clock: item.clock)
                    return useKey(read.key, read.bytes, of: item.id)
                } catch {
                    // A faulty file isn't skipped: another file would hide its fault.
                    problems[item.id] = "'\(item.id)' has no key here: the file '\(shown)' \(error.words)"
                    return
                }
            } catch {
                if problem.isEmpty || file.exposure != nil { problem = "the file '\(shown)' \(error.sentence)" }
                if file.exposure != nil { break }
            }
        }
        problems[item.id] = "'\(item.id)' has no key here: \(problem)"
    }

    private mutating func useKey(_ key: ItemKey, _ bytes: [UInt8], of item: String) {
        // An advertisement that matches two keys would match no item.
        if key.kind == .irk || key.kind == .fmdn,
            let twin = self.bytes.first(where: { $0.value == bytes && known[$0.key]?.kind == key.kind })?.key
        {
            problems[item] = "'\(item)' has the same key as '\(twin)', which has it: correct one of their files"
            return
        }
        guard known.count < KeyRing.capacity else {
            problems[item] = "'\(item)' has no key here: \(KeyRing.capacity) others have one, and no more are used"
            return
        }
        (known[item], self.bytes[item]) = (key, bytes)
    }
}
