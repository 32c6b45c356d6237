/// The settings of a scan.
public struct ScanSettings: Hashable, Sendable {
    /// The kind of scan, passive or active.
    public enum Kind: String, CaseIterable, Sendable {
        /// It only listens: it sends nothing, and uses no battery of a beacon.
        case passive
        /// It requests the scan response of advertisers.
        case active

        var code: UInt8 { self == .active ? 1 : 0 }
    }

    /// The way in which the controller is shared.
    public enum Channel: String, CaseIterable, Sendable {
        /// Beside the kernel and other programs (HCI_CHANNEL_RAW).
        case shared
        /// By this program alone (HCI_CHANNEL_USER): no other program can use the adapter meanwhile.
        case user
    }

    /// The PHYs that are scanned.
    public enum PHYs: String, CaseIterable, Sendable {
        /// LE 1M, on which every beacon advertises.
        case le1M = "1m"
        /// LE 1M and, if the controller has it, LE Coded, each half of the time.
        case le1MAndCoded = "1m+coded"
    }

    /// The intervals that both forms of the command accept, 2.5 ms to 10.24 s (Core Vol 4 Part E 7.8.10).
    public static let intervals = Duration.microseconds(2500)...Duration.milliseconds(10_240)

    /// The kind of scan, passive by default.
    public var kind = Kind.passive
    /// The channel, shared by default.
    public var channel = Channel.shared
    /// The PHYs, LE 1M alone by default.
    public var phys = PHYs.le1M
    /// The time after which it moves to the next of the three advertising channels, 2.5 ms to 10.24 s.
    public var interval = Duration.milliseconds(100)
    /// The share of that time in which it listens, in hundredths, 1 to 100. A chip that also serves Wi-Fi needs the
    /// rest for that.
    public var duty = 100

    /// Passive, shared, LE 1M, all the time.
    public init() {}

    /// The interval in slots of 0.625 ms.
    var intervalSlots: UInt16 {
        let microseconds = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound) / .microseconds(1)
        return UInt16(clamping: min(0x4000, max(4, Int((microseconds / 625).rounded()))))
    }

    /// The window of one of `share` PHYs in slots of 0.625 ms; the shortest that controllers accept is 4.
    func windowSlots(share: Int) -> UInt16 {
        let whole = Int(intervalSlots) * min(max(duty, 1), 100) / (100 * max(share, 1))
        return UInt16(clamping: min(max(whole, 4), Int(intervalSlots)))
    }
}
