import Advertising
import Bytes

extension Controller {
    /// What a reading command tells behind its status; nil for a command that doesn't only read.
    func values(of opcode: Opcode) -> [UInt8]? {
        switch opcode {
        case .readLocalVersion:
            // Bluetooth 5.2, of no maker (0xFFFF).
            let version: UInt8 = model.kind == .legacy ? 0x08 : 0x0B
            return [version, 0, 0, version, 0xFF, 0xFF, 0, 0]
        case .readSupportedCommands: return supportedCommands
        case .readLocalFeatures: return littleEndian(model.features)
        // One packet of either kind: nobody connects here.
        case .readBufferSize: return [0xFD, 0x03, 64, 8, 0, 8, 0]
        case .setEventFilter, .writeAcceptTimeout: return []
        case .readLocalName: return [UInt8](repeating: 0, count: 248)
        case .readClass: return [0, 0, 0]
        case .readVoiceSetting: return [0x60, 0]
        case .readInquiryCodeCount: return [1]
        // One code, the general one (0x9E8B33).
        case .readInquiryCodes: return [1, 0x33, 0x8B, 0x9E]
        case .readAddress: return Array(littleEndian(model.address.bits).prefix(6))
        case .leReadBufferSize: return [0xFB, 0x00, 8]
        case .leReadLocalFeatures: return littleEndian(model.lowEnergyFeatures)
        case .leReadAdvertisingPower: return [0]
        case .leReadFilterListSize: return [16]
        case .leClearFilterList: return []
        case .leReadSupportedStates: return littleEndian(0x3FF_FFFF_FFFF)
        case .leReadMaximumAdvertisingDataLength: return [0x72, 0x06]
        case .leReadNumberOfSets: return [UInt8(model.sets)]
        default: return nil
        }
    }

    private var supportedCommands: [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        for opcode in Opcode.allCases where opcode.isKnown(to: model) {
            if let place = opcode.place { octets[place.octet] |= 1 << UInt8(place.bit) }
        }
        return octets
    }

    func littleEndian(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: value)
        return bytes
    }
}
