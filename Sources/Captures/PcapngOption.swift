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
