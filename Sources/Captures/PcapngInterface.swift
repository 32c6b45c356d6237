import Bytes

/// What a pcapng interface description block says about the packets of its interface.
struct PcapngInterface {
    /// The form of its packets; nil where it is none of ours.
    let linkType: LinkType?
    /// The most bytes that a packet is stored with; 0 for no limit.
    let snapLength: UInt32
    private var resolution: UInt8 = 6
    private var offsetSeconds: Int64 = 0

    init(linkType: LinkType?, snapLength: UInt32) {
        self.linkType = linkType
        self.snapLength = snapLength
    }

    /// Takes in an option of the block: if_tsresol (9) and if_tsoffset (14); others, and bad lengths, change nothing.
    mutating func take(_ option: PcapngOption, _ value: Span<UInt8>, _ order: ByteOrder) {
        switch (option.code, value.count) {
        case (9, 1): resolution = value[0]
        case (14, 8): offsetSeconds = Int64(bitPattern: order.read(UInt64.self, value, at: 0))
        default: break
        }
    }

    /// The moment that a time stamp in this interface's units names, rounded down; nil where it is out of range.
    func time(of stamp: UInt64) -> Timestamp? {
        let exponent = Int(resolution & 0x7F)
        let microseconds: UInt64?
        if resolution & 0x80 != 0 {
            microseconds = UInt64(exactly: (UInt128(stamp) * 1_000_000) >> UInt128(exponent))
        } else if exponent >= 6 {
            microseconds = Self.powerOfTen(exponent - 6).map { stamp / $0 } ?? 0
        } else {
            let (product, overflow) = stamp.multipliedReportingOverflow(by: Self.powerOfTen(6 - exponent) ?? 1)
            microseconds = overflow ? nil : product
        }
        guard let microseconds, let signed = Int64(exactly: microseconds) else { return nil }
        return CaptureTime.timestamp(seconds: offsetSeconds, microseconds: signed)
    }

    /// nil for a power over 10^19, by which any 64-bit number divides to 0.
    private static func powerOfTen(_ exponent: Int) -> UInt64? {
        guard exponent <= 19 else { return nil }
        var power: UInt64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
