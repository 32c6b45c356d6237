public import Bytes
internal import Glibc

/// A long history in PostgreSQL, written by a thread of its own that may block; the program's thread never does.
///
/// The program asks nothing of the database by itself: after `connected` it gives one batch, and the next after
/// `written`. A batch is written in one transaction with its cursor, and only if the cursor is where the batch begins.
/// So each row is there exactly once, whatever broke in between. It has no queue: what isn't written is with the
/// program.
public final class LongHistory: Sendable {
    private let mailbox: HistoryMailbox

    /// Starts the thread, which connects at once, and again after each failure.
    ///
    /// - Parameter wake: called on the thread when there are reports.
    public init(_ settings: HistorySettings, wake: @escaping @Sendable () -> Void) throws(HistoryError) {
        try HistorySettings.validate(connection: settings.connection)
        mailbox = try HistoryMailbox()
        try HistoryThread.start(settings, mailbox, wake: wake)
    }

    /// The reports since the last call.
    public func takeReports() -> [HistoryReport] { mailbox.takeReports() }

    /// Gives a batch.
    public func write(_ batch: HistoryBatch) { mailbox.post(batch) }

    /// Requests a deletion; it is done before a batch that is given later. It is forgotten where the connection breaks.
    public func purge(_ purge: HistoryPurge) { mailbox.post(purge) }

    /// Sets the time in the house, up to which open visits last.
    public func set(time: Timestamp) { mailbox.time = time }

    /// Ends the thread; waits for it, a time at most.
    public func stop(timeout: Duration = .seconds(3)) {
        mailbox.postEnd()
        let deadline = MonotonicTime.now + timeout
        while !mailbox.isEnded, MonotonicTime.now < deadline { usleep(2000) }
    }
}
