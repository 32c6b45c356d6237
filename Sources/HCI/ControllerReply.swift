internal import Bytes

/// The answer of a controller to a command: Command Complete (Core Vol 4 Part E 7.7.14) or Command Status (7.7.15).
struct ControllerReply: Hashable, Sendable {
    static let completeCode: UInt8 = 0x0E
    static let statusCode: UInt8 = 0x0F
    /// Command Disallowed (Core Vol 1 Part F 2.12): the command isn't possible in the controller's current state.
    static let disallowed: UInt8 = 0x0C

    let opcode: HCICommand.Opcode
    /// 0 for success, else an error code of Core Vol 1 Part F.
    let status: UInt8
    /// Return parameters after the status.
    var parameters: [UInt8] = []

    var isGood: Bool { status == 0 }

    init(_ opcode: HCICommand.Opcode, status: UInt8, parameters: [UInt8] = []) {
        self.opcode = opcode
        self.status = status
        self.parameters = parameters
    }

    /// Reads an event from its code on; nil if it isn't a complete answer to a command.
    init?(_ event: Span<UInt8>) {
        guard let code = event.byte(at: 0), let length = event.byte(at: 1), event.count >= 2 + Int(length) else {
            return nil
        }
        switch code {
        case Self.completeCode:
            guard length >= 4 else { return nil }
            self.init(Self.readOpcode(event, at: 3), status: event[5])
            parameters.append(contentsOf: event.extracting(6..<2 + Int(length)))
        case Self.statusCode:
            guard length >= 4 else { return nil }
            self.init(Self.readOpcode(event, at: 4), status: event[2])
        default: return nil
        }
    }

    private static func readOpcode(_ event: Span<UInt8>, at offset: Int) -> HCICommand.Opcode {
        HCICommand.Opcode(rawValue: UInt16(event[offset]) | UInt16(event[offset + 1]) << 8)
    }
}
