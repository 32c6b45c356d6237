import Advertising

/// The parts that the advertising data of several formats share.
enum AdvertisingPayload {
    /// Flags: LE general discoverable, no classic Bluetooth.
    static let flags: [UInt8] = [0x02, ADType.flags, 0x06]

    /// Eddystone: flags, the list of services and the service data.
    static func eddystone(_ serviceData: [UInt8]) -> [UInt8] {
        var bytes = flags
        ADStructure.append(type: ADType.completeServiceUUIDs16, [0xAA, 0xFE].span, to: &bytes)
        ADStructure.append(type: ADType.serviceData16, ([0xAA, 0xFE] + serviceData).span, to: &bytes)
        return bytes
    }
}
