internal import Bytes
internal import HCI
internal import WireProtocol

/// The reason why a source ends.
struct SourceFault: Error, CustomStringConvertible {
    /// The input that it was reading, such as a file.
    var place: String
    /// The fault, with its place.
    var reason: String

    var description: String { "\(place): \(reason)" }
}

/// The kind of time of a recording.
enum SourceTime: Hashable, Sendable {
    /// The wall clock's: events are received as they happen.
    case wall
    /// A clock of its own. One without a speed follows the events: it doesn't advance between them.
    case own(NodeClock)
    /// Unknown before the first event: to be asked for again when the source's descriptor is readable.
    case unknown
}

/// The time at which a source must be asked for events again.
enum Upcoming: Hashable, Sendable {
    /// At this time of the recording; at once if it has passed.
    case due(Timestamp)
    /// At the time at which its descriptor is readable.
    case whenReadable
    /// Never: the recording is at its end.
    case ended

    /// The time at which it must be asked, if only time brings its events.
    var time: Timestamp? { if case .due(let time) = self { time } else { nil } }
}

/// A source of a node's HCI events. It belongs to one thread, and never blocks it.
///
/// A source returns one or several recordings, one after another, each by its own time. An adapter is one endless
/// recording.
protocol PacketSource: AnyObject {
    /// Its name in `info`.
    var adapter: String { get }

    /// The address of the adapter that `hci:auto` stands for, to be remembered; nil for every other source.
    var chosenAdapter: String? { get }

    /// True if its events happen now, and only once: it doesn't wait for the broker.
    var isLive: Bool { get }

    /// The descriptor, readable when there may be events; nil if only time brings them, or while there is nothing to
    /// wait for. It may change after each call.
    var descriptor: Int32? { get }

    /// Begins the next recording, at a wall time; nil if there is none left.
    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime?

    /// The time at which the source must be asked again.
    var next: Upcoming { get }

    /// Passes on up to `limit` events in order: those before `until`, or all available ones if it is nil. It stops
    /// before a change of listening. On the wall's time `until` is now, and no event is later. Throws at the place
    /// where the recording breaks, after all events before it.
    func deliverEvents(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault)

    /// The change of listening that follows the delivered events, at a time of the recording; returned once. A time
    /// without listening is no silence.
    func takeListening() -> ScanChange?

    /// The state of its radio; nil for a source without one.
    var radio: RadioStatus? { get }

    /// Begins the scan anew; returns false for a source without a radio.
    func rescan() -> Bool

    /// The faults of its radio that began or ended since the last call.
    func takeRadioChanges() -> [RadioChange]

    /// The clock of a paced recording after the wall clock was set forward by `step`, or back if negative.
    func clock(_ clock: NodeClock, afterStep step: Duration) -> NodeClock
}

/// The properties of most sources: recordings, always listening, without a descriptor, and bound to the wall clock by
/// their origin.
extension PacketSource {
    var chosenAdapter: String? { nil }
    var isLive: Bool { false }
    var descriptor: Int32? { nil }
    func takeListening() -> ScanChange? { nil }
    var radio: RadioStatus? { nil }
    func rescan() -> Bool { false }
    func takeRadioChanges() -> [RadioChange] { [] }
    func clock(_ clock: NodeClock, afterStep step: Duration) -> NodeClock { clock }
}
