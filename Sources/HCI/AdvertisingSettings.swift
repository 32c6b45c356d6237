internal import Bytes

/// The data that an advertiser sends, with its interval and power.
public struct AdvertisingSettings: Hashable, Sendable {
    /// The permitted time between two advertising events, in microseconds (Core Vol 6 Part B 4.4.2.2.1).
    public static let intervals = Duration.milliseconds(20)...Duration.milliseconds(10_240)
    /// The powers that can be requested, in dBm (Core Vol 4 Part E 7.8.53).
    public static let powers: ClosedRange<Int> = -127...20
    /// The permitted lengths of advertising data, in bytes.
    public static let lengths: ClosedRange<Int> = 1...31

    /// The advertising data, a sequence of AD structures.
    public var data: [UInt8]
    /// The time from one advertising event to the next.
    public var interval: Duration
    /// The power in dBm; nil leaves it to the controller.
    public var power: Int8?

    /// Data that is sent ten times a second by default, as iBeacon requires.
    public init(_ data: [UInt8], interval: Duration = .milliseconds(100), power: Int8? = nil) {
        self.data = data
        self.interval = interval
        self.power = power
    }

    /// The interval in the controller's units of 0.625 ms.
    var slots: UInt32 { UInt32(clamping: (interval.nanoseconds + 312_500) / 625_000) }

    /// True if the data contains its own flags (Core Specification Supplement Part A 1.3).
    var hasFlags: Bool {
        var offset = 0
        while offset + 1 < data.count {
            if data[offset] > 0, data[offset + 1] == 0x01 { return true }
            offset += 1 + Int(data[offset])
        }
        return false
    }

    /// True if the data is a complete sequence of AD structures, which the kernel requires.
    var isWellFormed: Bool {
        var offset = 0
        while offset < data.count { offset += 1 + Int(data[offset]) }
        return offset == data.count && Self.lengths.contains(data.count)
    }
}
