internal import Bytes

/// An items file that was edited.
extension RegistryBook {
    /// The entries to publish because the items file has changed since an earlier run: of items that only a file has
    /// registered. Each entry is later than the one that it replaces.
    ///
    /// To be called once a run, by a program that repairs the broker. Of two programs with different files the one that
    /// started last prevails, and they don't contradict each other forever.
    ///
    /// - Parameter retained: The broker's retained entries, by item. An undated one written there by a person is no
    ///   file's.
    public func fileChanges(broker retained: [String: ItemChange]) -> [ItemEntry] {
        file.values.sorted { $0.id < $1.id }.compactMap { item in
            guard let at = retained[item.id]?.at, at < Self.endOfFiles, let known = entries[item.id], known.at == at,
                !known.isTombstone, known.content != .item(item.published)
            else { return nil }
            return ItemEntry(item, at: known.successor(at: .oldest))
        }
    }

    /// Entries from a file are dated the Unix epoch, and each change of one a millisecond later: all of them in that
    /// day.
    private static let endOfFiles = Timestamp(microseconds: 86_400_000_000)
}
