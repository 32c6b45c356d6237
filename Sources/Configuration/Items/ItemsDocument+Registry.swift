package import Identity
internal import WireProtocol

/// The effect of an entry of a file on the registry.
package enum ItemEffect: String, CaseIterable, Sendable {
    case new, changed, unchanged, removed

    /// The effect of a change on a known entry.
    ///
    /// - Parameter isRetained: true if the broker retains that entry, so that it needs no writing.
    package init(_ change: ItemChange, on known: ItemEntry?, isRetained: Bool) {
        if let known, known.content == change.content, isRetained {
            self = .unchanged
        } else if change.content == .removed {
            self = .removed
        } else {
            self = known?.item == nil ? .new : .changed
        }
    }
}

/// A file of items beside the registry.
extension ItemsDocument {
    /// The faults of items that are a beacon which is registered under another id, where the file neither removes that nor
    /// gives it another beacon. `mend` is what to do about an item.
    package func faults(owners: [BeaconID: String], mend: (String) -> String) -> [ConfigurationFault] {
        let ids = Set(changes.map(\.id))
        var faults: [ConfigurationFault] = []
        for (change, position) in zip(changes, positions) {
            guard case .item(let item) = change.content else { continue }
            for identity in item.identities {
                guard let owner = owners[identity], owner != item.id, !ids.contains(owner) else { continue }
                faults.append(
                    ConfigurationFault(
                        position, "'\(item.id)' is the same beacon as '\(owner)', \(identity.text); \(mend(owner))"))
            }
        }
        return faults
    }

    /// Records the entries that the registry's readers would refuse as faults.
    mutating func checkEntries() {
        for (change, position) in zip(changes, positions) {
            do throws(ItemRefusal) {
                _ = try ItemChange.read(change.payload.span, item: change.id)
            } catch {
                fault(position, "\(error)")
            }
        }
    }

    /// The keys in which two entries differ.
    package static func changedKeys(_ old: Item, _ new: Item) -> [String] {
        [
            ("name", old.name != new.name), ("tags", old.tags != new.tags),
            ("identity", old.identities != new.identities), ("key", old.key != new.key),
            ("expected_interval", old.expectedInterval != new.expectedInterval), ("power", old.power != new.power),
        ].filter(\.1).map(\.0)
    }

    /// The keys that an item had and a new entry hasn't.
    package static func lostKeys(_ old: Item, _ new: Item) -> [String] {
        [
            ("name", old.name != nil && new.name == nil), ("tags", !old.tags.isEmpty && new.tags.isEmpty),
            ("expected_interval", old.expectedInterval != nil && new.expectedInterval == nil),
            ("power", old.power != nil && new.power == nil), ("key", old.key != nil && new.key == nil),
        ].filter(\.1).map(\.0)
    }
}
