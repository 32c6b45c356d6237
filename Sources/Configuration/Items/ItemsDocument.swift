internal import Bytes
package import Identity
internal import System

/// A file of items, read whole: its entries, and their positions.
///
/// All faults of a file are given together, each with its line and column.
package struct ItemsDocument: Hashable, Sendable {
    /// The largest file that is read, in bytes.
    static let sizeBound = 64 << 20
    /// The most items of a file.
    static let itemBound = RegistryBook.entryBound

    /// A form of such a file.
    package enum Form: Sendable {
        case csv, json, yaml

        /// The form by the ending of a file's name.
        init?(fileName: String) {
            switch fileName.split(separator: ".").last?.lowercased() {
            case "csv": self = .csv
            case "json": self = .json
            case "yaml", "yml": self = .yaml
            default: return nil
            }
        }
    }

    /// Its entries, in its order.
    package private(set) var changes: [ItemChange] = []
    /// The position of each of them.
    package private(set) var positions: [ConfigurationPosition] = []
    /// Remarks on the reading for the user.
    package var notes: [String] = []
    /// The faults, in the order of their detection.
    package private(set) var faults: [ConfigurationFault] = []
    /// The file, as it was named.
    let file: String
    private var ids: [String: Int] = [:]
    private var owners: [BeaconID: String] = [:]

    private init(file: String) {
        self.file = file
    }

    /// Reads a file in the form that its name ends in: `.csv`, `.json`, `.yaml` or `.yml`; throws its faults.
    package static func read(_ path: String) throws -> ItemsDocument {
        var document = ItemsDocument(file: path)
        guard let form = Form(fileName: path) else {
            document.fault(document.place(0, 0), "expected a file that ends in .csv, .json, .yaml or .yml")
            throw ConfigurationFaults(document.faults)
        }
        if form == .yaml {
            let reader = ConfigurationReader()
            document.readYAML(reader.tree(file: path), reader)
            document.checkContent()
        } else {
            do {
                document.read(try WholeFile.read(path, bound: sizeBound), form)
            } catch {
                document.fault(document.place(0, 0), error.reason)
            }
        }
        try document.check()
        return document
    }

    /// Reads the bytes of a file; see `faults`. No file that it names is opened.
    package init(_ bytes: [UInt8], _ form: Form, file: String) {
        self.init(file: file)
        read(bytes, form)
    }

    /// Throws if there are faults.
    package func check() throws(ConfigurationFaults) {
        if !faults.isEmpty { throw ConfigurationFaults(faults) }
    }

    /// Reads bytes, those of CSV and JSON in any encoding of ``TextDecoding``.
    private mutating func read(_ bytes: [UInt8], _ form: Form) {
        do throws(TextDecoding.Fault) {
            switch form {
            case .csv: readCSV(try TextDecoding.utf8(bytes))
            case .json: readJSON(try TextDecoding.utf8(bytes))
            case .yaml:
                let reader = ConfigurationReader(opensFiles: false)
                readYAML(reader.tree(bytes, file: file), reader)
            }
        } catch {
            fault(place(error.line, error.column), error.message)
        }
        checkContent()
    }

    /// Records what is wrong with a file that could be read: that it is empty, or has entries that nobody would take.
    private mutating func checkContent() {
        guard faults.isEmpty else { return }
        if changes.isEmpty { fault(place(1, 1), "there is no item in it") } else { checkEntries() }
    }

    private mutating func readYAML(_ root: YAMLNode?, _ reader: ConfigurationReader) {
        let entries = root.map { ItemsFile.readEntries($0, reader) } ?? []
        for fault in reader.faults { self.fault(fault.position, fault.message) }
        guard reader.faults.isEmpty else { return }
        for (item, position) in entries {
            addItem(ItemChange(id: item.id, content: .item(item.published), at: nil), at: position)
        }
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
    package mutating func fault(_ position: ConfigurationPosition, _ message: String) {
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
