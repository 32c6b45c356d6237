internal import Bytes

/// What the management interface says that concerns advertising (bluez doc/mgmt-api.txt).
enum AdvertisingMessage: Hashable, Sendable {
    /// What can be asked of it.
    enum Command: UInt16, Sendable {
        case readInfo = 0x0004
        case setPowered = 0x0005
        case setLowEnergy = 0x000D
        case readFeatures = 0x003D
        case remove = 0x003F
        case setParameters = 0x0054
        case setData = 0x0055
    }

    /// What an adapter is set to.
    struct Settings: OptionSet, Hashable, Sendable {
        let rawValue: UInt32
        static let powered = Settings(rawValue: 1 << 0)
        static let connectable = Settings(rawValue: 1 << 1)
        static let classic = Settings(rawValue: 1 << 7)
        static let lowEnergy = Settings(rawValue: 1 << 9)
        /// Another program has it advertise in the way of old (Set Advertising), before which instances stand back.
        static let advertising = Settings(rawValue: 1 << 10)
    }

    /// What a controller can send.
    struct Features: Hashable, Sendable {
        private static let onSecondary1M: UInt32 = 1 << 7
        private static let power: UInt32 = 1 << 10

        var flags: UInt32
        var places: UInt8
        var instances: [UInt8]

        /// Whether it has the extended commands, with which each instance has its own interval and address.
        var isExtended: Bool { flags & Self.onSecondary1M != 0 }
        /// Whether its power can be chosen.
        var canSetPower: Bool { flags & Self.power != 0 }
    }

    private static let headerLength = 6

    case info(UInt16, supported: Settings, current: Settings)
    case settings(UInt16, Settings)
    case features(UInt16, Features)
    /// A command was carried out, or not; with the power that is sent with, where it tells that.
    case answer(UInt16, Command, status: UInt8, power: Int8?)
    /// An instance is gone: its time was over, or a program removed it.
    case removed(UInt16, instance: UInt8)
    /// An adapter has come.
    case added(UInt16)
    /// An adapter has gone, or a program has it for itself now.
    case gone(UInt16)

    /// Reads one message; nil for others and for what is too short. The end of a long one may be cut off, as sockets do.
    init?(_ bytes: Span<UInt8>) {
        guard let code = ManagementMessage.number(bytes, at: 0), let index = ManagementMessage.number(bytes, at: 2),
            bytes.count >= Self.headerLength
        else { return nil }
        let body = bytes.extracting(Self.headerLength..<bytes.count)
        switch code {
        case 0x0001, 0x0002: self.init(answer: body, index)
        case 0x0004: self = .added(index)
        case 0x0005: self = .gone(index)
        case 0x0006:
            guard let settings = Self.longNumber(body, at: 0) else { return nil }
            self = .settings(index, Settings(rawValue: settings))
        case 0x0024:
            guard let instance = body.byte(at: 0) else { return nil }
            self = .removed(index, instance: instance)
        default: return nil
        }
    }

    /// Command Complete, and Command Status: opcode, status, and what the command gives.
    private init?(answer body: Span<UInt8>, _ index: UInt16) {
        guard let number = ManagementMessage.number(body, at: 0), let command = Command(rawValue: number),
            let status = body.byte(at: 2)
        else { return nil }
        self = .answer(index, command, status: status, power: nil)
        guard status == 0 else { return }
        let values = body.extracting(3..<body.count)
        switch command {
        case .readInfo:
            // Address 6, version 1, manufacturer 2.
            guard let supported = Self.longNumber(values, at: 9),
                let current = Self.longNumber(values, at: 13)
            else { return nil }
            self = .info(index, supported: Settings(rawValue: supported), current: Settings(rawValue: current))
        case .readFeatures:
            // Flags 4, lengths of data and of scan response 1 each, how many can be and how many there are.
            guard let flags = Self.longNumber(values, at: 0), let places = values.byte(at: 6),
                let count = values.byte(at: 7)
            else { return nil }
            let instances = (0..<Int(count)).compactMap { values.byte(at: 8 + $0) }
            self = .features(index, Features(flags: flags, places: places, instances: instances))
        case .setParameters:
            self = .answer(index, command, status: status, power: values.byte(at: 1).map { Int8(bitPattern: $0) })
        default: break
        }
    }

    private static func longNumber(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
        guard let low = ManagementMessage.number(bytes, at: offset),
            let high = ManagementMessage.number(bytes, at: offset + 2)
        else { return nil }
        return UInt32(low) | UInt32(high) << 16
    }
}

extension AdvertisingMessage.Command {
    /// Its bytes, for an adapter.
    func bytes(_ index: UInt16, _ body: [UInt8] = []) -> [UInt8] {
        ManagementMessage.command(rawValue, index, body)
    }
}
