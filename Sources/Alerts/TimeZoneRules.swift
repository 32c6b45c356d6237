internal import Bytes

/// The offset of a place's clocks from UTC at any moment: a table of its changes.
public struct TimeZoneRules: Hashable, Sendable {
    /// A change of the clocks.
    public struct Change: Hashable, Sendable {
        /// The Unix time of the change.
        public var second: Int64
        /// Seconds east of UTC from then on.
        public var offset: Int

        /// A change to `offset` seconds east of UTC at a Unix time.
        public init(at second: Int64, to offset: Int) {
            self.second = second
            self.offset = offset
        }
    }

    /// UTC.
    public static let utc = TimeZoneRules(offset: 0)

    /// Seconds east of UTC before the first change.
    private let first: Int
    private let changes: [Change]

    /// Rules of an offset in seconds east of UTC, and of the changes after it in their order; the last one holds without
    /// an end.
    public init(offset: Int, changes: [Change] = []) {
        first = offset
        self.changes = changes
    }

    /// Seconds east of UTC at a Unix time.
    public func offset(at second: Int64) -> Int {
        let count = changesUpTo(second)
        return count == 0 ? first : changes[count - 1].offset
    }

    /// The Unix time of the first change after `second`; nil if there is none.
    public func nextChange(after second: Int64) -> Int64? {
        let count = changesUpTo(second)
        return count < changes.count ? changes[count].second : nil
    }

    /// The number of changes at or before a moment.
    private func changesUpTo(_ second: Int64) -> Int { changes.partitionPoint(where: { $0.second <= second }) }
}
