/// What an advertiser sends, and how.
public struct AdvertisingSettings: Hashable, Sendable {
    /// How far apart two advertising events may be, in microseconds (Core Vol 6 Part B 4.4.2.2.1).
    public static let intervals: ClosedRange<Int64> = 20_000...10_240_000
    /// The powers that can be asked for, in dBm (Core Vol 4 Part E 7.8.53).
    public static let powers: ClosedRange<Int> = -127...20
    /// How long advertising data may be, in bytes.
    public static let lengths: ClosedRange<Int> = 1...31

    /// The advertising data, AD structure after AD structure.
    public var data: [UInt8]
    /// Microseconds from one advertising event to the next.
    public var interval: Int64
    /// In dBm; nil leaves it to the controller.
    public var power: Int8?

    /// Data that is sent ten times a second, as iBeacon wants it.
    public init(_ data: [UInt8], interval: Int64 = 100_000, power: Int8? = nil) {
        self.data = data
        self.interval = interval
        self.power = power
    }

    /// The interval as controllers count it, in 0.625 ms.
    var slots: UInt32 { UInt32(clamping: (interval * 1000 + 312_500) / 625_000) }

    /// Whether the data says itself which flags it has (Core Specification Supplement Part A 1.3).
    var hasFlags: Bool {
        var offset = 0
        while offset + 1 < data.count {
            if data[offset] > 0, data[offset + 1] == 0x01 { return true }
            offset += 1 + Int(data[offset])
        }
        return false
    }

    /// Whether AD structure follows AD structure to the end, which the kernel insists on.
    var isWellFormed: Bool {
        var offset = 0
        while offset < data.count { offset += 1 + Int(data[offset]) }
        return offset == data.count && Self.lengths.contains(data.count)
    }
}
