internal import BeaconFrames
internal import Bytes

/// A radio decoding of reelyActive's as JSON (github.com/reelyactive/raddec, "Properties"): one transmitter, as
/// received by several receivers. On `<root>/devices/<id>/<id type>/raddec` (barnacles-mqtt, "Topics").
struct Raddec {
    /// The reading of one receiver.
    private struct Receiver {
        var id: String?
        var level: Double?
        var decodings: Double?
    }

    /// The bound of a message in bytes; a valid one is below it.
    private static let payloadLimit = 16_384
    /// The most receivers that are read, the strongest first in the order of the message.
    private static let receiverLimit = 64
    /// The most packets that are read.
    private static let packetLimit = 16
    /// Identifier types whose ids are device addresses: EUI-48, and a random address of 48 bits.
    private static let addressTypes = [2.0, 3.0]
    /// Bytes of a packet before its AD structures: its header, its length and the address (Core Vol 6 Part B 2.3).
    private static let headerLength = 8

    private var transmitter: String?
    private var type: Double?
    private var receivers: [Receiver]?
    private var packets: [String] = []

    /// The meaning of a message on a topic with these levels below the root: a reading for each receiver.
    static func readMessages(_ levels: [Substring], _ payload: Span<UInt8>) throws(IntegrationFault)
        -> [ExternalMessage]
    {
        guard levels.count == 4, levels[0] == "devices", levels[3] == "raddec" else { throw .otherTopic }
        return try Raddec(payload).readings().map { .reading($0) }
    }

    private init() {}

    private init(_ payload: Span<UInt8>) throws(IntegrationFault) {
        var raddec = Raddec()
        try readNeighbour(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "transmitterId": raddec.transmitter = try json.string()
                case "transmitterIdType": raddec.type = try json.number()
                case "rssiSignature": raddec.receivers = try Self.readReceivers(&json)
                case "packets": raddec.packets = try Self.readPackets(&json)
                default: try json.skip()
                }
            }
        }
        self = raddec
    }

    private static func readReceivers(_ json: inout JSONReader) throws(JSONFault) -> [Receiver] {
        var receivers: [Receiver] = []
        try json.beginArray()
        while try json.nextElement() {
            var receiver = Receiver()
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "receiverId": receiver.id = try json.string()
                case "rssi": receiver.level = try json.number()
                case "numberOfDecodings": receiver.decodings = try json.number()
                default: try json.skip()
                }
            }
            if receivers.count < receiverLimit { receivers.append(receiver) }
        }
        return receivers
    }

    private static func readPackets(_ json: inout JSONReader) throws(JSONFault) -> [String] {
        var packets: [String] = []
        try json.beginArray()
        while try json.nextElement() {
            guard packets.count < packetLimit else {
                try json.skip()
                continue
            }
            packets.append(try json.string())
        }
        return packets
    }

    private func readings() throws(IntegrationFault) -> [ExternalReading] {
        guard let transmitter else { throw .missing("transmitterId") }
        guard let type else { throw .missing("transmitterIdType") }
        guard let receivers, !receivers.isEmpty else { throw .missing("rssiSignature") }
        guard Plausible.isName(transmitter) else { throw .outOfRange("transmitterId") }
        var heard = ExternalReading(system: .raddec, node: "", names: [])
        for packet in packets { addPacket(packet, into: &heard) }
        if Self.addressTypes.contains(type) {
            guard let address = ExternalName.address(transmitter) else { throw .outOfRange("transmitterId") }
            heard.names.append(.beacon(address))
        } else {
            heard.names.append(.alias(transmitter))
        }
        var readings: [ExternalReading] = []
        for receiver in receivers {
            guard let id = receiver.id else { throw .missing("receiverId") }
            guard let bytes = Hex.bytes(id, ignoring: [0x3A, 0x2D]), (1...16).contains(bytes.count) else {
                throw .outOfRange("receiverId")
            }
            guard let level = try Plausible.value(receiver.level, "rssi", in: Plausible.levels) else {
                throw .missing("rssi")
            }
            let count = try Plausible.value(receiver.decodings, "numberOfDecodings", in: 1...255) ?? 1
            (heard.node, heard.level, heard.count) = (Hex.text(bytes.span), level, Int(count))
            readings.append(heard)
        }
        return readings
    }

    private func addPacket(_ packet: String, into reading: inout ExternalReading) {
        guard packet.utf8.count <= 600, let bytes = Hex.bytes(packet) else {
            reading.oddity = "a packet is not hexadecimal"
            return
        }
        guard bytes.count > Self.headerLength else { return }
        var frames: [BeaconFrame] = []
        BeaconFrame.decode(data: bytes.span.extracting(Self.headerLength...)) { frames.append($0) }
        for frame in frames { reading.addFrame(frame) }
    }
}
