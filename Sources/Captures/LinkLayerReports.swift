import Advertising
import Bytes

/// The HCI events that result from a capture's link-layer packets, in order, until they are returned.
struct LinkLayerReports {
    private var receiver = LinkLayerReceiver()
    private var events: [(time: Timestamp?, event: [UInt8])] = []
    private var given = 0
    /// The time of the last packet, used for a packet without one to expire incomplete reports.
    private var clock = Timestamp(microseconds: 0)

    var counters: LinkLayerCounters { receiver.counters }

    /// Receives a link-layer packet in a source's buffer.
    mutating func receive(_ found: FoundPacket, _ reception: LinkLayerReception, in source: borrowing ByteSource) {
        clock = found.packet.time ?? clock
        let hasTime = found.packet.time != nil
        events.removeAll(keepingCapacity: true)
        given = 0
        var made = events
        receiver.receive(source.taken(found.bytes), reception, at: clock) { made.append((hasTime ? $0 : nil, $1)) }
        events = made
    }

    /// Discards incomplete reports at the end of a capture.
    mutating func finish() {
        var made: [(time: Timestamp?, event: [UInt8])] = []
        receiver.finish { made.append(($0, $1)) }
        events = made
        given = 0
    }

    /// The next event.
    mutating func next() -> FoundPacket? {
        guard given < events.count else { return nil }
        given += 1
        let (time, event) = events[given - 1]
        return FoundPacket(CapturedPacket(time: time, kind: .event, direction: .received), copy: event)
    }
}
