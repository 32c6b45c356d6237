internal import Bytes

/// An event of the Bluetooth management interface, unsolicited or in answer (bluez doc/mgmt-api.txt).
enum ManagementEvent: UInt16, Sendable {
    case commandComplete = 0x0001
    case commandStatus = 0x0002
    case indexAdded = 0x0004
    case indexRemoved = 0x0005
    case newSettings = 0x0006
    case advertisingRemoved = 0x0024

    /// The length of the header before the parameters: code, controller and length, two bytes each.
    static let headerLength = 6

    /// The event that a packet begins with, and its controller; nil for other events and for a packet that is too
    /// short.
    static func read(_ bytes: Span<UInt8>) -> (event: ManagementEvent, index: UInt16)? {
        guard let code = bytes.littleEndian(UInt16.self, at: 0), let index = bytes.littleEndian(UInt16.self, at: 2),
            bytes.count >= headerLength, let event = ManagementEvent(rawValue: code)
        else { return nil }
        return (event, index)
    }
}
