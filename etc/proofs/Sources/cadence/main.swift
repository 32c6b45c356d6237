import Glibc
import Bytes
import Identity
import Presence
import WireProtocol

// cadence [--days N] [--seed N]: prints the table; ends with 1 where a promise isn't kept.
func option(_ name: String) -> Double? {
    guard let place = CommandLine.arguments.firstIndex(of: name), place + 1 < CommandLine.arguments.count else {
        return nil
    }
    return Double(CommandLine.arguments[place + 1])
}
let days = option("--days") ?? 100
let seed = UInt64(option("--seed") ?? 4242)
var broken = 0

func cell(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
func number(_ value: Double, _ decimals: Int = 1) -> String {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (value * power).rounded() / power
    return decimals == 0 ? "\(Int(scaled))" : "\(scaled)"
}
func column(_ score: Score, days: Double) -> String {
    let rate = Double(score.falseExits) / days
    let missed = score.missed > 0 ? " (\(score.missed) missed)" : ""
    return cell("\(number(rate, 3))  \(number(score.median))/\(number(score.longest))\(missed)", 26)
}

let speeches: [Speech] = [.every(0.1), .every(1), .every(2), .every(5), .every(10), .every(30), .every(60), .motion]
let constants = [10.0, 30, 60]
print("false exits a beacon-day, then seconds from the last packet to a true exit: median/longest")
print(cell("from the 21st gap on", 28) + cell("learned", 34) + constants.map { cell("\(Int($0)) s", 26) }.joined())
for reception in Reception.allCases {
    for speech in speeches {
        let days = speech == .every(0.1) ? min(3, days) : days
        var life = Life(speech, reception, seed: seed, end: days * 86_400)
        var trial = Trial()
        var rules = constants.map { Constant(seconds: $0) }
        var packets = 0
        var tooSlow = 0
        var looks = 0
        while let packet = life.next({ departure, arrival in
            trial.absence(from: departure, to: arrival)
            for rule in rules.indices { rules[rule].absence(from: departure, to: arrival) }
        }) {
            trial.hear(packet.time, packet.level)
            for rule in rules.indices { rules[rule].hear(packet.time) }
            packets += 1
            if packets == 21 {
                trial.score = Score()
                for rule in rules.indices { rules[rule].score = Score() }
            }
            if packets > 21, packets % 16 == 0 {
                looks += 1
                if trial.monitor.report(of: 0).problem == .cadenceTooSlow { tooSlow += 1 }
            }
        }
        let slow = looks > 0 && tooSlow > 0 ? " slow \(number(100 * Double(tooSlow) / Double(looks), 2))%" : ""
        print(
            cell("\(reception.rawValue), \(speech.name)", 28)
                + cell(column(trial.score, days: days) + slow, 34)
                + rules.map { column($0.score, days: days) }.joined())
        if reception == .loss, Double(trial.score.falseExits) > max(1, days / 100) { broken += 1 }
        if trial.late > 0 { broken += 1 }
        let mustBeSlow = speech == .every(30) || speech == .every(60)
        if mustBeSlow, tooSlow != looks { broken += 1 }
        if speech == .every(10), tooSlow > 0 { broken += 1 }
    }
}

let starts = Int(max(10, days))
print(
    "\n" + cell("first 20 gaps, \(starts) starts", 28)
        + "false exits a start: learned, with expected_interval, constant 10, 30, 60 s")
for reception in Reception.allCases {
    for speech in speeches {
        var counts = [0, 0, 0, 0, 0]
        for seed in 1...UInt64(starts) {
            var life = Life(speech, reception, seed: seed, end: .infinity, staysAtHome: true)
            let interval: Duration =
                switch speech {
                case .every(let seconds): .seconds(seconds)
                case .motion: .seconds(30)
                }
            var trials = [Trial(), Trial(expectedInterval: interval)]
            var rules = constants.map { Constant(seconds: $0) }
            for _ in 0...20 {
                guard let packet = life.next({ _, _ in }) else { break }
                for trial in trials.indices { trials[trial].hear(packet.time, packet.level) }
                for rule in rules.indices { rules[rule].hear(packet.time) }
            }
            for trial in trials.indices { counts[trial] += trials[trial].score.falseExits }
            for rule in rules.indices { counts[2 + rule] += rules[rule].score.falseExits }
        }
        print(
            cell("\(reception.rawValue), \(speech.name)", 28)
                + counts.map { cell(number(Double($0) / Double(starts), 2), 9) }.joined())
    }
}
if broken > 0 {
    print("\n\(broken) promises broken")
    exit(1)
}
