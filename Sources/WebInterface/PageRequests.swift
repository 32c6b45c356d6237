public import Bytes
internal import Synchronization
internal import System
internal import Web

/// The requests that wait for the fuser, from the server's thread.
///
/// Each viewer has its own allowance, and viewers take turns: who asks much waits for itself. The allowance of all
/// together is kept by answering later, since the rooms come first.
public final class PageRequests: Sendable {
    private struct State {
        var queue = FairQueue<PageRequest>(bound: PageRequests.bound, each: PageRequests.boundOfViewer)
        var allowances = Allowances(
            bound: PageRequests.viewers, burst: PageRequests.burstOfViewer, perSecond: PageRequests.perSecondOfViewer)
        var bucket = TokenBucket<MonotonicTime>(
            burst: PageRequests.burst, interval: .seconds(1) / PageRequests.perSecond)
        var isClosed = false
    }

    /// The most requests that wait, and those of one viewer. More are refused (503).
    public static let bound = 128, boundOfViewer = 8
    /// The requests that are answered in a burst, and in each second after it, to all viewers together.
    public static let burst = 40, perSecond = 20
    /// The requests of one viewer in a burst, and in each second after it. More are refused (429).
    public static let burstOfViewer = 20, perSecondOfViewer = 10
    /// The viewers whose requests are counted. Of more the one that has not asked the longest is forgotten.
    static let viewers = 256

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Requests that wake the fuser by a closure, which must not block.
    public init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func post(_ request: PageRequest, at now: MonotonicTime = MonotonicClock.now()) throws(Problem) {
        let problem: Problem? = state.withLock { state in
            guard state.allowances.take(request.account, at: now) else {
                return Problem(
                    429, "You ask more than \(Self.perSecondOfViewer) times a second. Try again in a second.",
                    headers: [.init("Retry-After", "1")])
            }
            guard !state.isClosed, state.queue.append(request, of: request.account) else {
                return Problem(503, "The fuser is busy. Try again.", headers: [.init("Retry-After", "1")])
            }
            return nil
        }
        if let problem { throw problem }
        wake()
    }

    /// Takes the requests that wait at a time, `limit` at most, and no more than all together may ask.
    public func take(atMost limit: Int, at now: MonotonicTime) -> [PageRequest] {
        state.withLock { state in
            var taken: [PageRequest] = []
            while taken.count < limit, !state.queue.isEmpty, state.bucket.take(at: now) {
                guard let request = state.queue.next() else { break }
                taken.append(request)
            }
            return taken
        }
    }

    /// The time at which `take` gives more; nil if nothing waits.
    public func nextChance(from now: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.queue.isEmpty ? nil : $0.bucket.nextChance(from: now) }
    }

    /// Refuses all further requests.
    func close() { state.withLock { $0.isClosed = true } }
}
