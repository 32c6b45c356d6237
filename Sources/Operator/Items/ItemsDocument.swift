internal import Bytes
internal import Bytes
internal import Configuration
internal import Identity
internal import System

/// A file of items, read whole: its entries, and their positions.
///
/// All faults of a file are thrown together, each with its line and column.
struct ItemsDocument {
    /// The largest file that is read, in bytes.
    static let sizeBound = 64 << 20
    /// The most items of a file.
    static let itemBound = RegistryBook.entryBound

    /// Its entries, in its order.
    private(set) var changes: [ItemChange] = []
    /// The position of each of them.
    private(set) var positions: [ConfigurationPosition] = []
    /// Remarks on the reading for the user.
    var notes: [String] = []
    /// The file, as it was named.
    let file: String
    private var faults: [ConfigurationFault] = []
    private var ids: [String: Int] = [:]
    private var owners: [BeaconID: String] = [:]

    init(file: String) {
        self.file = file
    }

    /// Reads a file in the form that its name ends in: `.csv`, `.json`, `.yaml` or `.yml`.
    static func read(_ path: String) throws -> ItemsDocument {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        var document = ItemsDocument(file: path)
        if ending == "yaml" || ending == "yml" {
            for item in try ItemsFile.load(path: path) {
                document.addItem(
                    ItemChange(id: item.id, content: .item(item.published), at: nil), at: document.place(1, 1))
            }
            return document
        }
        guard ending == "csv" || ending == "json" else {
            throw ConfigurationFaults([
                ConfigurationFault(document.place(0, 0), "expected a file that ends in .csv, .json, .yaml or .yml")
            ])
        }
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path, bound: sizeBound)
        } catch {
            throw ConfigurationFaults([ConfigurationFault(document.place(0, 0), error.reason)])
        }
        try document.read(bytes, isCSV: ending == "csv")
        return document
    }

    /// Reads a file's bytes, in any encoding of ``TextDecoding``, as CSV or JSON.
    mutating func read(_ bytes: [UInt8], isCSV: Bool) throws(ConfigurationFaults) {
        do throws(TextDecoding.Fault) {
            let text = try TextDecoding.utf8(bytes)
            if isCSV { readCSV(text) } else { readJSON(text) }
        } catch {
            throw ConfigurationFaults([ConfigurationFault(place(error.line, error.column), error.message)])
        }
        if faults.isEmpty, changes.isEmpty { fault(place(1, 1), "there is no item in it") }
        if !faults.isEmpty { throw ConfigurationFaults(faults) }
    }

    /// Adds an item, or reports that its id or its beacon is in the file already.
    mutating func addItem(_ change: ItemChange, at position: ConfigurationPosition) {
        guard changes.count < Self.itemBound else { return fault(position, "more than \(Self.itemBound) items") }
        if let line = ids[change.id] {
            return fault(position, "the id '\(change.id)' is given twice, first in line \(line)")
        }
        if case .item(let item) = change.content {
            for identity in item.identities {
                guard let owner = owners[identity] else { continue }
                return fault(position, "'\(change.id)' and '\(owner)' are one beacon, \(identity.text); leave one out")
            }
            for identity in item.identities { owners[identity] = item.id }
        }
        ids[change.id] = position.line
        changes.append(change)
        positions.append(position)
    }

    /// True if an id belongs to an item that was read before.
    func has(_ id: String) -> Bool { ids[id] != nil }

    /// Records a fault; beyond the bound they are dropped.
    mutating func fault(_ position: ConfigurationPosition, _ message: String) {
        guard faults.count < ConfigurationReader.bound else { return }
        faults.append(ConfigurationFault(position, message))
        if faults.count == ConfigurationReader.bound {
            faults[faults.count - 1].message = "more faults follow; mend these first"
        }
    }

    func place(_ line: Int, _ column: Int) -> ConfigurationPosition {
        ConfigurationPosition(file: file, line: line, column: column)
    }
}
