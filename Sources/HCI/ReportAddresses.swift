/// The advertisers of an event's reports, as numbers that tell them apart, read without decoding the rest.
///
/// What is malformed ends the walk: the decoder behind counts it.
enum ReportAddresses {
    static let leMeta: UInt8 = 0x3E
    private static let advertisingReport: UInt8 = 0x02
    private static let extendedAdvertisingReport: UInt8 = 0x0D

    /// Whether an LE meta event is the decoder's: one that holds reports, or is cut so short that it can't be told.
    static func areExpected(in event: Span<UInt8>) -> Bool {
        guard event.count >= 3 else { return true }
        return event[2] == advertisingReport || event[2] == extendedAdvertisingReport
    }

    /// Gives each report's address with its type, 56 bits.
    static func forEach(in event: Span<UInt8>, _ body: (UInt64) -> Void) {
        guard event.count >= 4, areExpected(in: event) else { return }
        // Where the address begins, where the length of the data stands, and what stands behind the data.
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
