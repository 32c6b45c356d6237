public import Advertising
public import Bytes
public import Identity
public import Sightings

/// The `nearby` commands that a node is listening for, and their answers.
///
/// Costs nothing while none is open.
///
///     try requests.open(command, at: now)                      // throws .failed where four are open already
///     if !requests.isEmpty { requests.take(report, data, of: beacon, at: time) }
///     for result in requests.takeResults(at: now) { publish(result) }
public struct NearbyRequests: Sendable {
    /// The most requests that are open at once; further ones are refused.
    public static let bound = 4

    private var open: [(command: NodeCommand, table: NearbyTable)] = []

    /// None open.
    public init() {}

    /// Whether none is open.
    public var isEmpty: Bool { open.isEmpty }
    /// When the next answer is due; nil where none is open.
    public var nextDeadline: Timestamp? { open.map(\.table.end).min() }

    /// Begins to listen for a command. One that is open already, as a broker may deliver twice, changes nothing, and so
    /// does one of another action.
    public mutating func open(_ command: NodeCommand, at now: Timestamp) throws(CommandFault) {
        guard case .nearby(let duration) = command.action else { return }
        if command.id != nil, open.contains(where: { $0.command.id == command.id }) { return }
        guard open.count < Self.bound else {
            throw .failed("\(Self.bound) nearby requests are open already; try again in a moment")
        }
        open.append((command, NearbyTable(from: now, for: duration)))
    }

    /// Takes a report, with its advertising data and whose it is.
    public mutating func take(
        _ report: AdvertisingReport, _ data: Span<UInt8>, of beacon: IdentityResolver.Resolution, at time: Timestamp
    ) {
        for index in open.indices { open[index].table.take(report, data, of: beacon, at: time) }
    }

    /// Says that the clock was set forward by so many microseconds, or back where they are negative.
    public mutating func clockStepped(by step: Int64) {
        for index in open.indices { open[index].table.clockStepped(by: step) }
    }

    /// The answers that are due, in the order of their commands.
    public mutating func takeResults(at now: Timestamp) -> [CommandResult] {
        guard !open.isEmpty else { return [] }
        let due = open.filter { $0.table.isDue(at: now) }
        open.removeAll { $0.table.isDue(at: now) }
        return due.map { CommandResult(to: $0.command, .nearby($0.table.strongest()), at: now) }
    }
}
