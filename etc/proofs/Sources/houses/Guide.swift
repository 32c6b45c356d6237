import Bytes
import RoomEstimation
import Simulation

/// Somebody who teaches a house with a tag of their own, as `whereabouts learn --walk` asks for it: so long in each room, about
/// in it, one room after the other.
struct Guide {
    /// How long they stay in each room, in seconds.
    let seconds: Int
    /// Seconds after somebody came in in which the lesson hasn't begun yet.
    private static let settling = 5.0

    /// The same house with the guide in it; their tag is its last beacon.
    func enter(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        let stay = Double(seconds) + Self.settling + 1
        scenario.walkers.append(
            .init(
                id: "guide",
                plan: .itinerary(scenario.rooms.map { .init(room: $0.id, stay: .init(stay, stay)) })))
        scenario.beacons.append(
            .init(
                id: "guide", kind: .addressOnly, interval: 1, power: -59,
                place: .carried(by: "guide", worn: .front)))
        return scenario
    }

    /// How long it takes at most, in seconds: each room, and the way to it.
    func duration(_ scenario: Scenario) -> Int { scenario.rooms.count * (seconds + 40) }

    /// What the guide taught: of each room the first stay that was long enough.
    func lesson(_ heard: HeardHouse) -> Recording {
        let tag = heard.items.count - 1
        let hops = heard.hops(tag)
        var recording = Recording(hops: [], rooms: [])
        recording.isGuided = true
        recording.audible = NodeSet(heard.house.nodes.indices)
        var taught: Set<Int> = []
        for stay in heard.items[tag].stays {
            guard let room = stay.room, !taught.contains(room) else { continue }
            let from = stay.start.advanced(bySeconds: Self.settling)
            let until = from.advanced(bySeconds: Double(seconds))
            guard until <= stay.end else { continue }
            taught.insert(room)
            // On the way from one room to the next nobody says where they are.
            if !recording.hops.isEmpty {
                recording.hops.append(Hop(end: from))
                recording.rooms.append(nil)
            }
            for hop in hops where hop.end > from && hop.end <= until {
                recording.hops.append(hop)
                recording.rooms.append(room)
            }
        }
        return recording
    }
}
