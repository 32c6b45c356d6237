internal import Bytes
internal import Synchronization
internal import System
internal import Web

/// The requests that wait for the fuser, from the server's thread.
public final class PageRequests: Sendable {
    private struct State {
        var waiting: [PageRequest] = []
        var bucket = TokenBucket<MonotonicTime>(
            burst: PageRequests.burst, interval: .seconds(1) / PageRequests.perSecond)
        var isClosed = false
    }

    /// The most requests that wait. More are refused (503).
    public static let bound = 32
    /// The requests that are answered in a burst, and in each second after it. More are refused (429): the rooms come
    /// first.
    public static let burst = 40, perSecond = 20

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Requests that wake the fuser by a closure, which must not block.
    public init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func post(_ request: PageRequest, at now: MonotonicTime = MonotonicClock.now()) throws(Problem) {
        let problem: Problem? = state.withLock { state in
            guard !state.isClosed, state.waiting.count < Self.bound else {
                return Problem(503, "The fuser is busy. Try again.", headers: [.init("Retry-After", "1")])
            }
            guard state.bucket.take(at: now) else {
                return Problem(
                    429, "More than \(Self.perSecond) requests a second. Try again in a second.",
                    headers: [.init("Retry-After", "1")])
            }
            state.waiting.append(request)
            return nil
        }
        if let problem { throw problem }
        wake()
    }

    /// Takes the requests that wait, `limit` at most.
    public func take(atMost limit: Int) -> [PageRequest] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(limit))
            state.waiting.removeFirst(taken.count)
            return taken
        }
    }

    /// True if requests wait.
    public var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Refuses all further requests.
    func close() { state.withLock { $0.isClosed = true } }
}
