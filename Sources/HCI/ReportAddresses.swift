/// The advertisers of an event's reports, as distinct numbers, read without decoding the rest.
///
/// A malformed report ends the iteration: the decoder that follows counts it.
enum ReportAddresses {
    static let leMeta: UInt8 = 0x3E
    private static let advertisingReport: UInt8 = 0x02
    private static let extendedAdvertisingReport: UInt8 = 0x0D

    /// True if an LE meta event is for the decoder: one that holds reports, or is too short to be recognized.
    static func areExpected(in event: Span<UInt8>) -> Bool {
        guard event.count >= 3 else { return true }
        return event[2] == advertisingReport || event[2] == extendedAdvertisingReport
    }

    /// Passes on each report's address with its type, 56 bits.
    static func forEach(in event: Span<UInt8>, _ body: (UInt64) -> Void) {
        guard event.count >= 4, areExpected(in: event) else { return }
        // The offsets of the address and of the length of the data, and the number of bytes after the data.
        let (address, length, behind) = event[2] == advertisingReport ? (2, 8, 1) : (3, 23, 0)
        var offset = 4
        for _ in 0..<event[3] {
            guard offset + length < event.count else { return }
            var number = UInt64(event[offset + address - 1])
            for index in 0..<6 { number = number << 8 | UInt64(event[offset + address + index]) }
            body(number)
            offset += length + 1 + Int(event[offset + length]) + behind
        }
    }
}
