internal import Bytes
internal import HCI
internal import WireProtocol

/// Why a source gives no more.
struct SourceFault: Error, CustomStringConvertible {
    /// What it was reading, such as a file.
    var place: String
    /// What went wrong, and where.
    var reason: String

    var description: String { "\(place): \(reason)" }
}

/// By which time a recording is lived through.
enum SourceTime: Hashable, Sendable {
    /// The wall clock's: it is heard as it happens.
    case wall
    /// A clock of its own. One without a speed is made of its events: it stands still between them.
    case own(NodeClock)
    /// Not known before the first event: to be asked for again when the source's descriptor is readable.
    case unknown
}

/// When a source must be asked for events again.
enum Upcoming: Hashable, Sendable {
    /// At this time of the recording; at once where that is past.
    case due(Timestamp)
    /// When its descriptor is readable.
    case whenReadable
    /// Never: the recording is at its end.
    case ended

    /// The time at which it must be asked, where time alone brings its events.
    var time: Timestamp? { if case .due(let time) = self { time } else { nil } }
}

/// That a source begins or ceases to listen, at a time of the recording. What is not listened to is no silence.
enum ListeningChange: Hashable, Sendable {
    case stopped(Timestamp)
    case resumed(Timestamp)
}

/// Where a node's HCI events come from. It belongs to one thread, and never makes it wait.
///
/// A source gives one or several recordings, one after another, each by its own time. An adapter is one recording that
/// doesn't end.
protocol PacketSource: AnyObject {
    /// What `info` calls it.
    var adapter: String { get }

    /// The address of the adapter that `hci:auto` stands for, to be remembered; nil for every other source.
    var chosenAdapter: String? { get }

    /// Whether it hears what happens now, and only once: it doesn't wait for the broker to be there.
    var isLive: Bool { get }

    /// Readable when there may be events; nil where time alone brings them, or while there is nothing to wait for. It may
    /// be another one after each call.
    var descriptor: Int32? { get }

    /// Begins the next recording, at a wall time; nil where there is none left.
    func begin(atWall wall: Timestamp) throws(SourceFault) -> SourceTime?

    /// When the source must be asked again.
    var next: Upcoming { get }

    /// Gives up to `limit` events in order: those before `until`, or whatever is there where that is nil. It stops before
    /// a change of listening. On the wall's time `until` is now, and no event is later. Throws at the place where the
    /// recording breaks, after all events before it.
    func deliver(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault)

    /// The change of listening that comes next after the events delivered; given once.
    func takeListening() -> ListeningChange?

    /// How its radio does; nil for a source that has none.
    var radio: RadioStatus? { get }

    /// Begins the scan anew; false for a source that has no radio.
    func rescan() -> Bool

    /// What has come to keep its radio from hearing since the last call, and what no longer does.
    func takeRadioChanges() -> [RadioChange]

    /// The clock by which a paced recording goes on after the wall clock was set forward by so many microseconds, or back.
    func clock(_ clock: NodeClock, afterStep step: Int64) -> NodeClock
}

/// What most sources are: recordings, always listening, without anything to wait for, and bound to the wall clock by their origin.
extension PacketSource {
    var chosenAdapter: String? { nil }
    var isLive: Bool { false }
    var descriptor: Int32? { nil }
    func takeListening() -> ListeningChange? { nil }
    var radio: RadioStatus? { nil }
    func rescan() -> Bool { false }
    func takeRadioChanges() -> [RadioChange] { [] }
    func clock(_ clock: NodeClock, afterStep step: Int64) -> NodeClock { clock }
}
