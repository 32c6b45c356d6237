public import Testing

/// A few tests at a time, on threads of their own: those that start programs and brokers and then mostly wait.
///
/// Tests that compute occupy all of the pool's threads for minutes. A test that waits among them is late by minutes,
/// and its limits are meaningless; with threads of its own, and the system's fair share of the processors, it proceeds
/// beside them. For nested suites with such traits the innermost's counts.
public struct Turn: SuiteTrait, TestTrait, TestScoping {
    fileprivate enum Kind {
        case few, single
    }

    /// Holds for every test of a suite.
    public var isRecursive: Bool { true }
    fileprivate let kind: Kind

    /// Lets a test wait for its turn, then runs it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let innermost = test.traits.reversed().lazy.compactMap { $0 as? Self }.first
        guard innermost?.kind == kind, !Self.isTaken else { return try await function() }
        let lane = kind == .few || LongProofs.areRequested ? Self.few : Self.single
        try await Self.$isTaken.withValue(true) {
            try await withoutActuallyEscaping(function) { function in
                // It ends here. Tests that wait for their turn, and timers, are scheduled by priority: with the others'
                // priority they would wait for the pool's threads.
                try await Task(priority: .high) {
                    let chain = await lane.take()
                    defer { lane.giveBack(chain) }
                    try await withTaskExecutorPreference(chain) { try await function() }
                }.value
            }
        }
    }

    /// True in a test that has a turn: it needs no other.
    @TaskLocal private static var isTaken = false
    /// The long proofs measure times: they run one by one, with nothing of their kind beside them.
    private static let few = Lane(LongProofs.areRequested ? 1 : 8)
    private static let single = Lane(1)
}

extension Trait where Self == Turn {
    /// Eight at a time, since they use a tenth of the processors; one at a time in the long proofs.
    public static var inTurn: Turn { Turn(kind: .few) }
    /// One at a time, beside the others: tests that use a processor for a while before they wait.
    public static var oneByOne: Turn { Turn(kind: .single) }
}
