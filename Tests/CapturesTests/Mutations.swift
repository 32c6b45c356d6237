import Foundation
import Support

/// The seeded mutations of capture files in a run.
enum Mutations {
    /// The number of mutations: that of `WHEREABOUTS_MUTATIONS`, else 100, or `long` in the long form of the tests.
    static func count(long: Int) -> Int {
        let asked = ProcessInfo.processInfo.environment["WHEREABOUTS_MUTATIONS"].flatMap { Int($0) }
        return asked ?? (LongProofs.areRequested ? long : 100)
    }
}
