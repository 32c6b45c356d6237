internal import Bytes

extension EddystoneETLM {
    /// Reads the frame of a beacon that has the AD length of plain telemetry (17), so that salt and check follow the
    /// structure.
    ///
    /// Such frames exist in the field, and readers that ignore the length accept them. They are accepted here only if
    /// no other interpretation is possible: the structure has version 1 and lacks just the four bytes that end the
    /// data, and these are no structure of their own.
    init?(data: Span<UInt8>, withFaultAt offset: Int) {
        let start = offset - 18
        guard offset + 4 == data.count, start >= 0, data.hasBytes(Self.shortHeader, at: start) else { return nil }
        self.init(serviceData: data.extracting(start + 4..<data.count))
    }

    private static let shortHeader: [UInt8] = [17, 0x16, 0xAA, 0xFE, Eddystone.tlm, 1]
}
