import CBench

/// From windows to rooms: what a fuser costs, and how that grows with the house.
struct Fusing {
    /// Seconds of the house in one measurement.
    private static let seconds = 10
    /// What is to be the double at most, with room for the caches that a larger house spoils.
    private static let doubled = 2.25

    let options: Options

    func run(_ report: inout Report) {
        report.begin("From windows to rooms (processor time; each house in a process of its own)")
        report.say("each item heard by four to five nodes a second; every second one lies still, the others walk about")
        allocations(&report)
        for (kind, name) in [
            ("untaught", "without lessons"), ("placed", "with places of nodes"), ("taught", "with lessons"),
            ("messages", "from payloads"),
        ] {
            growth(kind, name, &report)
        }
        // The budget of a whole fuser is one core and 500 MB.
        for (kind, name) in [("taught", "with lessons"), ("messages", "from payloads")] {
            guard let house = house(kind, 10_000, 50), let (share, bytes) = house.ask("load \(Self.seconds)") else {
                return report.say("no house could be made: not measured")
            }
            report.add("10,000 items, 50 nodes, \(name)", "% of a core", 100 * share, atMost: 100)
            report.add("  resident", "MB", bytes / 1e6, atMost: 500)
        }
    }

    /// What lies still and is as sure as before asks for no memory.
    private func allocations(_ report: inout Report) {
        for (kind, name) in [("still", "without lessons"), ("still-taught", "with lessons")] {
            guard let house = house(kind, 1000, 12), let (_, asked) = house.ask("cost \(Self.seconds)") else {
                continue
            }
            report.add("allocations at rest, \(name)", "a window", asked, atMost: 0.05)
        }
    }

    /// A thousand items and two thousand, in turn.
    private func growth(_ kind: String, _ name: String, _ report: inout Report) {
        guard let one = house(kind, 1000, 12), let two = house(kind, 2000, 12) else { return }
        var (cost, asked) = (Series(), Series())
        var (loads, twice) = (Series(), Series())
        var (bytes, both) = (Series(), Series())
        for _ in 0..<options.repetitions {
            guard let (microseconds, allocations) = one.ask("cost \(Self.seconds)"),
                let (load, resident) = one.ask("load \(Self.seconds)"),
                let (loadOfTwo, residentOfTwo) = two.ask("load \(Self.seconds)")
            else { return report.say("a house ended: not measured") }
            cost.add(microseconds)
            asked.add(allocations)
            loads.add(100 * load)
            twice.add(100 * loadOfTwo)
            bytes.add(resident / 1e6)
            both.add(residentOfTwo / 1e6)
        }
        report.add("\(name)", "µs a window", cost)
        report.add("  allocations", "a window", asked)
        report.add("  1,000 items, 12 nodes", "% of a core", loads)
        report.add("    resident", "MB", bytes)
        report.add("  2,000 items, 12 nodes", "% of a core", twice)
        report.add("    over 1,000, pair by pair", "times", twice.over(loads), atMost: Self.doubled)
        report.add("    resident", "MB", both)
        report.add("    over 1,000, pair by pair", "times", both.over(bytes), atMost: Self.doubled)
    }

    private func house(_ kind: String, _ items: Int, _ nodes: Int) -> Child? {
        Child(["/proc/self/exe", "--crowd", "\(kind),\(items),\(nodes)"])
    }
}
