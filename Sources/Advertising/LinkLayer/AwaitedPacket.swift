import Bytes

/// A packet that an earlier one announced and that has not come yet.
struct AwaitedPacket: Sendable {
    /// What it will be.
    enum Role {
        /// AUX_ADV_IND, announced by ADV_EXT_IND.
        case advertisement
        /// AUX_CHAIN_IND: more data of a report that was begun.
        case chain
        /// AUX_SCAN_RSP of a scannable set, which comes only if somebody asks.
        case scanResponse
    }

    var role: Role
    /// What is known of the report so far; anonymous while no packet had an address.
    var report: AdvertisingReport
    /// The ADI that it must have.
    var dataInfo: UInt16?
    /// The channel that it must come on; nil for any.
    var channel: UInt8?
    /// When it should come.
    var due: Timestamp
    /// When it is given up.
    var deadline: Timestamp
}

/// The packets that are awaited: at most 32, of which the one to be given up first makes room for another.
struct AwaitedPackets: Sendable {
    static let capacity = 32

    private var packets: [AwaitedPacket] = []

    /// Adds a packet. Returns the one that made room for it.
    mutating func insert(_ packet: AwaitedPacket) -> AwaitedPacket? {
        var evicted: AwaitedPacket?
        if packets.count == Self.capacity,
            let first = packets.indices.min(by: { packets[$0].deadline < packets[$1].deadline })
        {
            evicted = packets.remove(at: first)
        }
        packets.append(packet)
        return evicted
    }

    /// Takes out the packet of a role that fits and was due nearest to `time`.
    mutating func take(
        _ role: AwaitedPacket.Role, near time: Timestamp, where fits: (AwaitedPacket) -> Bool
    ) -> AwaitedPacket? {
        var best: (index: Int, distance: UInt64)?
        for index in packets.indices where packets[index].role == role && fits(packets[index]) {
            let distance = time.microseconds(since: packets[index].due).magnitude
            if best.map({ distance < $0.distance }) ?? true { best = (index, distance) }
        }
        return best.map { packets.remove(at: $0.index) }
    }

    /// Whether a packet of a role that fits is awaited.
    func contains(_ role: AwaitedPacket.Role, where fits: (AwaitedPacket) -> Bool) -> Bool {
        packets.contains { $0.role == role && fits($0) }
    }

    /// Takes out the next packet that is given up at `time`; any packet where that is nil.
    mutating func takeExpired(at time: Timestamp?) -> AwaitedPacket? {
        guard let index = packets.firstIndex(where: { packet in time.map { packet.deadline < $0 } ?? true }) else {
            return nil
        }
        return packets.remove(at: index)
    }
}
