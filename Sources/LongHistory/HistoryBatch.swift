public import Bytes

/// The kinds of rows, each with a table and cursors of its own.
public enum HistoryStream: String, CaseIterable, Sendable {
    /// Numbered events of a fuser.
    case events
    /// Stays of items in rooms; a later row of the same item and beginning replaces an earlier one.
    case visits
    /// Events of nodes, and gaps of them.
    case nodeEvents = "node_events"
    /// Changes by people.
    case audit
    /// Readings of items' beacons.
    case telemetry
}

/// Rows that are written in one transaction with the cursor that they reach.
public struct HistoryBatch: Sendable {
    /// The kind of rows.
    public var stream: HistoryStream
    /// The epoch of the cursor.
    public var epoch: String
    /// The cursor before these rows, and after them.
    public var from: UInt64, to: UInt64
    /// The number of rows; 0 moves the cursor alone.
    public var count: Int
    /// The rows, a JSON array of objects. Their keys are columns of the table; times are microseconds since the Unix
    /// epoch.
    public var rows: [UInt8]
    /// The days of the rows since the Unix epoch, in UTC.
    public var days: Set<Int>
    /// The connection for which they are, by its number in `HistoryReport.connected`.
    public var connection: UInt64

    /// A batch by all its values.
    public init(
        _ stream: HistoryStream, epoch: String, from: UInt64, to: UInt64, count: Int, rows: [UInt8], days: Set<Int>,
        connection: UInt64
    ) {
        self.stream = stream
        self.epoch = epoch
        (self.from, self.to) = (from, to)
        self.count = count
        self.rows = rows
        self.days = days
        self.connection = connection
    }
}

extension HistoryBatch {
    /// The end of the year 9998: a clock that says more says nothing.
    private static let lastTime: Int64 = 253_370_764_800_000_000

    /// The microseconds of a time as a column takes them, from 1970 to the end of the year 9998.
    public static func microseconds(of time: Timestamp) -> Int64 { min(max(time.microseconds, 0), lastTime) }
}

/// The deletion of an item's rows.
public struct HistoryPurge: Hashable, Sendable {
    /// The item.
    public var item: String
    /// The end of what is deleted, for rows of all publishers.
    public var before: Timestamp
    /// True to delete all of this publisher's rows, and visits that last over that end, which are cut otherwise.
    public var isWhole: Bool

    /// A deletion by all its values.
    public init(item: String, before: Timestamp, isWhole: Bool) {
        (self.item, self.before, self.isWhole) = (item, before, isWhole)
    }
}

/// A report of the thread of a long history.
public enum HistoryReport: Sendable {
    /// Connected, for the time of this number, with the cursors of this publisher: by stream and epoch.
    case connected(UInt64, cursors: [HistoryStream: [String: UInt64]])
    /// A batch is written, with its cursor.
    case written(HistoryStream, epoch: String, to: UInt64, count: Int)
    /// A deletion is done, of so many rows.
    case purged(HistoryPurge, rows: Int)
    /// Partitions are made ahead, and old rows are deleted.
    case maintained
    /// Failure of that, without the loss of the connection; it is tried again later.
    case warning(HistoryError)
    /// No connection, or it is lost; it is tried again after a while.
    case failed(HistoryError)
}
