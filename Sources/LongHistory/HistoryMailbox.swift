internal import Bytes
internal import CPostgres
internal import Glibc
internal import Synchronization

/// The requests to the thread, and its reports. Bounded: one batch, deletions that the program keeps anyway, and reports
/// of what was asked.
final class HistoryMailbox: Sendable {
    /// A request to the thread, which takes them in their order: a purge deletes the rows of a batch before it, and
    /// not of one behind it.
    enum Request {
        case write(HistoryBatch)
        case purge(HistoryPurge)
    }

    private struct State {
        var requests: [Request] = []
        /// The purges among the requests.
        var purges: Set<HistoryPurge> = []
        var reports: [HistoryReport] = []
        var time: Timestamp?
        var isEnded = false
    }

    /// Readable when something is wanted.
    let wanted: Int32
    /// Readable from the end on.
    let ending: Int32
    private let state = Mutex(State())

    init() throws(HistoryError) {
        wanted = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        ending = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard wanted >= 0, ending >= 0 else {
            throw HistoryError(.statement, purpose: "start the thread", words: "eventfd: errno \(errno)")
        }
    }

    deinit {
        close(wanted)
        close(ending)
    }

    /// Requests a batch, which replaces one that waits.
    func post(_ batch: HistoryBatch) {
        state.withLock { state in
            state.requests.removeAll { if case .write = $0 { true } else { false } }
            state.requests.append(.write(batch))
        }
        _ = eventfd_write(wanted, 1)
    }

    /// Requests a purge, unless the same one waits.
    func post(_ purge: HistoryPurge) {
        state.withLock { state in
            if state.purges.insert(purge).inserted { state.requests.append(.purge(purge)) }
        }
        _ = eventfd_write(wanted, 1)
    }

    func postEnd() { _ = eventfd_write(ending, 1) }

    /// The time in the house, as the program says it.
    var time: Timestamp? {
        get { state.withLock { $0.time } }
        set { state.withLock { $0.time = newValue } }
    }

    /// Removes and returns all requests.
    func takeRequests() -> [Request] {
        var count: UInt64 = 0
        _ = unsafe eventfd_read(wanted, &count)
        return state.withLock { state in
            defer { (state.requests, state.purges) = ([], []) }
            return state.requests
        }
    }

    func report(_ report: HistoryReport) { state.withLock { $0.reports.append(report) } }

    func takeReports() -> [HistoryReport] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }

    var isEnded: Bool {
        get { state.withLock { $0.isEnded } }
        set { state.withLock { $0.isEnded = newValue } }
    }
}
