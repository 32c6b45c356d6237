internal import Dispatch
internal import Synchronization

/// A number of chains of tests, each with a thread; the first to ask gets the next that is free.
final class Lane: Sendable {
    private struct State {
        var free: [Chain]
        var waiting: [CheckedContinuation<Chain, Never>] = []
    }

    private let state: Mutex<State>

    init(_ chains: Int) { state = Mutex(State(free: (0..<chains).map { _ in Chain() })) }

    /// Waits for a chain.
    func take() async -> Chain {
        await withCheckedContinuation { continuation in
            let chain: Chain? = state.withLock { state in
                if let chain = state.free.popLast() { return chain }
                state.waiting.append(continuation)
                return nil
            }
            if let chain { continuation.resume(returning: chain) }
        }
    }

    /// Passes a chain to the one that has waited longest.
    func giveBack(_ chain: Chain) {
        let next: CheckedContinuation<Chain, Never>? = state.withLock { state in
            if state.waiting.isEmpty {
                state.free.append(chain)
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: chain)
    }
}

/// One thread, for the test whose turn it is.
final class Chain: TaskExecutor {
    private let queue = DispatchQueue(label: "chain", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
