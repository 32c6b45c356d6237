internal import Bytes

/// The Bluetooth management interface's messages (bluez doc/mgmt-api.txt): code, controller, length, parameters.
enum ManagementMessage: Hashable, Sendable {
    /// An adapter has come.
    case added(UInt16)
    /// An adapter has gone, or another program has it for itself now.
    case removed(UInt16)
    /// What an adapter is set to, when its power changes among others; asked for, or because it changed.
    case settings(UInt16, isPowered: Bool)
    /// Another program looks for devices, or has ended that.
    case discovering(UInt16, isOn: Bool)
    /// A Set Powered was carried out, or not: a status of the interface.
    case powerSet(UInt16, status: UInt8)
    /// All adapters there are.
    case indices([UInt16])

    private static let noController: UInt16 = 0xFFFF
    private static let readIndexList: UInt16 = 0x0003
    private static let readInfo: UInt16 = 0x0004
    private static let setPowered: UInt16 = 0x0005

    /// Reads one message; nil for others and for what is too short.
    init?(_ bytes: Span<UInt8>) {
        guard let code = Self.number(bytes, at: 0), let index = Self.number(bytes, at: 2),
            let length = Self.number(bytes, at: 4), bytes.count >= 6 + Int(length)
        else { return nil }
        let body = bytes.extracting(6..<6 + Int(length))
        switch code {
        case 0x0001: self.init(completed: body, index)
        case 0x0002:
            guard Self.number(body, at: 0) == Self.setPowered, let status = body.byte(at: 2) else { return nil }
            self = .powerSet(index, status: status)
        case 0x0004: self = .added(index)
        case 0x0005: self = .removed(index)
        case 0x0006:
            guard let settings = body.byte(at: 0) else { return nil }
            self = .settings(index, isPowered: settings & 1 != 0)
        case 0x0013:
            guard let isOn = body.byte(at: 1) else { return nil }
            self = .discovering(index, isOn: isOn != 0)
        default: return nil
        }
    }

    private init?(completed body: Span<UInt8>, _ index: UInt16) {
        guard let status = body.byte(at: 2) else { return nil }
        switch Self.number(body, at: 0) {
        case Self.readIndexList:
            guard let count = Self.number(body, at: 3) else { return nil }
            self = .indices((0..<Int(count)).compactMap { Self.number(body, at: 5 + 2 * $0) })
        case Self.readInfo:
            // Address 6, version 1, manufacturer 2, supported settings 4, current settings 4.
            guard let settings = body.byte(at: 3 + 13) else { return nil }
            self = .settings(index, isPowered: settings & 1 != 0)
        case Self.setPowered: self = .powerSet(index, status: status)
        default: return nil
        }
    }

    /// Asks for all adapters (Read Controller Index List).
    static let askForIndices = command(readIndexList, noController)

    /// Asks for an adapter's settings (Read Controller Information). Without it the kernel tells nothing of its power.
    static func askForSettings(_ index: UInt16) -> [UInt8] { command(readInfo, index) }

    /// Turns an adapter's power on or off (Set Powered).
    static func setPowered(_ index: UInt16, _ isOn: Bool) -> [UInt8] { command(setPowered, index, [isOn ? 1 : 0]) }

    /// A command's bytes.
    static func command(_ code: UInt16, _ index: UInt16, _ body: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: code)
        bytes.append(littleEndian: index)
        bytes.append(littleEndian: UInt16(body.count))
        return bytes + body
    }

    /// A 16-bit number; nil where it isn't all there.
    static func number(_ bytes: Span<UInt8>, at offset: Int) -> UInt16? {
        guard let low = bytes.byte(at: offset), let high = bytes.byte(at: offset + 1) else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }
}
