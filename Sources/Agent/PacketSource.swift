internal import Bytes
internal import Sightings

/// Why a source gives no more.
struct SourceFault: Error, CustomStringConvertible {
    /// What it was reading, such as a file.
    var place: String
    /// What went wrong, and where.
    var reason: String

    var description: String { "\(place): \(reason)" }
}

/// Where a node's HCI events come from. It belongs to one thread.
///
/// A source gives one or several recordings, one after another, each on its own clock.
protocol PacketSource: AnyObject {
    /// What `info` calls it.
    var adapter: String { get }

    /// Begins the next recording, at a wall time; nil where there is none left.
    func begin(atWall wall: Timestamp) throws(SourceFault) -> NodeClock?

    /// When the next event of the recording must be asked for; nil at its end.
    var next: Timestamp? { get }

    /// Gives up to `limit` events in order: those before `until`, or whatever comes first where that is nil. Throws at
    /// the place where the recording breaks, after all events before it.
    func deliver(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault)
}
