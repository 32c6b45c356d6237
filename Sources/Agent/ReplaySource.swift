internal import Bytes
internal import Captures
internal import WireProtocol

/// The HCI events of capture files, one file after another. Files that follow each other within `pause`, as those of a
/// ``CaptureRing`` do, are one recording.
final class ReplaySource: PacketSource {
    /// The longest time between two files, that counts as listening.
    static let pause: Duration = .seconds(5)

    private var files: [String]
    private let speed: Double?
    private var current: Capture?
    private var upcoming: Timestamp?
    /// The next recording, with its first event.
    private var following: (capture: Capture, first: Timestamp)?

    /// - Parameter speed: seconds of the capture's time in a second; nil for unpaced.
    init(files: [String], speed: Double?) {
        self.files = files
        self.speed = speed
    }

    var adapter: String { "replay" }

    var next: Upcoming { upcoming.map { .due($0) } ?? .ended }

    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? {
        current = nil
        if following == nil { following = try openNextFile() }
        guard let (capture, first) = following else { return nil }
        (current, upcoming, following) = (capture, first, nil)
        return .own(NodeClock(start: first, origin: wall, speed: speed))
    }

    func deliverEvents(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        var left = limit
        while left > 0, let current, let time = upcoming {
            if let until, time >= until { return }
            current.reader.withBytes { body(time, $0) }
            left -= 1
            upcoming = nil
            upcoming = try current.findEvent(after: time)
            if upcoming == nil { upcoming = try goOn(after: time) }
        }
    }

    /// The first event of the next file, if that file continues this recording.
    private func goOn(after time: Timestamp) throws(SourceFault) -> Timestamp? {
        following = try openNextFile()
        guard let (capture, first) = following, (.zero...Self.pause).contains(first.duration(since: time)) else {
            return nil
        }
        (current, following) = (capture, nil)
        return first
    }

    /// The next file with an event.
    private func openNextFile() throws(SourceFault) -> (Capture, Timestamp)? {
        while !files.isEmpty {
            let capture = try Capture(path: files.removeFirst())
            if let first = try capture.findEvent(after: nil) { return (capture, first) }
        }
        return nil
    }

    /// The recording is independent of the wall clock, and continues without a change.
    func clock(_ clock: NodeClock, afterStep step: Duration) -> NodeClock {
        NodeClock(start: clock.start, origin: clock.origin.advanced(by: step), speed: clock.speed)
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

    /// Reads up to the next HCI event, and returns its time of reception. An event without a time has that of the last
    /// one.
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
