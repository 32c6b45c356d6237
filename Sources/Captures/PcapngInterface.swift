import Bytes

/// The properties of an interface, from its pcapng interface description block.
struct PcapngInterface {
    /// The form of its packets; nil if it isn't supported.
    let linkType: LinkType?
    /// The most bytes stored of a packet; 0 for no limit.
    let snapLength: UInt32
    private var resolution: UInt8 = 6
    private var offsetSeconds: Int64 = 0

    init(linkType: LinkType?, snapLength: UInt32) {
        self.linkType = linkType
        self.snapLength = snapLength
    }

    /// Reads an option of the block: if_tsresol (9) and if_tsoffset (14); others, and bad lengths, have no effect.
    mutating func readOption(_ option: PcapngOption, _ value: Span<UInt8>, _ order: ByteOrder) {
        switch (option.code, value.count) {
        case (9, 1): resolution = value[0]
        case (14, 8): offsetSeconds = Int64(bitPattern: order.read(UInt64.self, value, at: 0))
        default: break
        }
    }

    /// The moment of a time stamp in this interface's units, rounded down; nil if it is out of range.
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

    /// The power of ten; nil for one over 10^19, by which any 64-bit number divides to 0.
    private static func powerOfTen(_ exponent: Int) -> UInt64? {
        guard exponent <= 19 else { return nil }
        var power: UInt64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}

/// An option at the end of a pcapng block: the place of its value in the block (section 3.5 of the format's draft).
struct PcapngOption {
    let code: UInt16
    let value: Range<Int>

    /// The option at `offset` of a block whose options end at `end`; nil after the last.
    ///
    /// Throws the length of an option that exceeds the end.
    init?(_ block: Span<UInt8>, at offset: Int, end: Int, _ order: ByteOrder) throws(Overrun) {
        guard offset <= end - 4 else { return nil }
        code = order.read(UInt16.self, block, at: offset)
        let length = order.read(UInt16.self, block, at: offset + 2)
        if code == 0 { return nil }
        guard offset + 4 + Int(length) <= end else { throw Overrun(length: length) }
        value = offset + 4..<offset + 4 + Int(length)
    }

    /// The start of the next option: values are padded to four bytes.
    var next: Int { (value.upperBound - value.lowerBound + 3) / 4 * 4 + value.lowerBound }

    struct Overrun: Error {
        let length: UInt16
    }
}
