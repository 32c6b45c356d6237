internal import Bytes

/// A node's side of the air: the times and channels of its scanner, and the bursts in which it receives next to
/// nothing.
struct SimulatedScanner: Sendable {
    /// Microseconds on one channel before the next: 60 ms, Linux's default scan interval.
    private static let interval: Int64 = 60_000
    /// Microseconds of the slots, some of which contain a burst.
    private static let burstSlot: Int64 = 4_000_000
    /// Microseconds from one channel's packet of an advertising event to the next channel's.
    static let channelStep: Int64 = 450

    let position: Point
    let room: Int
    let offset: Double
    private let window: Int64
    private let phase: Int64
    private let burstShare: Double
    private let bursts: RandomStream
    private let drift: TimeNoise

    init(_ node: Scenario.Node, plan: SimulatedPlan, radio: Scenario.Radio, stream: RandomStream) {
        position = node.position
        room = plan.room(at: node.position)
        offset = node.offset
        window = Int64(Double(Self.interval) * node.duty)
        let stream = stream.child(node.id)
        phase = Int64(stream.child("phase").uniform(0) * Double(3 * Self.interval))
        burstShare = radio.burstsPerHour * Double(Self.burstSlot) / 3.6e9
        bursts = stream.child("bursts")
        drift = TimeNoise(stream: stream.child("drift"), period: 600_000_000)
    }

    /// The channel (0, 1, 2 for 37, 38, 39) of the scanner; nil while it rests.
    func channel(at time: Timestamp) -> Int? {
        let (slot, rest) = time.advanced(byMicroseconds: -phase).floorDivided(by: Self.interval)
        return rest < window ? Int(slot.floorDivided(by: 3).remainder) : nil
    }

    /// The channel and time at which it receives an advertising event that begins at `start`; nil if it doesn't.
    func hearing(of start: Timestamp) -> (channel: Int, time: Timestamp)? {
        for channel in 0..<3 {
            let time = start.advanced(byMicroseconds: Int64(channel) * Self.channelStep)
            if self.channel(at: time) == channel { return (channel, time) }
        }
        return nil
    }

    /// True if another signal (a Wi-Fi on the same antenna, a microwave oven) covers the band.
    func isDrowned(at time: Timestamp) -> Bool {
        let (slot, rest) = time.floorDivided(by: Self.burstSlot)
        guard bursts.uniform(slot &* 4) < burstShare else { return false }
        let length = 1_000_000 + Int64(bursts.choice(slot &* 4 &+ 1, of: 3_000_000))
        let begin = Int64(bursts.uniform(slot &* 4 &+ 2) * Double(Self.burstSlot - length))
        return rest >= begin && rest < begin + length
    }

    /// Decibels that it adds to a level at a time: its offset, and a slow drift.
    func gain(at time: Timestamp) -> Double {
        offset + 0.6 * drift.value(at: time)
    }
}
