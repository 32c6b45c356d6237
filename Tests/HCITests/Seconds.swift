import Bytes

extension Timestamp {
    /// A moment on a test's clock.
    static func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64((seconds * 1e6).rounded())) }
}
