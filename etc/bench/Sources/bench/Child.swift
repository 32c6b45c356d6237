import CBench
import Glibc

/// A program that measures on demand.
final class Child {
    private var child = bench_child()

    /// Starts it; nil where that fails.
    init?(_ arguments: [String], quiet: Bool = false) {
        let copies = arguments.map { $0.withCString { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        guard bench_start(pointers, quiet ? 1 : 0, &child) == 0 else { return nil }
    }

    deinit { bench_end(&child) }

    /// Gives it a line; the one or two numbers of its answer, or nil where it is gone.
    func ask(_ line: String) -> (Double, Double)? {
        var (first, second) = (0.0, 0.0)
        return bench_ask(&child, line + "\n", &first, &second) >= 1 ? (first, second) : nil
    }
}
