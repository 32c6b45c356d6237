public import Bytes

/// The description of one packet in a capture file; the reader holds the packet's bytes.
public struct CapturedPacket: Hashable, Sendable {
    /// The kind of packet (Core Specification 5.4, Vol 4 Part A section 2, Table 2.1).
    public enum Kind: Sendable {
        /// An HCI command; the bytes start at its opcode.
        case command
        /// HCI asynchronous data; the bytes start at the connection handle.
        case acl
        /// HCI synchronous data; the bytes start at the connection handle.
        case sco
        /// An HCI event; the bytes start at the event code.
        case event
        /// HCI isochronous data; the bytes start at the connection handle.
        case iso
        /// Anything else: a note of the Linux monitor, an unknown H4 indicator, a packet cut off before its kind.
        case other
    }

    /// The direction of a packet.
    public enum Direction: Sendable {
        /// From the host to the controller.
        case sent
        /// From the controller to the host.
        case received
        /// The file doesn't contain the direction.
        case unknown
    }

    /// The time of capture; nil for a simple packet block of pcapng, which has no time.
    public var time: Timestamp?
    /// The kind of packet.
    public var kind: Kind
    /// The direction. Without one in the file: sent for a command, received for an event.
    public var direction: Direction
    /// The index of the adapter (0 for hci0), if the format contains it: the Linux monitor's formats.
    public var adapter: UInt16?

    /// A packet's description.
    public init(time: Timestamp?, kind: Kind, direction: Direction, adapter: UInt16? = nil) {
        self.time = time
        self.kind = kind
        self.direction = direction
        self.adapter = adapter
    }
}

extension CapturedPacket.Kind {
    /// The kind that an H4 indicator means.
    init(h4Indicator indicator: UInt8) {
        switch indicator {
        case 1: self = .command
        case 2: self = .acl
        case 3: self = .sco
        case 4: self = .event
        case 5: self = .iso
        default: self = .other
        }
    }

    /// The H4 indicator of this kind; nil for `other`.
    var h4Indicator: UInt8? {
        switch self {
        case .command: 1
        case .acl: 2
        case .sco: 3
        case .event: 4
        case .iso: 5
        case .other: nil
        }
    }

    /// The only direction that a packet of this kind can have; `unknown` if both are possible.
    var onlyDirection: CapturedPacket.Direction {
        switch self {
        case .command: .sent
        case .event: .received
        case .acl, .sco, .iso, .other: .unknown
        }
    }
}
