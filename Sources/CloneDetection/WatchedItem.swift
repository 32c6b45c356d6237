internal import Bytes
internal import WireProtocol

/// The latest windows of one identity of an item.
struct WatchedItem: Sendable {
    /// The seconds between two steps, and those by which windows of different nodes may come apart.
    private static let step: Int64 = 5, delay: Int64 = 2
    /// The seconds by which a window may be older than the next step; one that is older is of a clock that was set back.
    private static let longestStep: Int64 = 600
    /// The level below which a node hardly hears an item, in dBm.
    private static let floor: Int16 = -95
    /// The number of heard levels that are held: those of twenty nodes.
    private static let capacity = 240
    /// The number of senders of a declared power that are held.
    private static let powerCapacity = 16
    /// The measured power that levels are compared at.
    private static let usualPower = -59
    /// The steps in which a power or addresses in turn are taken for the item's own way.
    private static let lessons: UInt16 = 120

    /// One window: the second of its beginning, its node, its highest level, and its deviation in eighths of a decibel.
    private struct Heard {
        var second: Int64
        var node: UInt16
        var level: Int16
        var deviation: UInt8?
    }

    /// The declared power at one node.
    private struct Power {
        var id: Int
        var node: UInt16
        var last: Int
        var previous: Int?
    }

    private var heard: [Heard] = []
    private var powers: [Power] = []
    /// The beginning of the next step's last second; nil before the first window.
    private var next: Int64?
    private var shift: Int?
    private var steps: UInt16 = 0
    private var flip: (node: UInt16, one: Int, other: Int)?
    private var turn: (node: UInt16, count: Int)?
    private var (changesPower, changesAddress) = (false, false)
    private var (power, addresses) = (EvidenceSteps(), EvidenceSteps())
    /// Steps with evidence by places …
    var places = EvidenceSteps()
    /// … and by levels.
    var levels = EvidenceSteps()

    /// True if a step has ended by a time, and its windows have come.
    func isDue(at time: Timestamp) -> Bool {
        next.map { time.microseconds / 1_000_000 >= $0 + Self.delay } ?? false
    }

    /// Records a window.
    mutating func record(_ window: Window, node: UInt16) {
        let second = window.from.microseconds / 1_000_000
        if next.map({ second < $0 - Self.longestStep }) ?? true {
            next = second + Int64(NodeLevels.seconds)
            heard.removeAll()
        }
        notePower(window, node)
        if let count = window.addressReturns { turn = (node, count) }
        guard let levels = window.rssi, window.to.duration(since: window.from) <= CloneDetector.longest,
            heard.count < Self.capacity
        else { return }
        let level = Int16(levels.maximum - (shift ?? 0))
        guard level >= Self.floor else { return }
        let deviation = levels.deviation.map { UInt8(min(255, ($0 * 8).rounded())) }
        heard.append(Heard(second: second, node: node, level: level, deviation: deviation))
    }

    /// A level as it was heard.
    func unshifted(_ level: Int) -> Int { level + (shift ?? 0) }

    /// The levels are compared as of transmitters of one power, the one that it declared first.
    private mutating func notePower(_ window: Window, _ node: UInt16) {
        guard let power = window.power else { return }
        if shift == nil { shift = max(-30, min(30, power - Self.usualPower)) }
        let id = window.id.hashValue
        guard let place = powers.firstIndex(where: { $0.id == id && $0.node == node }) else {
            if powers.count < Self.powerCapacity { powers.append(Power(id: id, node: node, last: power)) }
            return
        }
        guard powers[place].last != power else { return }
        if powers[place].previous == power { flip = (node, power, powers[place].last) }
        (powers[place].previous, powers[place].last) = (powers[place].last, power)
    }

    /// Begins the step that a time ends; steps in which nothing was heard pass.
    mutating func beginStep(at time: Timestamp) {
        guard let due = next else { return }
        let now = time.microseconds / 1_000_000 - Self.delay
        let skipped = max(0, (now - due) / Self.step)
        if skipped > 0 {
            let count = Int(min(skipped, Int64(EvidenceSteps.count)))
            places.skip(count)
            levels.skip(count)
            power.skip(count)
            addresses.skip(count)
        }
        next = due + (skipped + 1) * Self.step
        if steps < Self.lessons { steps += 1 }
    }

    /// Fills the levels of the seconds before the next step, and drops older ones.
    mutating func fill(_ levels: inout NodeLevels) {
        levels.clear()
        guard let next else { return }
        // The step that is looked at has ended `step` before the next one.
        let end = next - Self.step
        let begin = end - Int64(NodeLevels.seconds)
        for entry in heard where (begin..<end).contains(entry.second) {
            levels.add(
                entry.level, deviation: entry.deviation.map { Float($0) / 8 }, of: entry.node,
                second: Int(entry.second - begin))
        }
        heard.removeAll { $0.second < begin + Self.step || $0.second > end + 60 }
    }

    /// The change of power to and fro, if it is found often enough and the item did not begin so.
    mutating func takePowerFlip() -> (node: UInt16, one: Int, other: Int)? {
        defer { flip = nil }
        if flip != nil, steps < Self.lessons { changesPower = true }
        return power.record(flip != nil && !changesPower) ? flip : nil
    }

    /// The addresses in turn, if they are found often enough and the item did not begin so.
    mutating func takeAddressTurn() -> (node: UInt16, count: Int)? {
        defer { turn = nil }
        if turn != nil, steps < Self.lessons { changesAddress = true }
        return addresses.record(turn != nil && !changesAddress) ? turn : nil
    }
}
