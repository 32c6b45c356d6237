internal import Bytes
internal import Captures
internal import WireProtocol

/// The HCI events of a btsnoop stream from standard input or a named pipe, as they arrive. Their times are its clock:
/// it follows the speed of the input, and doesn't advance without input.
final class PipeSource: PacketSource {
    private let place: String
    private var stream: CaptureStream
    /// The time of reception of the packet that waits to be delivered.
    private var waiting: Timestamp?
    private var hasEnded = false

    /// - Parameter path: a named pipe, or `-` for standard input.
    init(path: String) throws(SourceFault) {
        place = path == "-" ? "standard input" : path
        do {
            stream = path == "-" ? CaptureStream(descriptor: 0) : try CaptureStream(path: path)
        } catch {
            throw SourceFault(place: place, reason: "\(error)")
        }
    }

    var adapter: String { "replay" }
    var descriptor: Int32? { stream.descriptor }

    var next: Upcoming { waiting.map { .due($0) } ?? (hasEnded ? .ended : .whenReadable) }

    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? {
        if waiting == nil { try readUpToEvent() }
        guard let waiting else { return hasEnded ? nil : .unknown }
        return .own(NodeClock(start: waiting, origin: wall, speed: nil))
    }

    func deliverEvents(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        var left = limit
        if waiting == nil { try readUpToEvent() }
        while left > 0, let time = waiting {
            stream.withBytes { body(time, $0) }
            left -= 1
            waiting = nil
            try readUpToEvent()
        }
    }

    /// Reads up to the next available HCI event.
    private func readUpToEvent() throws(SourceFault) {
        do {
            while !hasEnded {
                switch try stream.next() {
                case .packet(let packet):
                    guard packet.kind == .event, packet.direction != .sent, let time = packet.time else { continue }
                    waiting = time
                    return
                case .nothingYet: return
                case .ended: hasEnded = true
                }
            }
        } catch {
            throw SourceFault(place: place, reason: "\(error)")
        }
    }
}
