public import Advertising
public import BeaconFrames
public import Bytes
internal import Crypto

/// The keys of a node, which resolve received addresses and identifiers and decrypt frames.
///
/// A new address costs a block cipher for each identity resolving key (``PrivateAddressResolver``), a new identifier a
/// look-up in a table (``EphemeralResolver``, ``FMDNResolver``), an encrypted frame of an item one decryption.
/// Unresolved ones are remembered as strangers'. No clock is read here, and no result holds a key.
public struct KeyRing: Sendable {
    /// The maximum number of keys of a node; those of further items, in the order of ids, aren't used.
    public static let capacity = 1_000

    private var addresses: PrivateAddressResolver
    /// The identity of each identity resolving key.
    private let owners: [BeaconID]
    var clocks: EphemeralClocks
    private var tags: FMDNClocks
    private var sensors: [String: Sensor] = [:]
    /// The current problems, each with the end of its report.
    private var found: [String: (finding: KeyFinding, until: Timestamp)] = [:]
    /// Items with a changed state to remember.
    private var changed: Set<String> = []

    /// The time for which a problem is reported after its last occurrence.
    static let patience: Duration = .minutes(10)

    /// A ring of keys by the ids of their items.
    ///
    /// - Parameter memory: The state learned before, by item; that of another key or clock is ignored.
    public init(_ keys: [String: ItemKey], remembering memory: [String: KeyMemory] = [:]) {
        var resolving: [(BeaconID, AES128)] = []
        var beacons: [(String, EphemeralResolver.Beacon)] = []
        var tags: [(String, FMDNResolver.Beacon)] = []
        for (item, key) in keys.sorted(by: { $0.key < $1.key }).prefix(Self.capacity) {
            switch key {
            case .irk(let key): resolving.append((.irk(item), key))
            case .eid(let beacon): beacons.append((item, beacon))
            case .fmdn(let tag): tags.append((item, tag))
            case .bthome(let key): sensors[item] = Sensor(key, memory[item])
            }
        }
        owners = resolving.map(\.0)
        addresses = PrivateAddressResolver(resolving.map(\.1))
        clocks = EphemeralClocks(beacons, remembering: memory)
        self.tags = FMDNClocks(tags, remembering: memory)
    }

    /// The state to remember over a restart, by item.
    public var memory: [String: KeyMemory] {
        var memory = clocks.memory.merging(tags.memory) { first, _ in first }
        for (item, sensor) in sensors { memory[item] = sensor.memory }
        return memory
    }

    /// The part of that state that has changed since the last call.
    public mutating func takeChanges() -> [String: KeyMemory] {
        guard !changed.isEmpty else { return [:] }
        defer { changed = [] }
        return memory.filter { changed.contains($0.key) }
    }

    /// Marks the whole state as changed, as for a new store: the next ``takeChanges()`` returns all of it.
    public mutating func rememberAll() { changed = Set(memory.keys) }

    /// The current problems, by item.
    public mutating func findings(at time: Timestamp) -> [String: KeyFinding] {
        guard !found.isEmpty else { return [:] }
        found = found.filter { $0.value.until > time }
        return found.mapValues(\.finding)
    }

    /// Block ciphers that addresses and identifiers have cost.
    public var ciphers: UInt64 { addresses.ciphers + clocks.ciphers }

    // MARK: Resolution

    /// The identity of a resolvable private address; nil for others' and for other kinds of address.
    public mutating func identity(of address: DeviceAddress) -> BeaconID? {
        addresses.resolve(address).map { owners[$0] }
    }

    /// The identity of an Eddystone-EID frame; nil for others'.
    public mutating func identity(of frame: EddystoneEID, at time: Timestamp) -> BeaconID? {
        guard !clocks.isEmpty else { return nil }
        return item(by: clocks.resolve(frame.eid, at: time), at: time).map { .eid($0) }
    }

    /// Resolves a frame of the Find Hub Network; nil for a stranger's.
    public mutating func identity(of frame: FMDNFrame, at time: Timestamp) -> BeaconID? {
        guard !tags.isEmpty else { return nil }
        return item(by: tags.resolve(frame.identifier, at: time), at: time).map { .fmdn($0) }
    }

    /// The item of a result; records the state of the item's clock.
    private mutating func item(by answer: EphemeralClocks.Answer, at time: Timestamp) -> String? {
        switch answer {
        case .stranger: return nil
        case .owner(let item, let hasDrifted):
            if hasDrifted { changed.insert(item) }
            if !found.isEmpty, case .clockOff = found[item]?.finding { found[item] = nil }
            return item
        case .offClock(let item, let seconds, let slot):
            recordFinding(.clockOff(seconds), of: item, until: time.advanced(by: max(Self.patience, slot * 3)))
            return nil
        }
    }

    /// The telemetry of an item in an encrypted Eddystone-TLM frame; nil if it isn't the item's.
    public func open(_ frame: EddystoneETLM, of item: String, at time: Timestamp) -> EddystoneTLM? {
        clocks.open(frame, of: item, at: time)
    }

    /// A Find Hub frame of an item with its battery's level; nil if its flags don't contain it.
    func open(_ frame: FMDNFrame, of item: String) -> FMDNFrame? { tags.open(frame, of: item) }

    /// The decrypted frame of a BTHome device that has a key. Nil if it can't be trusted, was received before, or the
    /// key isn't present.
    mutating func open(
        _ frame: BeaconFrame, ofSensor item: String, from address: DeviceAddress, at time: Timestamp
    ) -> BTHome? {
        guard var sensor = sensors[item] else { return nil }
        guard case .btHome(let frame) = frame else {
            recordFinding(.plain, of: item, until: time.advanced(by: Self.patience))
            return nil
        }
        let (opened, finding) = sensor.open(frame, from: address, at: time)
        if sensor.memory != sensors[item]?.memory { changed.insert(item) }
        sensors[item] = sensor
        if let finding { recordFinding(finding, of: item, until: time.advanced(by: Self.patience)) }
        return opened
    }

    private mutating func recordFinding(_ finding: KeyFinding, of item: String, until time: Timestamp) {
        found[item] = (finding, time)
    }
}
