internal import Bytes

/// A command of the Bluetooth management interface (bluez doc/mgmt-api.txt).
enum ManagementCommand: UInt16, Sendable {
    case readIndexList = 0x0003
    case readInfo = 0x0004
    case setPowered = 0x0005
    case setLowEnergy = 0x000D
    case readFeatures = 0x003D
    case remove = 0x003F
    case setParameters = 0x0054
    case setData = 0x0055

    /// The controller index of a command that concerns no controller.
    static let noController: UInt16 = 0xFFFF

    /// The command's bytes for a controller: code, controller, length, parameters.
    func bytes(_ index: UInt16, _ body: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: rawValue)
        bytes.append(littleEndian: index)
        bytes.append(littleEndian: UInt16(body.count))
        return bytes + body
    }
}
