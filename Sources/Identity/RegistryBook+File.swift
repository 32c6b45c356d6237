internal import Bytes

/// An items file that was edited.
extension RegistryBook {
    /// What is to be published since the items file says something else now than it did in an earlier run: of items that
    /// nobody has registered but a file. Each entry comes after the one that it replaces.
    ///
    /// To be asked once a run, by a program that repairs the broker: of two with other files the one that started last has
    /// the say, and neither contradicts the other for ever.
    ///
    /// - Parameter retained: what the broker retains, by item. What somebody wrote there without a date is no file's.
    public func fileChanges(broker retained: [String: ItemChange]) -> [ItemEntry] {
        file.values.sorted { $0.id < $1.id }.compactMap { item in
            guard let at = retained[item.id]?.at, at < Self.endOfFiles, let known = entries[item.id], known.at == at,
                !known.isTombstone, known.content != .item(item.published)
            else { return nil }
            return ItemEntry(item, at: known.successor(at: .oldest))
        }
    }

    /// What a file seeds is dated the Unix epoch, and each change of it a millisecond later: all of it in that day.
    private static let endOfFiles = Timestamp(microseconds: 86_400_000_000)
}
