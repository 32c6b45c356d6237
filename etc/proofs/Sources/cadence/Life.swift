import Glibc

/// How a beacon speaks.
enum Speech: Hashable {
    /// At an interval, in seconds.
    case every(Double)
    /// Each second while it moves, each 30 s at rest.
    case motion

    var name: String {
        switch self {
        case .every(let seconds): seconds < 1 ? "\(seconds) s" : "\(Int(seconds)) s"
        case .motion: "motion tag"
        }
    }
}

/// What the radio makes of it.
enum Reception: String, CaseIterable {
    /// Every packet arrives.
    case plain = "nothing lost"
    /// Three packets of ten are lost, each by itself.
    case loss = "30 % lost"
    /// A tenth of the time nothing arrives, for 5 s on average.
    case bursts = "bursts"
    /// For 25 s nothing arrives, three times an hour.
    case fades = "fades of 25 s"
}

/// The life of one beacon at one node: when its packets arrive and at what level, and when it is really there.
struct Life {
    let speech: Speech
    let reception: Reception
    let end: Double
    private(set) var time = 0.0
    private var random: Generator
    /// Present from `arrival` until `departure`.
    private(set) var arrival = 0.0
    private(set) var departure: Double
    private var isMoving = false
    private var modeEnd = 0.0
    private var silenceStart: Double
    private var silenceEnd = 0.0

    init(_ speech: Speech, _ reception: Reception, seed: UInt64, end: Double, staysAtHome: Bool = false) {
        self.speech = speech
        self.reception = reception
        self.end = end
        random = Generator(seed: seed)
        departure = .infinity
        silenceStart = .infinity
        if !staysAtHome { departure = 3600 + 6 * 3600 * random.uniform() }
        nextSilence(after: 0)
        time = 10 * random.uniform()
    }

    /// Three absences a day of 20 minutes to 2 hours. Someone walks out of range within 15 s, and comes so back.
    private mutating func leave() {
        arrival = departure + 1200 + 6000 * random.uniform()
        departure = arrival + 3600 + 2 * 4 * 3600 * random.uniform()
    }

    private mutating func nextSilence(after time: Double) {
        switch reception {
        case .plain, .loss: return
        case .bursts:
            silenceStart = time - 45 * log(1 - random.uniform())
            silenceEnd = silenceStart - 5 * log(1 - random.uniform())
        case .fades:
            silenceStart = time - 1200 * log(1 - random.uniform())
            silenceEnd = silenceStart + 25
        }
    }

    /// The next packet that arrives: when, and its level in dBm. `absence` is called whenever the beacon has left, with
    /// the time at which it did, before the first packet after its return. Nil at the end.
    mutating func next(_ absence: (_ departure: Double, _ arrival: Double) -> Void) -> (time: Double, level: Int8)? {
        while true {
            time += interval() + 0.01 * random.uniform()
            if time >= end { return nil }
            if time >= departure {
                let left = departure
                leave()
                absence(left, arrival)
                time = arrival + 0.01 * random.uniform()
                if time >= end { return nil }
            }
            while time >= silenceEnd, silenceStart < .infinity { nextSilence(after: silenceEnd) }
            if time >= silenceStart { continue }
            if reception == .loss, random.uniform() < 0.3 { continue }
            let ramp = max(0, 1 - min(departure - time, arrival > 0 ? time - arrival : 15) / 15)
            let level = -62 - 28 * ramp + 4 * random.normal()
            return (time, Int8(max(-100, min(-30, level))))
        }
    }

    private mutating func interval() -> Double {
        switch speech {
        case .every(let seconds): return seconds
        case .motion:
            if time >= modeEnd {
                isMoving.toggle()
                modeEnd = time - (isMoving ? 120 : 1800) * log(1 - random.uniform())
            }
            return isMoving ? 1 : min(30, max(1, modeEnd - time))
        }
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0..<1.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Around 0 with a standard deviation of 1: the sum of twelve uniform numbers, less six.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<4 {
            let bits = next()
            // Three numbers of 21 bits out of one of 64.
            let sums = (bits & 0x1F_FFFF) + (bits >> 21 & 0x1F_FFFF) + (bits >> 42 & 0x1F_FFFF)
            sum += Double(sums) / 0x20_0000
        }
        return sum
    }
}
