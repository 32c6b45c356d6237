import Bytes

/// A packet that an earlier one announced and that was not received yet.
struct AwaitedPacket: Sendable {
    /// The kinds of awaited packets.
    enum Role {
        /// AUX_ADV_IND, announced by ADV_EXT_IND.
        case advertisement
        /// AUX_CHAIN_IND: more data of a report that was begun.
        case chain
        /// AUX_SCAN_RSP of a scannable set, which is sent only in response to a request.
        case scanResponse
    }

    var role: Role
    /// The fields of the report received so far; anonymous while no packet had an address.
    var report: AdvertisingReport
    /// The ADI that it must have.
    var dataInfo: UInt16?
    /// The expected channel; nil for any.
    var channel: UInt8?
    /// The expected time.
    var due: Timestamp
    /// The time at which it is given up.
    var deadline: Timestamp
}

/// The awaited packets: at most 32. A further one replaces the one with the earliest deadline.
struct AwaitedPackets: Sendable {
    static let capacity = 32

    private var packets: [AwaitedPacket] = []

    /// Adds a packet. Returns the one that it replaces.
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

    /// Removes the packet of a role that matches and was due nearest to `time`.
    mutating func removePacket(
        _ role: AwaitedPacket.Role, near time: Timestamp, where fits: (AwaitedPacket) -> Bool
    ) -> AwaitedPacket? {
        var best: (index: Int, distance: UInt64)?
        for index in packets.indices where packets[index].role == role && fits(packets[index]) {
            let distance = time.microseconds(since: packets[index].due).magnitude
            if best.map({ distance < $0.distance }) ?? true { best = (index, distance) }
        }
        return best.map { packets.remove(at: $0.index) }
    }

    /// Returns true if a packet of a role that matches is awaited.
    func contains(_ role: AwaitedPacket.Role, where fits: (AwaitedPacket) -> Bool) -> Bool {
        packets.contains { $0.role == role && fits($0) }
    }

    /// Removes the next packet whose deadline is at or before `time`; any packet if `time` is nil.
    mutating func takeExpired(at time: Timestamp?) -> AwaitedPacket? {
        guard let index = packets.firstIndex(where: { packet in time.map { packet.deadline < $0 } ?? true }) else {
            return nil
        }
        return packets.remove(at: index)
    }
}
