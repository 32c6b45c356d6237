/// The reason why a value can't be put into a beacon frame.
public struct BeaconFrameFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    public enum Reason: String, Sendable {
        /// A web address that doesn't begin with `http://` or `https://`.
        case unknownScheme = "not an http:// or https:// address"
        /// A byte outside printable ASCII.
        case notPrintable = "not a printable ASCII character"
        /// More than 17 bytes in the shortest form.
        case tooLong = "longer than 17 bytes when compressed"
    }

    /// The kind of fault.
    public var reason: Reason
    /// The byte of the text, counted from 0, at which the fault was detected.
    public var offset: Int

    /// A fault at a byte of the text.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// A text such as `not a printable ASCII character at byte 12`.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
