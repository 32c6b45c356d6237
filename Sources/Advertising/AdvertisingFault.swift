/// The reason why bytes are not a valid event or valid advertising data, and their place.
public struct AdvertisingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    public enum Reason: String, Sendable, CaseIterable {
        /// No room for event code, parameter length and subevent code.
        case eventTooShort = "event too short"
        /// The parameter length passes the end of the packet.
        case parametersPastEnd = "event parameters pass the end"
        /// More bytes than the parameter length covers.
        case bytesAfterEvent = "bytes after the event"
        /// An event that announces no report.
        case noReports = "event without reports"
        /// A report's fixed fields pass the end of the event.
        case reportPastEnd = "report passes the end of its event"
        /// A report's data length passes the end of the event.
        case dataPastEnd = "report's data passes the end of its event"
        /// Bytes are left after the announced number of reports.
        case bytesAfterReports = "bytes after the last report"
        /// A legacy report's event type above 4.
        case reservedEventType = "reserved event type"
        /// An address type without a meaning in any specification.
        case reservedAddressType = "reserved address type"
        /// The data status 3 of an extended report.
        case reservedDataStatus = "reserved data status"
        /// An AD structure's length passes the end of the advertising data.
        case structurePastEnd = "AD structure passes the end of the data"
    }

    /// The kind of fault.
    public var reason: Reason
    /// The byte, counted from 0, that holds the faulty value, or the end of the bytes if it is missing.
    public var offset: Int

    /// A fault at a byte.
    @inlinable
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// A text such as `AD structure passes the end of the data at byte 7`.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
