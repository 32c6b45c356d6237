import Advertising
import Bytes

extension Controller {
    /// The extended commands of advertising (Core Vol 4 Part E 7.8.52 to 7.8.60).
    mutating func advertiseExtended(
        _ opcode: Opcode, _ parameters: Span<UInt8>, at now: Nanoseconds
    ) -> [Effect] {
        switch opcode {
        case .leSetExtendedAdvertisingParameters: return setParameters(parameters)
        case .leSetExtendedAdvertisingEnable: return enableSets(parameters, at: now)
        case .leClearSets:
            guard sets.values.allSatisfy({ !$0.isEnabled }) else { return [complete(opcode, .commandDisallowed)] }
            sets = [:]
            return [complete(opcode, .success)]
        default: break
        }
        let handle = parameters[0]
        guard var set = sets[handle] else { return [complete(opcode, .unknownAdvertisingIdentifier)] }
        switch opcode {
        case .leRemoveSet:
            guard !set.isEnabled else { return [complete(opcode, .commandDisallowed)] }
            sets[handle] = nil
            return [complete(opcode, .success)]
        case .leSetSetRandomAddress:
            guard !(set.isEnabled && set.type.contains(.connectable)) else {
                return [complete(opcode, .commandDisallowed)]
            }
            set.randomAddress = address(in: parameters, at: 1)
        case .leSetExtendedAdvertisingData:
            if let status = refusal(parameters, into: &set.data, of: set) { return [complete(opcode, status)] }
        case .leSetExtendedScanResponseData:
            if let status = refusal(parameters, into: &set.response, of: set) { return [complete(opcode, status)] }
        default: return [complete(opcode, .unknownCommand)]
        }
        sets[handle] = set
        return [complete(opcode, .success)]
    }

    private mutating func setParameters(_ parameters: Span<UInt8>) -> [Effect] {
        let opcode = Opcode.leSetExtendedAdvertisingParameters
        let handle = parameters[0]
        let known = sets[handle]
        guard known?.isEnabled != true else { return [complete(opcode, .commandDisallowed)] }
        guard known != nil || sets.count < model.sets else { return [complete(opcode, .memoryFull)] }
        let properties = parameters.littleEndian(UInt16.self, at: 1) ?? 0
        let interval = UInt32(parameters[3]) | UInt32(parameters[4]) << 8 | UInt32(parameters[5]) << 16
        let (primary, secondary) = (PHY(rawValue: parameters[20]), PHY(rawValue: parameters[22]))
        let isLegacy = properties & 0x10 != 0
        // Legacy PDUs come in five forms only, and an extended event isn't connectable and scannable in one.
        guard interval >= 0x20, isLegacy ? [0x13, 0x15, 0x1D, 0x12, 0x10].contains(properties) : properties & 3 != 3
        else { return [complete(opcode, .invalidParameters)] }
        guard primary == .le1M || (primary == .leCoded && model.coded && !isLegacy) else {
            return [complete(opcode, .unsupportedParameter)]
        }
        var set = known ?? AdvertisingSet()
        set.type = AdvertisingEventType(rawValue: UInt8(properties & 0x07) | UInt8(properties & 0x10))
        set.interval = .milliseconds(Double(interval) * 0.625)
        set.usesRandomAddress = parameters[10] & 1 == 1
        (set.primaryPHY, set.secondaryPHY) = (primary, secondary)
        set.identifier = isLegacy ? nil : parameters[23] & 0x0F
        set.isAnonymous = properties & 0x20 != 0
        let asked = Int8(bitPattern: parameters[19])
        set.power = asked == 127 ? 0 : max(-20, min(10, asked))
        set.toldPower = properties & 0x40 != 0 ? set.power : nil
        sets[handle] = set
        return [complete(opcode, .success, [UInt8(bitPattern: set.power)])]
    }

    /// Data in one piece or several; gives why it isn't taken.
    private func refusal(
        _ parameters: Span<UInt8>, into bytes: inout [UInt8], of set: AdvertisingSet
    ) -> HCIStatus? {
        let (operation, length) = (parameters[1], Int(parameters[3]))
        guard parameters.count == 4 + length, operation <= 4 else { return .invalidParameters }
        // While it sends, data is exchanged as a whole.
        guard !set.isEnabled || operation >= 3 else { return .commandDisallowed }
        if operation == 4 { return nil }
        let piece = [UInt8](copying: parameters.extracting(4..<4 + length))
        let whole = operation == 0 || operation == 2 ? bytes + piece : piece
        guard whole.count <= (set.type.contains(.legacy) ? 31 : 1650) else { return .invalidParameters }
        bytes = whole
        return nil
    }

    private mutating func enableSets(_ parameters: Span<UInt8>, at now: Nanoseconds) -> [Effect] {
        let opcode = Opcode.leSetExtendedAdvertisingEnable
        let (isOn, count) = (parameters[0] == 1, Int(parameters[1]))
        guard parameters[0] <= 1, parameters.count == 2 + 4 * count, count > 0 || !isOn else {
            return [complete(opcode, .invalidParameters)]
        }
        let entries = (0..<count).map { 2 + 4 * $0 }
        let handles = count == 0 ? sets.keys.sorted() : entries.map { parameters[$0] }
        guard handles.allSatisfy({ sets[$0] != nil }) else {
            return [complete(opcode, .unknownAdvertisingIdentifier)]
        }
        var effects: [Effect] = []
        for (index, handle) in handles.enumerated() {
            guard var set = sets[handle] else { continue }
            if isOn {
                guard !set.usesRandomAddress || set.randomAddress != nil else {
                    return effects + [complete(opcode, .invalidParameters)]
                }
                let duration = parameters.littleEndian(UInt16.self, at: entries[index] + 1) ?? 0
                set.end = duration == 0 ? nil : now + .milliseconds(Double(duration) * 10)
                set.maximumEvents = parameters[entries[index] + 3]
                start(&set, at: now)
                effects.append(truth(of: handle, set))
            } else {
                effects += stop(handle, &set)
            }
            sets[handle] = set
        }
        return effects + [complete(opcode, .success)]
    }
}
