public import Advertising
public import BeaconFrames
public import Bytes
internal import Crypto

/// What the keys of a node make of what it hears: whose an address or an identifier is, and what a frame says.
///
/// A new address costs a block cipher for each identity resolving key (``PrivateAddressResolver``), a new identifier a
/// look into a table (``EphemeralResolver``, ``FMDNResolver``), an encrypted frame of an item one opening. What isn't found is remembered
/// as nobody's. No clock is read here, and nothing that is told holds a key.
public struct KeyRing: Sendable {
    /// Keys of a node at most; those of items behind them, in the order of ids, aren't used.
    public static let capacity = 1_000

    private var addresses: PrivateAddressResolver
    /// Whose each identity resolving key is.
    private let owners: [BeaconID]
    var clocks: EphemeralClocks
    private var tags: FMDNClocks
    private var sensors: [String: Sensor] = [:]
    /// What is wrong, and until when that is told.
    private var found: [String: (finding: KeyFinding, until: Timestamp)] = [:]
    /// Items of which something else is to be known again.
    private var changed: Set<String> = []

    /// How long, in microseconds, something is told of an item that has shown nothing wrong since.
    static let patience: Int64 = 600_000_000

    /// A ring of keys by the ids of their items.
    ///
    /// - Parameter memory: what was learnt before, by item; what is of another key or clock is left aside.
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

    /// What is to be known again after a restart, by item.
    public var memory: [String: KeyMemory] {
        var memory = clocks.memory.merging(tags.memory) { first, _ in first }
        for (item, sensor) in sensors { memory[item] = sensor.memory }
        return memory
    }

    /// What of that has changed since the last call.
    public mutating func takeChanges() -> [String: KeyMemory] {
        guard !changed.isEmpty else { return [:] }
        defer { changed = [] }
        return memory.filter { changed.contains($0.key) }
    }

    /// Lets the next ``takeChanges()`` give all of it, as for a new store.
    public mutating func rememberAll() { changed = Set(memory.keys) }

    /// What is wrong at a moment, by item.
    public mutating func findings(at time: Timestamp) -> [String: KeyFinding] {
        guard !found.isEmpty else { return [:] }
        found = found.filter { $0.value.until > time }
        return found.mapValues(\.finding)
    }

    /// Block ciphers that addresses and identifiers have cost.
    public var ciphers: UInt64 { addresses.ciphers + clocks.ciphers }

    // MARK: What is heard

    /// Whose a resolvable private address is; nil for others' and for other kinds of address.
    public mutating func identity(of address: DeviceAddress) -> BeaconID? {
        addresses.resolve(address).map { owners[$0] }
    }

    /// Whose an Eddystone-EID frame is; nil for others'.
    public mutating func identity(of frame: EddystoneEID, at time: Timestamp) -> BeaconID? {
        guard !clocks.isEmpty else { return nil }
        return item(by: clocks.resolve(frame.eid, at: time), at: time).map { .eid($0) }
    }

    /// Resolves a frame of the Find Hub Network; nil for a stranger's.
    public mutating func identity(of frame: FMDNFrame, at time: Timestamp) -> BeaconID? {
        guard !tags.isEmpty else { return nil }
        return item(by: tags.resolve(frame.identifier, at: time), at: time).map { .fmdn($0) }
    }

    /// The item that an answer names, with what it tells of the item's clock recorded.
    private mutating func item(by answer: EphemeralClocks.Answer, at time: Timestamp) -> String? {
        switch answer {
        case .stranger: return nil
        case .owner(let item, let hasDrifted):
            if hasDrifted { changed.insert(item) }
            if !found.isEmpty, case .clockOff = found[item]?.finding { found[item] = nil }
            return item
        case .offClock(let item, let seconds, let slot):
            tell(.clockOff(seconds), of: item, until: time.advanced(byMicroseconds: max(Self.patience, 3 * slot)))
            return nil
        }
    }

    /// The telemetry of an item that an encrypted Eddystone-TLM frame holds; nil where it isn't the item's.
    public func open(_ frame: EddystoneETLM, of item: String, at time: Timestamp) -> EddystoneTLM? {
        clocks.open(frame, of: item, at: time)
    }

    /// A Find Hub frame of an item with its battery's level; nil where its flags don't tell it.
    func open(_ frame: FMDNFrame, of item: String) -> FMDNFrame? { tags.open(frame, of: item) }

    /// What a frame of a BTHome device that has a key says, as its key opens it. Nil where it isn't to be believed, was there
    /// before, or the key isn't here.
    mutating func open(
        _ frame: BeaconFrame, ofSensor item: String, from address: DeviceAddress, at time: Timestamp
    ) -> BTHome? {
        guard var sensor = sensors[item] else { return nil }
        guard case .btHome(let frame) = frame else {
            tell(.plain, of: item, until: time.advanced(byMicroseconds: Self.patience))
            return nil
        }
        let (opened, finding) = sensor.open(frame, from: address, at: time)
        if sensor.memory != sensors[item]?.memory { changed.insert(item) }
        sensors[item] = sensor
        if let finding { tell(finding, of: item, until: time.advanced(byMicroseconds: Self.patience)) }
        return opened
    }

    private mutating func tell(_ finding: KeyFinding, of item: String, until time: Timestamp) {
        found[item] = (finding, time)
    }
}
