internal import Configuration
internal import Identity

/// The keys that this node has, by the ids of their items, read from their files.
///
/// Where an item of the items file names none, its key lies in one of the folders, under its id and kind: `phone.irk`.
/// Files are read again when the caller renews them, as for each connection. No key is logged or told.
struct NodeKeys {
    /// The keys.
    private(set) var known: [String: ItemKey] = [:]
    /// Items that are known by a key which isn't here, in the order of their ids. A BTHome device isn't one: it is known by
    /// its address, and only what it tells is not.
    private(set) var missing: [String] = []
    /// What is wrong with files, by item.
    private(set) var problems: [String: String] = [:]
    private let folders: [String]
    private var bytes: [String: [UInt8]] = [:]

    init(folders: [String] = []) {
        self.folders = folders
    }

    /// Reads the keys of items that have any; of those that are known only if they are to be renewed.
    mutating func load(_ items: [Item], renewing: Bool) {
        let keyed = items.filter { $0.key != nil }
        guard !keyed.isEmpty || !known.isEmpty else { return missing = [] }
        let ids = Set(keyed.map(\.id))
        // Keys may have changed places.
        if renewing { (known, bytes) = ([:], [:]) }
        for id in known.keys where !ids.contains(id) { (known[id], bytes[id]) = (nil, nil) }
        problems = problems.filter { ids.contains($0.key) && !renewing }
        for item in keyed {
            guard let kind = item.key else { continue }
            if renewing || known[item.id]?.kind != kind { read(item, kind) }
        }
        missing = keyed.filter { $0.key != .bthome && known[$0.id] == nil }.map(\.id).sorted()
    }

    private mutating func read(_ item: Item, _ kind: Item.KeyKind) {
        (known[item.id], bytes[item.id], problems[item.id]) = (nil, nil, nil)
        let name = "\(item.id).\(kind.rawValue)"
        let paths = [item.keyFile].compactMap { $0 } + folders.map { $0 + name }
        var problem = paths.isEmpty ? "no 'keys' folder is configured" : ""
        for path in paths {
            let file = SecretFile(path: path)
            // Where the name of a file was to be, the key itself may stand.
            let shown = KeyText.hidden(in: path)
            do throws(SecretFile.Problem) {
                let line = try file.line()
                do throws(ItemKeyText.Fault) {
                    let read = try ItemKeyText.key(line, kind, clock: item.clock)
                    return take(read.key, read.bytes, of: item.id)
                } catch {
                    // What lies there is meant; another file would hide that it is wrong.
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

    private mutating func take(_ key: ItemKey, _ bytes: [UInt8], of item: String) {
        // What two keys fit would be nobody's.
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
