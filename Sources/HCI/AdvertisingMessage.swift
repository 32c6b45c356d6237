internal import Bytes

/// The messages of the management interface that concern advertising (bluez doc/mgmt-api.txt).
enum AdvertisingMessage: Hashable, Sendable {
    /// The settings of an adapter.
    struct Settings: OptionSet, Hashable, Sendable {
        let rawValue: UInt32
        static let powered = Settings(rawValue: 1 << 0)
        static let connectable = Settings(rawValue: 1 << 1)
        static let classic = Settings(rawValue: 1 << 7)
        static let lowEnergy = Settings(rawValue: 1 << 9)
        /// Another program advertises through the older command (Set Advertising), which takes precedence over
        /// instances.
        static let advertising = Settings(rawValue: 1 << 10)
    }

    /// The advertising features of a controller.
    struct Features: Hashable, Sendable {
        private static let onSecondary1M: UInt32 = 1 << 7
        private static let power: UInt32 = 1 << 10

        var flags: UInt32
        var places: UInt8
        var instances: [UInt8]

        /// True if it has the extended commands, with which each instance has its own interval and address.
        var isExtended: Bool { flags & Self.onSecondary1M != 0 }
        /// True if its power can be set.
        var canSetPower: Bool { flags & Self.power != 0 }
    }

    case info(UInt16, supported: Settings, current: Settings)
    case settings(UInt16, Settings)
    case features(UInt16, Features)
    /// The result of a command; with the transmit power, if the answer contains it.
    case answer(UInt16, ManagementCommand, status: UInt8, power: Int8?)
    /// An instance is gone: its timeout expired, or a program removed it.
    case removed(UInt16, instance: UInt8)
    /// An adapter was added.
    case added(UInt16)
    /// An adapter was removed, or a program now uses it exclusively.
    case gone(UInt16)

    /// Reads one message; nil for other messages and for one that is too short. Sockets may cut off the end of a long
    /// one.
    init?(_ bytes: Span<UInt8>) {
        guard let (event, index) = ManagementEvent.read(bytes) else { return nil }
        let body = bytes.extracting(ManagementEvent.headerLength..<bytes.count)
        switch event {
        case .commandComplete, .commandStatus: self.init(answer: body, index)
        case .indexAdded: self = .added(index)
        case .indexRemoved: self = .gone(index)
        case .newSettings:
            guard let settings = body.littleEndian(UInt32.self, at: 0) else { return nil }
            self = .settings(index, Settings(rawValue: settings))
        case .advertisingRemoved:
            guard let instance = body.byte(at: 0) else { return nil }
            self = .removed(index, instance: instance)
        }
    }

    /// Command Complete, and Command Status: opcode, status, and the command's return values.
    private init?(answer body: Span<UInt8>, _ index: UInt16) {
        guard let number = body.littleEndian(UInt16.self, at: 0),
            let command = ManagementCommand(rawValue: number), let status = body.byte(at: 2)
        else { return nil }
        self = .answer(index, command, status: status, power: nil)
        guard status == 0 else { return }
        let values = body.extracting(3..<body.count)
        switch command {
        case .readInfo:
            // Address 6, version 1, manufacturer 2.
            guard let supported = values.littleEndian(UInt32.self, at: 9),
                let current = values.littleEndian(UInt32.self, at: 13)
            else { return nil }
            self = .info(index, supported: Settings(rawValue: supported), current: Settings(rawValue: current))
        case .readFeatures:
            // Flags 4, lengths of data and of scan response 1 each, maximum and current number of instances 1 each.
            guard let flags = values.littleEndian(UInt32.self, at: 0), let places = values.byte(at: 6),
                let count = values.byte(at: 7)
            else { return nil }
            let instances = (0..<Int(count)).compactMap { values.byte(at: 8 + $0) }
            self = .features(index, Features(flags: flags, places: places, instances: instances))
        case .setParameters:
            self = .answer(index, command, status: status, power: values.byte(at: 1).map { Int8(bitPattern: $0) })
        case .readIndexList, .setPowered, .setLowEnergy, .remove, .setData: break
        }
    }

    /// The index of the adapter that the message concerns.
    var adapter: UInt16 {
        switch self {
        case .info(let index, _, _), .settings(let index, _), .features(let index, _), .answer(let index, _, _, _),
            .removed(let index, _), .added(let index), .gone(let index):
            index
        }
    }
}
