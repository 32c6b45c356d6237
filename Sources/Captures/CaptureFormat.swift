internal import Bytes

/// The format of a capture that is being read.
enum CaptureFormat {
    case btsnoop(BtsnoopFormat)
    case pcap(PcapFormat)
    case pcapng(PcapngFormat)
    case packetLogger(PacketLoggerFormat)
    case bugReport(BugReport)

    /// Recognizes the format of a file by its beginning, and reads a file header.
    static func recognize(_ source: inout ByteSource) throws(CaptureError) -> CaptureFormat {
        try source.require(4, of: .magic)
        if let (order, units) = PcapFormat.recognize(source.bytes) {
            return .pcap(try PcapFormat(&source, order, unitsPerMicrosecond: units))
        }
        switch source.bytes.bigEndian(UInt32.self, at: 0) {
        case PcapngFormat.sectionHeader: return .pcapng(PcapngFormat())
        case 0x504B_0304: throw CaptureError(.archive(.zip), at: 0)
        case .some(0x1F8B_0000...0x1F8B_FFFF): throw CaptureError(.archive(.gzip), at: 0)
        default: break
        }
        let magic = BtsnoopFormat.magic
        if source.bytes.hasBytes(Array(magic.prefix(4))) {
            try source.require(magic.count, of: .magic)
            if source.bytes.hasBytes(magic) { return .btsnoop(try BtsnoopFormat(&source)) }
        } else if let format = PacketLoggerFormat.candidate(source.bytes) {
            try source.require(PacketLoggerFormat.recordHeaderSize, of: .recordHeader)
            if format.isLikely(source.bytes) { return .packetLogger(format) }
        }
        _ = try source.available(BugReport.probe)
        guard BugReport.isText(source.bytes) else { throw CaptureError(.unknownFormat, at: 0) }
        return .bugReport(BugReport())
    }

    /// The next packet; nil at the end.
    mutating func next(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        switch self {
        case .btsnoop(let format): return try format.next(&source)
        case .pcap(let format): return try format.next(&source)
        case .packetLogger(let format): return try format.next(&source)
        case .pcapng(var format):
            defer { self = .pcapng(format) }
            return try format.next(&source)
        case .bugReport(var report):
            defer { self = .bugReport(report) }
            return try report.next(&source)
        }
    }
}
