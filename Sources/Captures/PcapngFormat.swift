import Bytes

/// pcapng, version 1 (draft-ietf-opsawg-pcapng): sections in either byte order, each with its own interfaces.
///
/// Packets of interfaces with an unsupported link type are skipped and counted. Blocks of other types are skipped
/// without a count. A file with packets, all of them unsupported, is a fault at its end.
struct PcapngFormat {
    /// The most interfaces that a section may describe.
    static let maximumInterfaces = 1024
    /// The most bytes of a block that is read: the largest packet with its header and options.
    static let maximumBlockSize = CaptureReader.maximumPacketSize + (64 << 10)
    static let sectionHeader: UInt32 = 0x0A0D_0D0A

    private var order = ByteOrder.littleEndian
    private var interfaces: [PcapngInterface] = []
    private var found = false
    private var foreign: CaptureError?
    private(set) var skipped: UInt64 = 0

    /// The next packet and the place of its bytes; nil at the end.
    mutating func next(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        while try source.available(12) > 0 {
            if let packet = try nextBlock(&source) { return packet }
        }
        if let foreign, !found { throw foreign }
        return nil
    }

    /// True if all of the next block is available, and its type is one that is read.
    mutating func hasNext(_ source: inout ByteSource) throws(CaptureError) -> Bool {
        guard try source.available(12) == 12 else { return false }
        if order.read(UInt32.self, source.bytes, at: 0) == Self.sectionHeader { try startSection(source) }
        let length = order.read(UInt32.self, source.bytes, at: 4)
        // An invalid length is left for `nextBlock` to reject.
        guard length <= Self.maximumBlockSize else { return true }
        return try source.available(Int(length)) == Int(length)
    }

    /// Reads a block: its packet and the place of the bytes; nil for a block without a packet.
    mutating func nextBlock(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        try source.require(12, of: .blockHeader)
        let type = order.read(UInt32.self, source.bytes, at: 0)
        if type == Self.sectionHeader { try startSection(source) }
        let length = order.read(UInt32.self, source.bytes, at: 4)
        switch type {
        case Self.sectionHeader, 1, 2, 3, 6:
            let block = try consumeBlock(length, type, &source)
            let packet = try read(type, block, source)
            found = found || packet != nil
            return packet
        default:
            try skipBlock(length, &source)
            return nil
        }
    }

    // MARK: Blocks

    /// Begins a section. The second word of a section header block gives the byte order of the rest of the section.
    private mutating func startSection(_ source: borrowing ByteSource) throws(CaptureError) {
        switch source.bytes.bigEndian(UInt32.self, at: 8) {
        case 0x1A2B_3C4D: order = .bigEndian
        case 0x4D3C_2B1A: order = .littleEndian
        default: throw CaptureError(.unknownByteOrder, at: source.offset + 8)
        }
    }

    /// Consumes a whole block and checks both of its lengths.
    private func consumeBlock(
        _ length: UInt32, _ type: UInt32, _ source: inout ByteSource
    ) throws(CaptureError) -> Range<Int> {
        let least: UInt32 =
            switch type {
            case Self.sectionHeader: 28
            case 1: 20
            case 3: 16
            default: 32
            }
        guard length >= least, length % 4 == 0, length <= Self.maximumBlockSize else {
            throw CaptureError(.lengthOutOfRange(.block, length), at: source.offset + 4)
        }
        try source.require(Int(length), of: .block)
        let second = order.read(UInt32.self, source.bytes, at: Int(length) - 4)
        guard second == length else {
            throw CaptureError(.lengthOutOfRange(.blockTrailer, second), at: source.offset + Int64(length) - 4)
        }
        return source.consumeBytes(Int(length))
    }

    /// Skips a block of a type that isn't read, of any length.
    private func skipBlock(_ length: UInt32, _ source: inout ByteSource) throws(CaptureError) {
        guard length >= 12, length % 4 == 0 else {
            throw CaptureError(.lengthOutOfRange(.block, length), at: source.offset + 4)
        }
        try source.skip(Int(length) - 4, of: .block)
        try source.require(4, of: .blockTrailer)
        let second = order.read(UInt32.self, source.bytes, at: 0)
        guard second == length else {
            throw CaptureError(.lengthOutOfRange(.blockTrailer, second), at: source.offset)
        }
        _ = source.consumeBytes(4)
    }

    private mutating func read(
        _ type: UInt32, _ range: Range<Int>, _ source: borrowing ByteSource
    ) throws(CaptureError) -> FoundPacket? {
        let block = source.taken(range)
        let offset = source.offset - Int64(range.count)
        switch type {
        case Self.sectionHeader: try readSectionHeader(block, at: offset)
        case 1: try readInterface(block, at: offset)
        case 3: return try readSimplePacket(block, range, at: offset)
        default: return try readPacket(block, range, at: offset, obsolete: type == 2)
        }
        return nil
    }

    /// Section 4.1: the version at byte 12. Interfaces are numbered anew.
    private mutating func readSectionHeader(_ block: Span<UInt8>, at offset: Int64) throws(CaptureError) {
        let major = order.read(UInt16.self, block, at: 12)
        guard major == 1 else { throw CaptureError(.unsupportedVersion(UInt32(major)), at: offset + 12) }
        interfaces.removeAll(keepingCapacity: true)
    }

    /// Section 4.2: link type, snap length, options.
    private mutating func readInterface(_ block: Span<UInt8>, at offset: Int64) throws(CaptureError) {
        guard interfaces.count < Self.maximumInterfaces else { throw CaptureError(.tooManyInterfaces, at: offset) }
        let number = UInt32(order.read(UInt16.self, block, at: 8))
        let linkType = LinkType(number: number)
        var interface = PcapngInterface(linkType: linkType, snapLength: order.read(UInt32.self, block, at: 12))
        var position = 16
        while let option = try readOption(block, at: position, offset) {
            interface.readOption(option, block.extracting(option.value), order)
            position = option.next
        }
        if linkType == nil, foreign == nil { foreign = CaptureError(.unsupportedLinkType(number), at: offset + 8) }
        interfaces.append(interface)
    }

    /// Section 4.4: of interface 0, without a time; the stored length follows from the snap length.
    private mutating func readSimplePacket(
        _ block: Span<UInt8>, _ range: Range<Int>, at offset: Int64
    ) throws(CaptureError) -> FoundPacket? {
        guard let interface = interfaces.first else { throw CaptureError(.unknownInterface(0), at: offset) }
        let original = order.read(UInt32.self, block, at: 8)
        let length = interface.snapLength == 0 ? original : min(original, interface.snapLength)
        guard length <= block.count - 16, length <= CaptureReader.maximumPacketSize else {
            throw CaptureError(.lengthOutOfRange(.packet, length), at: offset + 8)
        }
        return makePacket(block, range, 12..<12 + Int(length), interface, nil, .unknown)
    }

    /// Section 4.3, and the obsolete packet block of appendix A, whose interface is 2 bytes and a drop count 2 more.
    private mutating func readPacket(
        _ block: Span<UInt8>, _ range: Range<Int>, at offset: Int64, obsolete: Bool
    ) throws(CaptureError) -> FoundPacket? {
        let index =
            obsolete ? UInt32(order.read(UInt16.self, block, at: 8)) : order.read(UInt32.self, block, at: 8)
        guard index < interfaces.count else { throw CaptureError(.unknownInterface(index), at: offset + 8) }
        let interface = interfaces[Int(index)]
        let stamp =
            UInt64(order.read(UInt32.self, block, at: 12)) << 32 | UInt64(order.read(UInt32.self, block, at: 16))
        guard let time = interface.time(of: stamp) else { throw CaptureError(.timeOutOfRange, at: offset + 12) }
        let length = order.read(UInt32.self, block, at: 20)
        guard length <= block.count - 32, length <= CaptureReader.maximumPacketSize else {
            throw CaptureError(.lengthOutOfRange(.packet, length), at: offset + 20)
        }
        var direction = CapturedPacket.Direction.unknown
        var position = 28 + (Int(length) + 3) / 4 * 4
        while let option = try readOption(block, at: position, offset) {
            if option.code == 2, option.value.count == 4 {
                direction = Self.direction(flags: order.read(UInt32.self, block, at: option.value.lowerBound))
            }
            position = option.next
        }
        return makePacket(block, range, 28..<28 + Int(length), interface, time, direction)
    }

    // MARK: Pieces

    private mutating func makePacket(
        _ block: Span<UInt8>, _ range: Range<Int>, _ stored: Range<Int>, _ interface: PcapngInterface,
        _ time: Timestamp?, _ direction: CapturedPacket.Direction
    ) -> FoundPacket? {
        guard let linkType = interface.linkType else {
            skipped += 1
            return nil
        }
        return linkType.locatePacket(
            block.extracting(stored), at: range.lowerBound + stored.lowerBound, time: time, direction: direction)
    }

    private func readOption(_ block: Span<UInt8>, at position: Int, _ offset: Int64) throws(CaptureError)
        -> PcapngOption?
    {
        do {
            return try PcapngOption(block, at: position, end: block.count - 4, order)
        } catch {
            throw CaptureError(.lengthOutOfRange(.option, UInt32(error.length)), at: offset + Int64(position) + 2)
        }
    }

    /// epb_flags (section 4.3.1): the low two bits are 1 for inbound and 2 for outbound.
    private static func direction(flags: UInt32) -> CapturedPacket.Direction {
        switch flags & 3 {
        case 1: .received
        case 2: .sent
        default: .unknown
        }
    }
}
