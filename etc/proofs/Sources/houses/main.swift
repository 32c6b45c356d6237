import Bytes
import Glibc
import RoomEstimation
import Simulation

// houses [--houses N] [--seed N] [--minutes N] [--guided SECONDS]: houses drawn at random, and five ways to tell rooms from the
// same packets. With --guided somebody first teaches the house with a tag of their own, so long in each room, and the others
// are told by those lessons, too; all are scored after them.
func option(_ name: String) -> Double? {
    guard let place = CommandLine.arguments.firstIndex(of: name), place + 1 < CommandLine.arguments.count else {
        return nil
    }
    return Double(CommandLine.arguments[place + 1])
}
let houses = Int(option("--houses") ?? 100)
let seed = UInt64(option("--seed") ?? 1)
let seconds = Int(60 * (option("--minutes") ?? 60))
let guide = option("--guided").map { Guide(seconds: Int($0)) }

let rules =
    ["locator", "with places", "with a plan", "nearest node", "ESPresense"] + (guide == nil ? [] : ["with lessons"])
var tallies: [String: [Tally]] = [:]
var order: [String] = []

func kinds(_ heard: HeardHouse, _ item: HeardHouse.Item) -> [String] {
    let rooms = heard.house.rooms.count
    let nodeless = heard.hasNode.count { !$0 }
    return [
        "all",
        rooms <= 4 ? "3-4 rooms" : rooms <= 7 ? "5-7 rooms" : "8-12 rooms",
        Set(heard.house.rooms.map(\.floor)).count == 1 ? "one floor" : "two floors",
        nodeless == 0 ? "a node in each room" : nodeless * 3 <= rooms ? "up to a third without" : "more without a node",
        heard.scenario.walls.attenuation < 6 ? "light walls (< 6 dB)" : "walls of 6 dB and more",
        item.interval < 2 ? "a packet in 0.5-2 s" : item.interval < 5 ? "a packet in 2-5 s" : "a packet in 5-10 s",
    ]
}

for index in 0..<houses {
    let scenario = Scenario.random(seed: seed &* 1_000_003 &+ UInt64(index), beacons: 12)
    let taught = guide?.duration(scenario) ?? 0
    let heard = try HeardHouse(guide?.enter(scenario) ?? scenario, seconds: taught + seconds)
    let lessons = guide.flatMap { TrainedModel([$0.lesson(heard)], in: heard.house) }
    for place in scenario.beacons.indices {
        let hops = heard.hops(place)
        let item = heard.items[place]
        var answers = [
            locator(hops, in: heard.house), locator(hops, in: heard.placed), locator(hops, in: heard.drawn),
            nearestNode(hops, in: heard.house), espresense(item, in: heard.house),
        ]
        if guide != nil { answers.append(locator(hops, in: heard.house, lessons: lessons)) }
        for kind in kinds(heard, item) {
            if tallies[kind] == nil {
                tallies[kind] = [Tally](repeating: Tally(), count: rules.count)
                order.append(kind)
            }
            for rule in rules.indices { tallies[kind]?[rule].add(answers[rule], item, in: heard, after: taught) }
        }
    }
}

func cell(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
func number(_ value: Double?, _ decimals: Int, _ width: Int) -> String {
    guard let value else { return cell("–", width) }
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = Int((value * power).rounded())
    let text = decimals == 0 ? "\(scaled)" : "\(Double(scaled) / power)"
    return cell(text, width)
}
print(
    "\(houses) houses, \(seconds / 60) min each, 12 items of which 3 lie still; doors and floors are told, places of nodes and outlines but where said"
)
print(
    cell("", 24) + cell("", 14) + cell("right %", 9) + cell("no node %", 11) + cell("flaps/h", 9)
        + cell("rest: moves/h", 15) + cell("moved %", 9) + cell("latency p50 s", 15) + cell("p95", 8) + "missed %")
let ranks = [
    "all", "3-", "5-7", "8-", "one", "two", "a node", "up to", "more", "light", "walls", "a packet in 0",
    "a packet in 2", "a packet in 5",
]
for kind in order.sorted(by: { one, other in
    (ranks.firstIndex { one.hasPrefix($0) } ?? 99) < (ranks.firstIndex { other.hasPrefix($0) } ?? 99)
}) {
    for (index, tally) in (tallies[kind] ?? []).enumerated() {
        print(
            cell(index == 0 ? kind : "", 24) + cell(rules[index], 14) + number(100 * tally.accuracy, 1, 9)
                + number(tally.accuracyElsewhere.map { 100 * $0 }, 1, 11) + number(tally.flapsAnHour, 1, 9)
                + number(tally.falseMovesAnHour, 2, 15) + number(100 * tally.restless, 0, 9)
                + number(tally.latency(0.5), 1, 15) + number(tally.latency(0.95), 1, 8)
                + number(100 * tally.missedShare, 1, 0))
    }
}
