/// The types of AD structures that this package reads or writes (Bluetooth Assigned Numbers 2.3).
public enum ADType {
    /// Flags.
    public static let flags: UInt8 = 0x01
    /// Incomplete list of 16-bit service class UUIDs.
    public static let incompleteServiceUUIDs16: UInt8 = 0x02
    /// Complete list of 16-bit service class UUIDs.
    public static let completeServiceUUIDs16: UInt8 = 0x03
    /// Shortened local name.
    public static let shortenedLocalName: UInt8 = 0x08
    /// Complete local name.
    public static let completeLocalName: UInt8 = 0x09
    /// Service data of a 16-bit UUID.
    public static let serviceData16: UInt8 = 0x16
    /// Manufacturer specific data, beginning with the company identifier.
    public static let manufacturerData: UInt8 = 0xFF
}
