import Advertising
import Bytes

extension Controller {
    /// The set that the legacy commands speak of; an extended controller's sets are elsewhere empty then.
    static let legacySet: UInt8 = 0

    /// The legacy commands of advertising (Core Vol 4 Part E 7.8.5 to 7.8.9).
    mutating func advertise(_ opcode: Opcode, _ parameters: Span<UInt8>, at now: Nanoseconds) -> [Effect] {
        var set = sets[Self.legacySet] ?? AdvertisingSet()
        switch opcode {
        case .leSetAdvertisingParameters:
            guard !set.isEnabled else { return [complete(opcode, .commandDisallowed)] }
            let types: [AdvertisingEventType] = [.advInd, .advDirectInd, .advScanInd, .advNonconnInd, .advDirectInd]
            let interval = parameters.littleEndian(UInt16.self, at: 0) ?? 0
            guard Int(parameters[4]) < types.count, (0x20...0x4000).contains(interval) else {
                return [complete(opcode, .invalidParameters)]
            }
            set.type = types[Int(parameters[4])]
            set.interval = .milliseconds(Double(interval) * 0.625)
            set.usesRandomAddress = parameters[5] & 1 == 1
        case .leSetAdvertisingData, .leSetScanResponseData:
            guard parameters[0] <= 31 else { return [complete(opcode, .invalidParameters)] }
            let bytes = [UInt8](copying: parameters.extracting(1..<1 + Int(parameters[0])))
            if opcode == .leSetAdvertisingData { set.data = bytes } else { set.response = bytes }
        default:
            guard parameters[0] == 1 else {
                let effects = stop(Self.legacySet, &set)
                sets[Self.legacySet] = set
                return effects + [complete(opcode, .success)]
            }
            guard !set.usesRandomAddress || randomAddress != nil else {
                return [complete(opcode, .invalidParameters)]
            }
            set.randomAddress = randomAddress
            start(&set, at: now)
            sets[Self.legacySet] = set
            return [truth(of: Self.legacySet, set), complete(opcode, .success)]
        }
        sets[Self.legacySet] = set
        return [complete(opcode, .success)]
    }

    func start(_ set: inout AdvertisingSet, at now: Nanoseconds) {
        (set.isEnabled, set.next, set.events) = (true, now, 0)
    }

    func stop(_ handle: UInt8, _ set: inout AdvertisingSet) -> [Effect] {
        guard set.isEnabled else { return [] }
        set.isEnabled = false
        return [.truth("advertising off handle=\(handle) events=\(set.events)")]
    }

    func truth(of handle: UInt8, _ set: AdvertisingSet) -> Effect {
        .truth(
            "advertising on handle=\(handle) type=\(set.type.name) address=\(sender(of: set))"
                + " interval=\(set.interval / 1_000_000)ms power=\(set.power)"
                + " data=\(Hex.text(set.data.span)) response=\(Hex.text(set.response.span))")
    }

    /// The address that a set sends from.
    func sender(of set: AdvertisingSet) -> DeviceAddress {
        set.usesRandomAddress ? set.randomAddress ?? model.address : model.address
    }

    /// Takes time forward: what is sent in between, and what ended.
    mutating func advance(to now: Nanoseconds, level: Int8) -> (sent: [Transmission], effects: [Effect]) {
        var sent: [Transmission] = []
        var effects: [Effect] = []
        for handle in sets.keys.sorted() {
            guard var set = sets[handle], set.isEnabled else { continue }
            if let reason = set.ending(at: now) {
                effects += stop(handle, &set)
                // LE Advertising Set Terminated (Core Vol 4 Part E 7.7.65.18), of no connection.
                let terminated: [UInt8] = [
                    0x3E, 6, 0x12, reason.rawValue, handle, 0, 0, UInt8(clamping: set.events),
                ]
                if !isHung, let event = metaEvent(terminated) { effects.append(event) }
            } else if set.next <= now {
                sent.append(set.transmission(from: sender(of: set), rssi: level))
                set.events += 1
                set.next = now + set.interval + generator.next() % .milliseconds(10)
            }
            sets[handle] = set
        }
        if let end = scanning.end, end <= now, scanning.isEnabled {
            effects += endScan()
            if !isHung, let event = metaEvent([0x3E, 1, 0x11]) { effects.append(event) }
        }
        return (sent, effects)
    }

    /// When something happens by itself next.
    func deadline(from now: Nanoseconds) -> Nanoseconds? {
        var moments = sets.values.lazy.filter(\.isEnabled).flatMap { [$0.next, $0.end ?? .max] }.min()
        if scanning.isEnabled {
            moments = [moments, scanning.end, isHung ? nil : beacons.deadline(from: now)].compactMap(\.self).min()
        }
        return moments
    }
}
