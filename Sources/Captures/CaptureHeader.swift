internal import Bytes

/// The beginning of a capture in a stream.
enum CaptureHeader {
    case btsnoop
    case pcap(ByteOrder, unitsPerMicrosecond: UInt32)
    case pcapng
    /// The first bytes of a header whose rest hasn't arrived.
    case unfinished

    /// The most bytes of a header.
    static let size = 24

    /// The header at the beginning of `bytes`, whole or in part; nil if there is none.
    init?(_ bytes: Span<UInt8>) {
        guard let magic = bytes.bigEndian(UInt32.self, at: 0) else { return nil }
        if let (order, units) = PcapFormat.recognize(bytes) {
            // The version is checked too: the magic alone may be a time.
            guard bytes.count >= 8 else {
                self = .unfinished
                return
            }
            guard order.read(UInt16.self, bytes, at: 4) == 2, order.read(UInt16.self, bytes, at: 6) == 4 else {
                return nil
            }
            self = .pcap(order, unitsPerMicrosecond: units)
        } else if magic == PcapngFormat.sectionHeader {
            guard let order = bytes.bigEndian(UInt32.self, at: 8) else {
                self = .unfinished
                return
            }
            guard order == 0x1A2B_3C4D || order == 0x4D3C_2B1A else { return nil }
            self = .pcapng
        } else if magic == 0x6274_736E {
            guard bytes.hasBytes(Array(BtsnoopFormat.magic.prefix(bytes.count))) else { return nil }
            self = bytes.count < BtsnoopFormat.magic.count ? .unfinished : .btsnoop
        } else {
            return nil
        }
    }

    /// The number of bytes that must be available.
    var size: Int {
        switch self {
        case .btsnoop: BtsnoopFormat.headerSize
        case .pcap: PcapFormat.headerSize
        case .pcapng: 12
        case .unfinished: .max
        }
    }

    /// True if `begin` consumes the header; otherwise it is the first block of the format.
    var isRead: Bool {
        switch self {
        case .btsnoop, .pcap: true
        case .pcapng, .unfinished: false
        }
    }

    /// The format that begins here, after `format`; the header is completely available.
    func begin(_ source: inout ByteSource, after format: CaptureFormat?) throws(CaptureError) -> CaptureFormat? {
        switch self {
        case .btsnoop: return .btsnoop(try BtsnoopFormat(&source))
        case .pcap(let order, let units): return .pcap(try PcapFormat(&source, order, unitsPerMicrosecond: units))
        case .pcapng:
            if case .pcapng = format { return format }
            return .pcapng(PcapngFormat())
        case .unfinished: return format
        }
    }

    /// The place of a header, or of last bytes that may begin one.
    static func place(in bytes: Span<UInt8>) -> Int {
        var place = 0
        while place + 12 <= bytes.count {
            if CaptureHeader(bytes.extracting(place..<min(place + size, bytes.count))) != nil { break }
            place += 1
        }
        return place
    }
}
