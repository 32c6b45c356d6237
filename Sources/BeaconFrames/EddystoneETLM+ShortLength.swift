internal import Bytes

extension EddystoneETLM {
    /// Reads the frame of a beacon that kept the AD length of plain telemetry (17), so that salt and check stand behind
    /// the structure.
    ///
    /// Such frames are about, and readers that don't look at the length take them. Taken here only where nothing else
    /// can be meant: the structure says version 1 and lacks just the four bytes that end the data, and these are no
    /// structure of their own.
    init?(data: Span<UInt8>, withFaultAt offset: Int) {
        let start = offset - 18
        guard offset + 4 == data.count, start >= 0, data.hasBytes(Self.shortHeader, at: start) else { return nil }
        self.init(serviceData: data.extracting(start + 4..<data.count))
    }

    private static let shortHeader: [UInt8] = [17, 0x16, 0xAA, 0xFE, Eddystone.tlm, 1]
}
