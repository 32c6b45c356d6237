/// The position of the reader in an event's reports.
struct ReportReader {
    /// The next report's first byte.
    var offset: Int
    /// The end of the event's parameters, inside the packet.
    let end: Int
    /// True after a fault that hides the beginning of the next report.
    var isBroken = false

    init(offset: Int, end: Int) {
        self.offset = offset
        self.end = end
    }

    /// Advances past a report with fixed fields of `size` bytes and its data length at `lengthOffset`; returns its
    /// first byte.
    mutating func take(
        _ event: Span<UInt8>, size: Int, lengthOffset: Int
    ) throws(AdvertisingFault) -> (start: Int, dataLength: Int) {
        let start = offset
        guard start + size <= end else {
            isBroken = true
            throw AdvertisingFault(.reportPastEnd, at: end)
        }
        let length = Int(event[start + lengthOffset])
        guard start + size + length <= end else {
            isBroken = true
            throw AdvertisingFault(.dataPastEnd, at: start + lengthOffset)
        }
        offset = start + size + length
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
