internal import Foundation

/// The long form of tests, as `WHEREABOUTS_FULL=1` requests it.
public enum LongProofs {
    /// True if it is requested.
    public static let areRequested = ProcessInfo.processInfo.environment["WHEREABOUTS_FULL"] == "1"
}
