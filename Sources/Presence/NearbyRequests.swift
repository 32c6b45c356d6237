public import Advertising
public import Bytes
public import Identity
public import WireProtocol

/// The open `nearby` commands of a node, and their answers.
///
/// Costs nothing while none is open.
///
///     try requests.open(command, reply: address, at: now)      // throws .failed where four are open already
///     if !requests.isEmpty { requests.take(report, data, of: beacon, at: time) }
///     for (result, address) in requests.takeResults(at: now) { publish(address.message(result.payload)) }
public struct NearbyRequests: Sendable {
    /// The maximum number of open requests; further ones are rejected.
    public static let bound = 4

    private var open: [(command: NodeCommand, reply: ReplyAddress, table: NearbyTable)] = []

    /// None open.
    public init() {}

    /// A Boolean value that is true if none is open.
    public var isEmpty: Bool { open.isEmpty }
    /// The time of the next answer; nil if none is open.
    public var nextDeadline: Timestamp? { open.map(\.table.end).min() }

    /// Opens a request for a command. One that is open already, as a broker may deliver it twice, changes nothing, and
    /// neither does one of another action.
    public mutating func openRequest(
        _ command: NodeCommand, reply: ReplyAddress, at now: Timestamp
    ) throws(CommandFault) {
        guard case .nearby(let duration) = command.action else { return }
        if command.id != nil, open.contains(where: { $0.command.id == command.id && $0.reply == reply }) { return }
        guard open.count < Self.bound else {
            throw .failed("\(Self.bound) nearby requests are open already; try again in a moment")
        }
        open.append((command, reply, NearbyTable(from: now, for: duration)))
    }

    /// Records a report, with its advertising data and its beacon.
    public mutating func receive(
        _ report: AdvertisingReport, _ data: Span<UInt8>, of beacon: IdentityResolver.Resolution, at time: Timestamp
    ) {
        for index in open.indices { open[index].table.receive(report, data, of: beacon, at: time) }
    }

    /// Adjusts to a clock that was set forward by `step`, or back if it is negative.
    public mutating func clockStepped(by step: Duration) {
        for index in open.indices { open[index].table.clockStepped(by: step) }
    }

    /// The due answers and their destinations, in the order of their commands.
    public mutating func takeResults(at now: Timestamp) -> [(result: CommandResult, reply: ReplyAddress)] {
        guard !open.isEmpty else { return [] }
        let due = open.filter { $0.table.isDue(at: now) }
        open.removeAll { $0.table.isDue(at: now) }
        return due.map { request in
            let answer = NodeAnswer.nearby(request.table.strongest(), others: request.table.others())
            return (CommandResult(to: request.command, answer, at: now), request.reply)
        }
    }
}
