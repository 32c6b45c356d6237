internal import Bytes
internal import CloneDetection
internal import Configuration
internal import HouseTracking
internal import Metrics
internal import WireProtocol

/// The suspicions that several transmitters send an item's identity.
///
/// Learned levels of the house are not stored: after a start the first half hour of each pair of nodes teaches.
final class CloneWatch: FuserComponent {
    private var detector = CloneDetector()
    private var isOn: Bool
    private var rooms: [String: String] = [:]
    private var offsets: [String: Int] = [:]
    /// The time at which suspicions of an earlier run end that this one does not share; nil before the first scan and after
    /// that time.
    private var settled: Timestamp?
    private var hasSettled = false
    private var count: UInt64 = 0

    /// A watch; one that is off suspects nothing.
    init(isOn: Bool) { self.isOn = isOn }

    // MARK: Messages

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .scan:
            if settled == nil, !hasSettled { settled = turn.time.advanced(by: CloneDetector.memory) }
        case .nodeInfo(let info, let node, _): compare(info.offset, of: node, with: &offsets)
        case .nodeStatus, .nodeRemoved, .window, .nodeEvent, .commandResult, .entry, .location, .itemEvent, .alerts,
            .room, .telemetry, .battery, .occupancy, .lesson, .plan, .external:
            break
        }
    }

    /// Forgets what was learned of a node that stands elsewhere, or adds another offset to its levels: it hears all items
    /// louder from then on, or all less.
    private func compare<Value: Equatable>(_ value: Value, of node: String, with known: inout [String: Value]) {
        guard known[node] != nil || known.count < CloneDetector.nodeCapacity else { return }
        guard let before = known.updateValue(value, forKey: node), before != value else { return }
        detector.forgetNode(node)
    }

    // MARK: Facts

    /// Registered items alone are watched: the identity of a stranger is anybody's.
    func windowAccepted(_ window: Window, of item: String, isRegistered: Bool, _ turn: Turn) {
        guard isOn, isRegistered, let change = detector.receive(window, of: item) else { return }
        publish(change.item, change.evidence, turn)
    }

    func nodeRemoved(_ node: String, _ turn: Turn) {
        (offsets[node], rooms[node]) = (nil, nil)
        detector.forgetNode(node)
    }

    func nodePlaced(_ node: String, in room: String, area: String?, _ turn: Turn) {
        compare(room, of: node, with: &rooms)
    }

    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {
        isOn = new.detectsClones
        guard !isOn else { return }
        let suspected = detector.suspected
        detector.forgetAll()
        for item in suspected { publish(item, nil, turn) }
    }

    // MARK: Calls of the pipeline

    func advance(_ turn: Turn) {
        for change in detector.advance(to: turn.time) { publish(change.item, change.evidence, turn) }
        guard let time = settled, turn.time >= time else { return }
        (settled, hasSettled) = (nil, true)
        turn.emit { $0.clonesKnown(Set(detector.suspected), turn) }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        [settled, detector.nextDeadline].compactMap { $0 }.min().flatMap { house.time.wallTime(at: $0) }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        if erasure.isWhole, let change = detector.forgetItem(erasure.item) {
            publish(change.item, change.evidence, turn)
        }
        return PurgeReport()
    }

    private func publish(_ item: String, _ evidence: CloneEvidence?, _ turn: Turn) {
        if evidence != nil { count += 1 }
        turn.emit { $0.clonesChanged(of: item, evidence, turn) }
    }

    // MARK: Answers

    /// The evidence against an item; nil if it is not suspected.
    func evidence(of item: String) -> CloneEvidence? { detector.evidence(of: item) }

    // MARK: Diagnostics

    /// Warns of what was left out since the start.
    func warnOfDropped(in diagnostics: Diagnostics) { diagnostics.warn(ofOngoing: "clones left out", dropped) }

    /// The counts of what was left out, to a power of ten.
    private var dropped: String? {
        let counters = detector.counters
        let parts = [
            (counters.windows, "windows of more items or nodes than there is room for"),
            (counters.levels, "levels of more pairs of nodes than there is room for"),
        ].filter { $0.0 > 0 }.map { count, text in "\(Diagnostics.power(of: count)) or more \(text)" }
        return parts.isEmpty ? nil : "not watched for clones so far: \(parts.joined(separator: ", "))"
    }

    /// The metrics of suspicions, and of what was left out.
    var metrics: [MetricFamily] {
        [
            .gauge(
                "whereabouts_items_cloned", "Items whose identity several transmitters are suspected to send.",
                Double(detector.suspected.count)),
            .counter("whereabouts_clone_suspicions_total", "Suspicions of cloned items since the start.", count),
            .counter(
                "whereabouts_clone_windows_dropped_total",
                "Windows that were not watched for clones, since there was no room for their item or node.",
                detector.counters.windows),
            .counter(
                "whereabouts_clone_levels_dropped_total",
                "Levels of pairs of nodes that were no evidence of clones, since there was no room for the pair.",
                detector.counters.levels),
        ]
    }
}
