/// The error codes that these controllers answer with (Core Vol 1 Part F 1.3).
enum HCIStatus: UInt8 {
    case success = 0x00
    case unknownCommand = 0x01
    case memoryFull = 0x07
    case commandDisallowed = 0x0C
    case unsupportedParameter = 0x11
    case invalidParameters = 0x12
    case advertisingTimeout = 0x3C
    case unknownAdvertisingIdentifier = 0x42
    case limitReached = 0x43
}
