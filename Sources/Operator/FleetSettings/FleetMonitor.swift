internal import Bytes
internal import WireProtocol

/// Measures the health of nodes and of the house over a period, from their topics.
struct FleetMonitor {
    /// The measures of one node.
    struct NodeMeasures: Hashable {
        /// The longest time without news of it: between two scans, or the length of an interval; in seconds.
        var silence = 0.0
        /// True if it is online, and the last news of it are longer ago than a node may be silent.
        var isSilent = false
        /// Advertising reports a second.
        var reports = 0.0
        /// The share of the time in which it did not scan.
        var gap = 0.0
        /// Windows and reports lost to full queues, a second.
        var dropped = 0.0
        /// True if it scanned at all: without that the three before are unknown.
        var isHeard = false
        /// Its problems in words, those of its radio included.
        var problems: Set<String> = []
    }

    /// The measures of one fuser.
    struct FuserMeasures: Hashable {
        /// The time since its last claim, in seconds.
        var silence = 0.0
        /// Its problems in words.
        var problems: Set<String> = []
    }

    /// The measures of one room, or of the whole house.
    struct PlaceMeasures: Hashable {
        /// Moves, arrivals and departures in the period.
        var events = 0
        /// The items that are there, on average.
        var items = 0.0
    }

    /// The measures of a period.
    struct Measures: Hashable {
        /// The length of the period, in seconds.
        var seconds = 0.0
        var nodes: [String: NodeMeasures] = [:]
        var fusers: [String: FuserMeasures] = [:]
        /// The shards that some fuser serves, of 256.
        var servedShards = 0
        var rooms: [String: PlaceMeasures] = [:]
        var house = PlaceMeasures()
        /// True if items were counted: a period that ends early has none of their samples.
        var countsItems = false
        /// The mean confidence of the answers for items that are present; nil for none.
        var confidence: Double?
    }

    /// The topics that are read, beside those of `FleetNodes`.
    static func filters(_ topics: Topics) -> [String] {
        [topics.allNodes("scan"), topics.allItems("location"), topics.allItems("events")]
            + FleetFusers.filters(topics)
    }

    private struct Count {
        var heard: MonotonicTime
        var silence = 0.0
        var seconds = 0.0
        var reports = 0
        var gapMilliseconds = 0
        var dropped: UInt64 = 0
        var lastDropped: UInt64?
    }

    private let topics: Topics
    private(set) var fusers: FleetFusers
    /// The time before which no fuser counts as silent.
    private var fusersHeard: MonotonicTime
    private var counts: [String: Count] = [:]
    private var locations: [String: Location] = [:]
    private var begun: MonotonicTime
    private var sampledFrom: MonotonicTime
    private var moves: Set<String> = []
    private var events = 0
    private var roomEvents: [String: Int] = [:]
    private var samples = 0
    private var itemSum = 0
    private var roomItems: [String: Int] = [:]
    private var confidence = (sum: 0.0, count: 0)

    init(_ topics: Topics, at time: MonotonicTime) {
        self.topics = topics
        fusers = FleetFusers(topics)
        (begun, sampledFrom, fusersHeard) = (time, time, time)
    }

    /// Begins a period of so many seconds. Of items the second half of it counts, once their answers have settled.
    mutating func begin(at time: MonotonicTime, seconds: Double) {
        begun = time
        sampledFrom = time + .seconds(seconds / 2)
        fusersHeard = time
        counts = counts.mapValues { count in
            var new = Count(heard: time)
            new.lastDropped = count.lastDropped
            return new
        }
        (moves, events, roomEvents) = ([], 0, [:])
        (samples, itemSum, roomItems, confidence) = (0, 0, [:], (0, 0))
    }

    /// Starts the silence of every node and fuser anew, and leaves out what they dropped, after a time without a broker.
    mutating func excuseOutage(at time: MonotonicTime) {
        fusersHeard = time
        for node in counts.keys {
            counts[node]?.heard = time
            counts[node]?.lastDropped = nil
        }
    }

    /// Reads a message.
    mutating func receive(_ message: Message, at time: MonotonicTime) {
        switch topics.kind(of: message.topic) {
        case .scan(let node):
            guard !message.retained, let scan = try? Scan(payload: message.payload.span) else { return }
            receive(scan, of: node, at: time)
        case .location(let item):
            let location = try? Location(payload: message.payload.span)
            locations[item] = location.flatMap { $0.isPerson ? nil : $0 }
        case .itemEvents:
            guard !message.retained, let event = try? ItemEvent(payload: message.payload.span), event.kind.isMove,
                // Two fusers publish one move under one id.
                !event.isReplayed, moves.insert(event.id).inserted
            else { return }
            events += 1
            for room in Set([event.room, event.previous].compactMap { $0 }) { roomEvents[room, default: 0] += 1 }
        case .fuserClaim, .fuserStatus: fusers.receive(message, at: time)
        case .nodeStatus, .nodeInfo, .nodeHealth, .region, .nodeEvents, .proximity, .window, .room,
            .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .itemConfig, .lesson, .housePlan,
            .floorPicture, .rollout, .nodeCommand, .commandResult, .fuserCommand, .fuserCommandResult, .replies, nil:
            break
        }
    }

    private mutating func receive(_ scan: Scan, of node: String, at time: MonotonicTime) {
        var count = counts[node] ?? Count(heard: begun)
        let length = scan.to.seconds(since: scan.from)
        count.silence = max(count.silence, (time - count.heard).seconds, length)
        count.heard = time
        count.seconds += length
        count.reports += scan.reports
        count.gapMilliseconds += scan.gapMilliseconds
        // A node that began anew counts from 0.
        if let last = count.lastDropped {
            count.dropped += min(scan.dropped - min(last, scan.dropped), UInt64.max - count.dropped)
        }
        count.lastDropped = scan.dropped
        counts[node] = count
    }

    /// Adds a sample of where the items are, to be called about once a second.
    mutating func sample(at time: MonotonicTime) {
        guard time >= sampledFrom else { return }
        samples += 1
        for location in locations.values {
            guard let room = location.room, location.state == .present || location.state == .quiet else { continue }
            roomItems[room, default: 0] += 1
            guard location.state == .present else { continue }
            itemSum += 1
            confidence.sum += location.confidence
            confidence.count += 1
        }
    }

    /// The measures of the period so far.
    func measures(of nodes: FleetNodes, at time: MonotonicTime) -> Measures {
        var result = Measures()
        result.seconds = (time - begun).seconds
        for (id, node) in nodes.nodes {
            let count = counts[id] ?? Count(heard: begun)
            var measures = NodeMeasures()
            let silence = (time - count.heard).seconds
            measures.silence = max(count.silence, silence)
            // A node says something once a window.
            let limit = max(HealthVerdict.silenceLimit, 1.5 * (node.info?.window ?? 0), count.silence + 5)
            measures.isSilent = node.isOnline && silence > limit
            if count.seconds > 0 {
                measures.isHeard = true
                measures.reports = Double(count.reports) / count.seconds
                measures.gap = Double(count.gapMilliseconds) / 1000 / count.seconds
                measures.dropped = Double(count.dropped) / count.seconds
            }
            measures.problems = Set(node.problems)
            result.nodes[id] = measures
        }
        for (name, fuser) in fusers.fusers {
            guard let claim = fuser.claim else { continue }
            result.fusers[name] = FuserMeasures(
                silence: (time - max(fuser.heard, fusersHeard)).seconds, problems: Set(claim.problems))
        }
        result.servedShards = fusers.servedShards(since: time - .seconds(HealthVerdict.silenceLimit))
        result.countsItems = samples > 0
        let share = samples > 0 ? 1 / Double(samples) : 0
        for room in Set(roomEvents.keys).union(roomItems.keys) {
            result.rooms[room] = PlaceMeasures(
                events: roomEvents[room] ?? 0, items: Double(roomItems[room] ?? 0) * share)
        }
        result.house = PlaceMeasures(events: events, items: Double(itemSum) * share)
        result.confidence = confidence.count > 0 ? confidence.sum / Double(confidence.count) : nil
        return result
    }
}
