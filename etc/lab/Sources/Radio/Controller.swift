import Advertising
import Bytes

/// A low energy controller as a value: it takes its host's packets and the time, and says what it does.
///
/// It keeps the rules that a host stumbles over: what isn't allowed while scanning or advertising is on, that legacy and
/// extended commands don't mix between resets, event masks, duplicate filters, durations.
public struct Controller: Sendable {
    /// What it was made to be.
    public let model: ControllerModel
    /// Answers nothing and reports nothing, but goes on advertising.
    public var isHung = false
    /// Answers, but reports nothing.
    public var isMute = false

    /// Whether an HCI Reset ends either.
    public var isCuredByReset = false

    /// How many reports its host has taken in its life.
    public internal(set) var reports: UInt64 = 0
    /// Whether its host took the last packet: one that is switched off takes none.
    public private(set) var isHeeded = true
    /// How many commands it was given.
    public private(set) var commands: UInt64 = 0

    var scanning = Scanning()
    var beacons = BeaconStream()
    var sets: [UInt8: AdvertisingSet] = [:]
    var randomAddress: DeviceAddress?
    private var family: Opcode.Family?
    private var eventMask = Self.defaultEventMask
    private var lowEnergyEventMask = Self.defaultLowEnergyEventMask
    var generator: Generator

    /// Without LE Meta events, which a host asks for first.
    private static let defaultEventMask: UInt64 = 0x1FFF_FFFF_FFFF
    private static let defaultLowEnergyEventMask: UInt64 = 0x1F

    /// A controller as it is after power on; what is random in it is made from the seed.
    public init(_ model: ControllerModel, seed: UInt64) {
        self.model = model
        self.generator = Generator(seed: seed)
    }

    /// Whether reports reach the host as far as the controller is concerned.
    public var isHearing: Bool { scanning.isEnabled && !scanning.filtersDuplicates && !isHung && !isMute && isHeeded }

    /// Takes a packet of the host, with the H4 indicator. What isn't a command is passed over.
    public mutating func receive(_ packet: Span<UInt8>, at now: Nanoseconds) -> [Effect] {
        guard packet.byte(at: 0) == 0x01, let code = packet.littleEndian(UInt16.self, at: 1),
            let length = packet.byte(at: 3), packet.count == 4 + Int(length)
        else { return [] }
        commands += 1
        if code == Opcode.reset.rawValue, isCuredByReset { (isHung, isMute, isCuredByReset) = (false, false, false) }
        guard !isHung else { return [.truth("unanswered opcode=\(Hex.text(code, digits: 4))")] }
        guard let opcode = Opcode(rawValue: code), opcode.isKnown(to: model) else {
            return [.packet(Self.status(.unknownCommand, of: code))]
        }
        let parameters = packet.extracting(4..<packet.count)
        guard parameters.count >= opcode.parameterLength else { return [complete(opcode, .invalidParameters)] }
        if let asked = opcode.family {
            guard family == nil || family == asked else { return [complete(opcode, .commandDisallowed)] }
            // Reading changes nothing that the rule is about.
            if ![.leReadMaximumAdvertisingDataLength, .leReadNumberOfSets].contains(opcode) { family = asked }
        }
        return answer(opcode, parameters, at: now)
    }

    private mutating func answer(_ opcode: Opcode, _ parameters: Span<UInt8>, at now: Nanoseconds) -> [Effect] {
        switch opcode {
        case .reset:
            reset()
            return [.truth("reset"), complete(opcode, .success)]
        case .setEventMask:
            eventMask = parameters.littleEndian(UInt64.self, at: 0) ?? 0
            return [complete(opcode, .success)]
        case .leSetEventMask:
            lowEnergyEventMask = parameters.littleEndian(UInt64.self, at: 0) ?? 0
            return [complete(opcode, .success)]
        case .leSetRandomAddress:
            guard !scanning.isEnabled, sets[Self.legacySet]?.isEnabled != true else {
                return [complete(opcode, .commandDisallowed)]
            }
            randomAddress = address(in: parameters, at: 0)
            return [complete(opcode, .success)]
        case .leRandom:
            return [complete(opcode, .success, littleEndian(generator.next()))]
        case .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable:
            return scan(opcode, parameters, at: now)
        default:
            if let values = values(of: opcode) { return [complete(opcode, .success, values)] }
            return opcode.family == .legacy
                ? advertise(opcode, parameters, at: now) : advertiseExtended(opcode, parameters, at: now)
        }
    }

    private mutating func reset() {
        scanning = Scanning()
        sets = [:]
        randomAddress = nil
        family = nil
        eventMask = Self.defaultEventMask
        lowEnergyEventMask = Self.defaultLowEnergyEventMask
        beacons.pause()
    }

    /// An event of LE Meta, if the host's masks let it through. Subevents count from 1, and so do the mask's bits.
    func metaEvent(_ event: [UInt8], reports: UInt64 = 0) -> Effect? {
        guard eventMask >> 61 & 1 == 1, lowEnergyEventMask >> UInt64(event[2] - 1) & 1 == 1 else { return nil }
        return .packet([0x04] + event, reports: reports)
    }

    /// Is told whether the host took a packet with so many reports.
    public mutating func packetWasTaken(_ isTaken: Bool, reports count: UInt64) {
        isHeeded = isTaken
        guard isTaken else { return }
        (scanning.reports, reports) = (scanning.reports + count, reports + count)
    }

    /// Command Complete (Core Vol 4 Part E 7.7.14).
    func complete(_ opcode: Opcode, _ status: HCIStatus, _ values: [UInt8] = []) -> Effect {
        var event: [UInt8] = [0x04, 0x0E, UInt8(4 + values.count), 1]
        event.append(littleEndian: opcode.rawValue)
        event.append(status.rawValue)
        return .packet(event + values)
    }

    /// Command Status (Core Vol 4 Part E 7.7.15).
    private static func status(_ status: HCIStatus, of opcode: UInt16) -> [UInt8] {
        var event: [UInt8] = [0x04, 0x0F, 4, status.rawValue, 1]
        event.append(littleEndian: opcode)
        return event
    }

    func address(in parameters: Span<UInt8>, at offset: Int) -> DeviceAddress {
        var bits: UInt64 = 0
        for index in 0..<6 { bits |= UInt64(parameters[offset + index]) << UInt64(8 * index) }
        return DeviceAddress(bits, .random)
    }
}

/// What a controller does.
public enum Effect: Sendable {
    /// Gives its host a packet, with the H4 indicator, in which there are so many reports.
    case packet([UInt8], reports: UInt64 = 0)
    /// Something to be remembered as the truth: words of the form `key=value` behind a name.
    case truth(String)
}

/// Nanoseconds of the monotonic clock.
public typealias Nanoseconds = UInt64

extension UInt64 {
    /// So many milliseconds.
    static func milliseconds(_ count: Double) -> Nanoseconds { UInt64(Swift.max(0, count) * 1e6) }
}
