/// The properties that the Eddystone formats share (Google, Eddystone Protocol Specification): service data of the UUID
/// 0xFEAA, the first byte of which is the frame type. Their service data is read and written here without the UUID.
public enum Eddystone {
    /// The service UUID.
    public static let serviceUUID: UInt16 = 0xFEAA
    /// The loss of a signal over the first metre, in dB. Eddystone's powers are at 0 m, by this much above those at one
    /// metre.
    public static let lossOverOneMetre = 41

    static let uid: UInt8 = 0x00
    static let url: UInt8 = 0x10
    static let tlm: UInt8 = 0x20
    static let eid: UInt8 = 0x30
    /// Find Hub Network, which uses Eddystone's UUID.
    static let fmdn: UInt8 = 0x40
    /// Find Hub Network in unwanted tracking protection mode.
    static let fmdnProtection: UInt8 = 0x41
}
