internal import Bytes

/// One HCI command (Core Vol 4 Part E 5.4.1).
struct HCICommand: Hashable, Sendable {
    /// A command's number: the group in the upper six bits, the command in the lower ten.
    struct Opcode: RawRepresentable, Hashable, Sendable {
        let rawValue: UInt16

        static let setEventMask = Opcode(rawValue: 0x0C01)
        static let reset = Opcode(rawValue: 0x0C03)
        static let readLocalSupportedCommands = Opcode(rawValue: 0x1002)
        static let leSetEventMask = Opcode(rawValue: 0x2001)
        static let leReadLocalSupportedFeatures = Opcode(rawValue: 0x2003)
        static let leSetScanParameters = Opcode(rawValue: 0x200B)
        static let leSetScanEnable = Opcode(rawValue: 0x200C)
        static let leSetExtendedScanParameters = Opcode(rawValue: 0x2041)
        static let leSetExtendedScanEnable = Opcode(rawValue: 0x2042)

        /// The commands by which another program changes a scan.
        static let ofScans: Set<Opcode> = [
            .reset, .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
        ]
    }

    /// The packet indicator of a command on an HCI socket (Core Vol 4 Part A 2).
    static let indicator: UInt8 = 0x01

    let opcode: Opcode
    let parameters: [UInt8]

    /// A command; only the first 255 bytes of the parameters are used.
    init(_ opcode: Opcode, _ parameters: [UInt8] = []) {
        self.opcode = opcode
        self.parameters = Array(parameters.prefix(255))
    }

    /// The bytes of the command on a socket.
    var packet: [UInt8] {
        var bytes = [Self.indicator]
        bytes.append(littleEndian: opcode.rawValue)
        bytes.append(UInt8(parameters.count))
        return bytes + parameters
    }
}

extension HCICommand {
    /// HCI_Reset (7.3.2).
    static let reset = HCICommand(.reset)
    /// HCI_Read_Local_Supported_Commands (7.4.2).
    static let readLocalSupportedCommands = HCICommand(.readLocalSupportedCommands)
    /// HCI_LE_Read_Local_Supported_Features (7.8.3).
    static let leReadLocalSupportedFeatures = HCICommand(.leReadLocalSupportedFeatures)

    /// HCI_Set_Event_Mask (7.3.1): the events that are on by default, and bit 61, LE Meta.
    static let setEventMask = HCICommand(.setEventMask, littleEndian(0x2000_1FFF_FFFF_FFFF))

    /// HCI_LE_Set_Event_Mask (7.8.1): the events that are on by default, and bit 12, LE Extended Advertising Report.
    static func leSetEventMask(extended: Bool) -> HCICommand {
        HCICommand(.leSetEventMask, littleEndian(extended ? 0x101F : 0x001F))
    }

    /// HCI_LE_Set_Scan_Parameters (7.8.10): public own address, no filter.
    static func leSetScanParameters(_ settings: ScanSettings) -> HCICommand {
        var parameters = [settings.kind.code]
        parameters.append(littleEndian: settings.intervalSlots)
        parameters.append(littleEndian: settings.windowSlots(share: 1))
        return HCICommand(.leSetScanParameters, parameters + [0, 0])
    }

    /// HCI_LE_Set_Scan_Enable (7.8.11), or HCI_LE_Set_Extended_Scan_Enable (7.8.65) without an end; duplicates are not
    /// filtered.
    static func scanEnable(_ isOn: Bool, extended: Bool) -> HCICommand {
        let isOn: UInt8 = isOn ? 1 : 0
        return extended
            ? HCICommand(.leSetExtendedScanEnable, [isOn, 0, 0, 0, 0, 0]) : HCICommand(.leSetScanEnable, [isOn, 0])
    }

    /// HCI_LE_Set_Extended_Scan_Parameters (7.8.64): public own address, no filter. With two PHYs, each has half of the
    /// window.
    static func leSetExtendedScanParameters(_ settings: ScanSettings, coded: Bool) -> HCICommand {
        var parameters: [UInt8] = [0, 0, coded ? 0b101 : 0b001]
        for _ in 0..<(coded ? 2 : 1) {
            parameters.append(settings.kind.code)
            parameters.append(littleEndian: settings.intervalSlots)
            parameters.append(littleEndian: settings.windowSlots(share: coded ? 2 : 1))
        }
        return HCICommand(.leSetExtendedScanParameters, parameters)
    }

    private static func littleEndian(_ mask: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: mask)
        return bytes
    }
}
