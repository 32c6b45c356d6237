internal import Bytes

/// The messages of the management interface that concern a scan (bluez doc/mgmt-api.txt).
enum ManagementMessage: Hashable, Sendable {
    /// An adapter was added.
    case added(UInt16)
    /// An adapter was removed, or another program now uses it exclusively.
    case removed(UInt16)
    /// The settings of an adapter, sent on a change of its power among others.
    case settings(UInt16, isPowered: Bool)
    /// The result of Set Powered: a status of the interface.
    case powerSet(UInt16, status: UInt8)
    /// All adapters present.
    case indices([UInt16])

    /// Reads one message; nil for other messages and for one that is too short.
    init?(_ bytes: Span<UInt8>) {
        guard let (event, index) = ManagementEvent.read(bytes), let length = bytes.littleEndian(UInt16.self, at: 4),
            bytes.count >= ManagementEvent.headerLength + Int(length)
        else { return nil }
        let body = bytes.extracting(ManagementEvent.headerLength..<ManagementEvent.headerLength + Int(length))
        switch event {
        case .commandComplete, .commandStatus: self.init(answer: body, index)
        case .indexAdded: self = .added(index)
        case .indexRemoved: self = .removed(index)
        case .newSettings:
            guard let settings = body.byte(at: 0) else { return nil }
            self = .settings(index, isPowered: settings & 1 != 0)
        case .advertisingRemoved: return nil
        }
    }

    /// Command Complete, and Command Status: opcode, status, and the command's return values.
    private init?(answer body: Span<UInt8>, _ index: UInt16) {
        guard let number = body.littleEndian(UInt16.self, at: 0), let status = body.byte(at: 2) else { return nil }
        switch ManagementCommand(rawValue: number) {
        case .readIndexList:
            guard let count = body.littleEndian(UInt16.self, at: 3) else { return nil }
            self = .indices((0..<Int(count)).compactMap { body.littleEndian(UInt16.self, at: 5 + 2 * $0) })
        case .setPowered: self = .powerSet(index, status: status)
        case .readInfo, .setLowEnergy, .readFeatures, .remove, .setParameters, .setData, nil: return nil
        }
    }

    /// Requests all adapters (Read Controller Index List).
    static let askForIndices = ManagementCommand.readIndexList.bytes(ManagementCommand.noController)

    /// Requests an adapter's settings (Read Controller Information): before that the kernel doesn't report changes of
    /// its power. The answer itself is ignored.
    static func askForSettings(_ index: UInt16) -> [UInt8] { ManagementCommand.readInfo.bytes(index) }

    /// Turns an adapter's power on or off (Set Powered).
    static func setPowered(_ index: UInt16, _ isOn: Bool) -> [UInt8] {
        ManagementCommand.setPowered.bytes(index, [isOn ? 1 : 0])
    }
}
