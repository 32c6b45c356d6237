/// The places of the fields in a report; offsets are bytes from the report's first one.
enum ReportLayout {
    /// LE Advertising Report.
    case legacy
    /// LE Extended Advertising Report.
    case extended

    /// The layout of a subevent's reports; nil for a subevent without reports.
    init?(subevent: UInt8) {
        switch subevent {
        case HCIEvent.advertisingReport: self = .legacy
        case HCIEvent.extendedAdvertisingReport: self = .extended
        default: return nil
        }
    }

    /// The bytes of a report without its data.
    var size: Int {
        switch self {
        case .legacy: HCIEvent.legacyReportSize
        case .extended: HCIEvent.extendedReportSize
        }
    }

    /// The offset of the advertiser's address type, which its address follows.
    var addressOffset: Int {
        switch self {
        case .legacy: 1
        case .extended: 2
        }
    }

    /// The offset of the length of the data, which the data follows.
    var lengthOffset: Int {
        switch self {
        case .legacy: 8
        case .extended: 23
        }
    }
}

/// The position of the reader in an event's reports.
struct ReportReader {
    /// The places of the fields in each report.
    let layout: ReportLayout
    /// The next report's first byte.
    private(set) var offset = 4
    /// The end of the event's parameters, inside the packet.
    let end: Int
    /// True after a fault that hides the beginning of the next report.
    private(set) var isBroken = false

    init(_ layout: ReportLayout, end: Int) {
        self.layout = layout
        self.end = end
    }

    /// The first byte of the next report; nil if its fields up to the data length pass the end.
    var fieldsStart: Int? { offset + layout.lengthOffset < end ? offset : nil }

    /// Advances past a report with a first byte, wherever its data ends; returns the length of its data.
    @discardableResult
    mutating func skip(_ event: Span<UInt8>) -> Int {
        let length = Int(event[offset + layout.lengthOffset])
        offset += layout.size + length
        return length
    }

    /// Advances past a whole report; returns its first byte and the length of its data.
    mutating func takeReport(_ event: Span<UInt8>) throws(AdvertisingFault) -> (start: Int, dataLength: Int) {
        let start = offset
        guard start + layout.size <= end else {
            isBroken = true
            throw AdvertisingFault(.reportPastEnd, at: end)
        }
        let length = skip(event)
        guard offset <= end else {
            isBroken = true
            throw AdvertisingFault(.dataPastEnd, at: start + layout.lengthOffset)
        }
        return (start, length)
    }
}

extension Span where Element == UInt8 {
    /// The 48-bit address stored least significant byte first at `offset`, which must be within the event.
    func addressBits(at offset: Int) -> UInt64 {
        let low = UInt64(self[offset]) | UInt64(self[offset + 1]) << 8 | UInt64(self[offset + 2]) << 16
        let high = UInt64(self[offset + 3]) | UInt64(self[offset + 4]) << 8 | UInt64(self[offset + 5]) << 16
        return low | high << 24
    }

    /// The level in dBm at `offset`, which must be within the event; nil for 127, "not available".
    func level(at offset: Int) -> Int8? {
        let level = Int8(bitPattern: self[offset])
        return level == HCIEvent.unavailable ? nil : level
    }

    /// The advertiser's address, with its type byte at `offset`.
    func advertiser(at offset: Int) throws(AdvertisingFault) -> DeviceAddress {
        guard let kind = DeviceAddress.Kind(rawValue: self[offset]) else {
            throw AdvertisingFault(.reservedAddressType, at: offset)
        }
        return kind == .anonymous ? .anonymous : DeviceAddress(addressBits(at: offset + 1), kind)
    }
}
