internal import Bytes
internal import Captures
internal import Sightings

/// The HCI events of capture files, one file after another.
final class ReplaySource: PacketSource {
    private var files: [String]
    private let speed: Double?
    private var current: Capture?
    private var upcoming: Timestamp?

    /// - Parameter speed: seconds of the capture's time in a second; nil for as fast as it can.
    init(files: [String], speed: Double?) {
        self.files = files
        self.speed = speed
    }

    var adapter: String { "replay" }

    var next: Upcoming { upcoming.map { .due($0) } ?? .ended }

    func begin(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? {
        current = nil
        while !files.isEmpty {
            let capture = try Capture(path: files.removeFirst())
            current = capture
            guard let first = try capture.findEvent(after: nil) else { continue }
            upcoming = first
            return .own(NodeClock(start: first, origin: wall, speed: speed))
        }
        return nil
    }

    func deliver(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        guard let current else { return }
        var left = limit
        while left > 0, let time = upcoming {
            if let until, time >= until { return }
            current.reader.withBytes { body(time, $0) }
            left -= 1
            upcoming = nil
            upcoming = try current.findEvent(after: time)
        }
    }

    /// The recording knows nothing of the wall, and goes on as if nothing had happened.
    func clock(_ clock: NodeClock, afterStep step: Int64) -> NodeClock {
        NodeClock(start: clock.start, origin: clock.origin.advanced(byMicroseconds: step), speed: clock.speed)
    }
}

/// One file that is being read.
private final class Capture {
    let path: String
    var reader: CaptureReader

    init(path: String) throws(SourceFault) {
        self.path = path
        do {
            reader = try CaptureReader(path: path)
        } catch {
            throw SourceFault(place: path, reason: "\(error)")
        }
    }

    /// Goes on to the next HCI event, and says when it was received. An event without a time came with the last one.
    func findEvent(after last: Timestamp?) throws(SourceFault) -> Timestamp? {
        do {
            while let packet = try reader.next() {
                guard packet.kind == .event, packet.direction != .sent else { continue }
                guard let time = packet.time ?? last else { continue }
                return time
            }
            return nil
        } catch {
            throw SourceFault(place: path, reason: "\(error)")
        }
    }
}
