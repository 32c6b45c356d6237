internal import Bytes
internal import HCI
internal import System
internal import WireProtocol

/// The advertisements that a node sends on command: four at once at most, each for its time.
///
/// It belongs to the agent's thread, which waits on `descriptors` until `nextDeadline` and then calls `advance`.
final class NodeAdvertising {
    /// The most advertisements at once.
    static let capacity = 4
    /// The time limit for being on the air, before the command has failed.
    static let patience: Duration = .seconds(5)

    /// A command, with the destination of its answer.
    struct Request {
        var command: NodeCommand
        var reply: ReplyAddress
    }

    private struct Entry {
        let advertiser: any AdvertisementSender
        let data: [UInt8]
        /// The time on the air.
        var length: Duration
        /// The time at which it ends, or by which it must be on the air.
        var until: MonotonicTime
        /// The commands that wait for it to be on the air.
        var waiting: [Request]
    }

    /// Begins to send on an adapter at a monotonic moment.
    typealias Opening = (AdapterChoice, AdvertisingSettings, MonotonicTime) throws(AdvertiserFault) ->
        any AdvertisementSender

    private var entries: [Entry] = []
    private let log: Log
    private let open: Opening

    init(log: Log, opening open: @escaping Opening = NodeAdvertising.openAdvertiser) {
        self.log = log
        self.open = open
    }

    private static func openAdvertiser(
        _ choice: AdapterChoice, _ settings: AdvertisingSettings, _ now: MonotonicTime
    ) throws(AdvertiserFault) -> any AdvertisementSender {
        try Advertiser(choice, settings, now: now)
    }

    /// The descriptors; one of them is readable when `advance` is to be called.
    var descriptors: [Int32] { entries.map(\.advertiser.descriptor) }
    /// The latest time for the next call of `advance`, on `MonotonicClock`; nil while nothing is sent.
    var nextDeadline: MonotonicTime? {
        entries.flatMap { [$0.until, $0.advertiser.nextDeadline ?? $0.until] }.min()
    }

    /// Begins to send; `advance` returns the answer later. An advertisement that is already sent gets a new duration.
    func startSending(
        _ data: [UInt8], for length: Duration, on radio: RadioStatus, _ request: Request, at now: MonotonicTime
    ) throws(CommandFault) {
        if let place = entries.firstIndex(where: { $0.data == data }) {
            entries[place].length = length
            entries[place].until = now + (entries[place].advertiser.state == .onAir ? length : Self.patience)
            entries[place].waiting.append(request)
            return
        }
        guard entries.count < Self.capacity else {
            throw .failed("\(Self.capacity) advertisements are sent already; stop them, or wait for their end")
        }
        guard let choice = (radio.address ?? radio.adapter).flatMap({ AdapterChoice($0) }) else {
            throw .failed("this node has no adapter yet" + (radio.mend.map { ": \($0)" } ?? ""))
        }
        do throws(AdvertiserFault) {
            let advertiser = try open(choice, AdvertisingSettings(data), now)
            entries.append(
                Entry(
                    advertiser: advertiser, data: data, length: length, until: now + Self.patience, waiting: [request]))
        } catch {
            throw .failed("\(error); \(error.mend)")
        }
    }

    /// Ends all advertisements, and returns the answers of those that weren't on the air yet.
    func stopAll(at time: Timestamp) -> [(CommandResult, ReplyAddress)] {
        defer { entries.removeAll() }
        // The kernel completes a request even after the socket is closed.
        for entry in entries { entry.advertiser.stop() }
        return entries.flatMap { Self.makeAnswers($0, .failed("it was stopped before it was on the air"), at: time) }
    }

    /// Continues each advertisement, and returns the answers that are due; `time` is the node's.
    func advance(to now: MonotonicTime, at time: Timestamp) -> [(CommandResult, ReplyAddress)] {
        var results: [(CommandResult, ReplyAddress)] = []
        for place in entries.indices.reversed() {
            let advertiser = entries[place].advertiser
            advertiser.advance(to: now)
            for notice in advertiser.takeNotices() { log.info(notice.text) }
            if advertiser.state == .onAir, !entries[place].waiting.isEmpty {
                results += Self.makeAnswers(entries[place], .done, at: time)
                entries[place].waiting = []
                entries[place].until = now + entries[place].length
            }
            guard advertiser.state == .ended || entries[place].until <= now else { continue }
            let fault = advertiser.failure ?? advertiser.problem
            let words =
                fault.map { "\($0); \($0.mend)" }
                ?? "it was not on the air within \(Self.patience.components.seconds) s"
            results += Self.makeAnswers(entries[place], .failed(words), at: time)
            advertiser.stop()
            entries.remove(at: place)
        }
        return results
    }

    private static func makeAnswers(
        _ entry: Entry, _ answer: NodeAnswer, at time: Timestamp
    ) -> [(CommandResult, ReplyAddress)] {
        entry.waiting.map { (CommandResult(to: $0.command, answer, at: time), $0.reply) }
    }
}
