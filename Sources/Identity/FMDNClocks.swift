internal import BeaconFrames
internal import Bytes

/// Find Hub tags by the ids of their items, with their estimated clocks.
///
/// A clock that is off by more than two identifiers is followed after three consecutive identifiers, as of
/// Eddystone-EID beacons (``EphemeralClocks``). ``FMDNResolver`` provides the identifiers of the surrounding time.
struct FMDNClocks: Sendable {
    private let names: [String]
    private let places: [String: Int]
    private let origins: [Int64]
    private var resolver: FMDNResolver
    private var suspicions = ClockSuspicions()

    init(_ beacons: [(item: String, beacon: FMDNResolver.Beacon)], remembering memory: [String: KeyMemory]) {
        names = beacons.map(\.item)
        places = Dictionary(zip(names, names.indices)) { first, _ in first }
        origins = beacons.map { $0.beacon.origin.microseconds / 1_000_000 }
        let origins = origins
        resolver = FMDNResolver(
            beacons.map(\.beacon),
            drifts: beacons.indices.map { place in
                if case .drift(let seconds, origins[place])? = memory[beacons[place].item] { seconds } else { 0 }
            })
    }

    var isEmpty: Bool { names.isEmpty }

    /// The drifts of clocks to remember.
    var memory: [String: KeyMemory] {
        var memory: [String: KeyMemory] = [:]
        for (place, name) in names.enumerated() {
            guard let drift = resolver.drift(of: place), drift != 0 else { continue }
            memory[name] = .drift(drift, origin: origins[place])
        }
        return memory
    }

    mutating func resolve(_ identifier: FMDNFrame.Identifier, at time: Timestamp) -> EphemeralClocks.Answer {
        guard let match = resolver.resolve(identifier, at: time) else { return .stranger }
        let name = names[match.beacon]
        if match.isNear {
            suspicions.clear(match.beacon)
            return .owner(name, hasDrifted: match.drift != 0)
        }
        guard suspicions.confirm(match.beacon, counter: match.counter, period: FMDNKey.period, at: time) else {
            return .offClock(name, seconds: match.drift, slot: .seconds(FMDNKey.period))
        }
        resolver.adoptClock(match)
        return .owner(name, hasDrifted: true)
    }

    /// A frame of an item with its decoded flags; nil if they can't be decoded.
    func open(_ frame: FMDNFrame, of item: String) -> FMDNFrame? {
        places[item].flatMap { resolver.open(frame, of: $0) }
    }
}
