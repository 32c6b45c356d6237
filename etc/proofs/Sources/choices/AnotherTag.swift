import Bytes
import RoomEstimation

/// A tag that wasn't taught, made of one that was: each node hears it otherwise in each room, as one that is carried otherwise
/// is heard.
enum AnotherTag {
    /// By so much, in dB: lessons are misled by it, the nearest node is told as before most times.
    private static let deviation = 6.0

    /// The hops of a recording as that tag would have made them.
    static func hops(of recording: Recording) -> [Hop] {
        var last = 0
        return zip(recording.hops, recording.rooms).map { hop, room in
            last = room ?? last
            var other = Hop(end: hop.end, listening: hop.listening)
            for reading in hop.readings {
                var reading = reading
                reading.level += deviation * normal(UInt64(reading.node) << 32 | UInt64(last))
                other.insert(reading)
            }
            return other
        }
    }

    /// A number with mean 0 and variance 1 that goes with a key: twelve even ones less their mean (SplitMix64).
    private static func normal(_ key: UInt64) -> Double {
        var (state, sum) = (key &* 0x9E37_79B9_7F4A_7C15, -6.0)
        for _ in 0..<12 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            sum += Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
        }
        return sum
    }
}
