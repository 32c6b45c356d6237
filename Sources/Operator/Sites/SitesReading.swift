internal import BrokerSession
internal import Bytes
internal import Sites
internal import System

/// One look at several sites, all at once.
final class SitesReading {
    /// A site, and what it has answered.
    struct Asked {
        let site: Site
        var state: SiteState
        /// True if retained messages were still to come when the time was over.
        var isCutOff = false
        var figures: SiteFigures { state.figures }
        /// True if a search finds all that the site publishes.
        var isWhole: Bool { state.isWhole && !isCutOff }
    }

    /// The time without a further retained message after which all have come.
    private static let lull: Duration = .seconds(1)
    /// The time for a message that was not retained: of a fuser that is online one comes every three seconds.
    private static let beat: Duration = .seconds(4)

    private let loop: RunLoop
    private let log: Log
    private let sites: [Site]

    init(_ sites: [Site], log: Log) throws {
        loop = try RunLoop()
        (self.sites, self.log) = (sites, log)
    }

    /// Asks all sites; blocks for that time at most. What has not answered by then is unreachable.
    func read(within patience: Duration) throws -> [Asked] {
        let begin = MonotonicClock.now()
        var asked = sites.map { Asked(site: $0, state: SiteState($0, at: WallClock.now())) }
        var open: [Int: SiteConnection] = [:]
        defer { open.values.forEach { $0.end() } }
        for (index, site) in sites.enumerated() {
            open[index] = try SiteConnection(
                site, asked[index].state, name: "whereabouts-sites", log: log, patience: patience.seconds)
        }
        while !open.isEmpty, MonotonicClock.now() - begin < patience {
            let next = min(begin + patience, MonotonicClock.now() + .milliseconds(100))
            let ready = try loop.wait(readable: open.values.map(\.descriptor), until: next)
            if ready.shouldEnd { throw Interruption() }
            let (now, time) = (MonotonicClock.now(), WallClock.now())
            for (index, connection) in open {
                connection.receive(into: &asked[index].state, at: now, time)
                guard isOver(connection, asked[index].state, at: now) else { continue }
                connection.end()
                open[index] = nil
            }
        }
        let (now, time) = (MonotonicClock.now(), WallClock.now())
        for index in asked.indices {
            if let connection = open[index], !asked[index].state.isUnreachable {
                if connection.granted == nil {
                    asked[index].state.lost("no answer within \(Int(patience / .seconds(1))) s", at: time)
                } else {
                    asked[index].isCutOff = !hasAll(connection, at: now)
                }
            }
            asked[index].state.conclude(at: time)
        }
        return asked
    }

    private func isOver(_ connection: SiteConnection, _ state: SiteState, at now: MonotonicTime) -> Bool {
        if state.isUnreachable { return true }
        guard hasAll(connection, at: now), let granted = connection.granted else { return false }
        return !state.expectsMessages || state.hasLiveMessage || now - granted >= Self.beat
    }

    /// True if all that the broker retains has come.
    private func hasAll(_ connection: SiteConnection, at now: MonotonicTime) -> Bool {
        guard let granted = connection.granted, let last = connection.lastRetained else { return false }
        return now - max(granted, last) >= Self.lull
    }
}
