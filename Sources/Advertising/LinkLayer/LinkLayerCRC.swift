/// The cyclic redundancy check of the link layer (Core Vol 6 Part B 3.1.1): 24 bits, sent least significant bit first.
public enum LinkLayerCRC {
    /// The value that every packet on an advertising channel starts from, 0x555555, in the order of sending.
    public static let advertising: UInt32 = 0xAA_AAAA
    /// The polynomial x²⁴+x¹⁰+x⁹+x⁶+x⁴+x³+x+1 in the order of sending.
    private static let polynomial: UInt32 = 0xDA_6000

    /// The check of a PDU from its header on. The low byte is sent and stored first.
    public static func value(of pdu: Span<UInt8>, initial: UInt32 = advertising) -> UInt32 {
        var state = initial
        for index in pdu.indices {
            state ^= UInt32(pdu[index])
            for _ in 0..<8 { state = state & 1 == 0 ? state >> 1 : state >> 1 ^ polynomial }
        }
        return state
    }
}
