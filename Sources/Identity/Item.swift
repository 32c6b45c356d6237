internal import Bytes

/// A beacon that the user registered and named.
public struct Item: Hashable, Sendable {
    /// A kind of key that identifies a beacon. The key itself is read from a file or a credential, never from a topic.
    public enum KeyKind: String, CaseIterable, Hashable, Sendable {
        /// An identity resolving key (Core Vol 3 Part H 2.4.2.1).
        case irk
        /// The identity key of an Eddystone-EID beacon.
        case eid
        /// The ephemeral identity key of a Find Hub tag.
        case fmdn
        /// The bind key of a BTHome device.
        case bthome
    }

    /// The most tags of an item.
    public static let tagBound = 16
    /// The valid range of an item's `expectedInterval`: 10 ms to an hour.
    public static let intervals = Duration.milliseconds(10)...Duration.hours(1)

    /// Its id, which replaces the beacon's in topics.
    public var id: String
    /// Its name for people; nil if only the id names it.
    public var name: String?
    /// The identities of its transmitters; empty for an item whose only identity is a key.
    public var identities: [BeaconID]
    /// The time between its advertisements, if the user configured them.
    public var expectedInterval: Duration?
    /// The file with its key; nil if this machine's items file names none.
    public var keyFile: String?
    /// The clock of an Eddystone-EID beacon or a Find Hub tag, if the items file contains it.
    public var clock: EphemeralClock?
    /// Tags by which regions may watch it, sorted; ids by their form.
    public var tags: [String] = []
    /// Its measured power in dBm at one metre, if the user corrects the value in its frames.
    public var power: Int?
    /// The kind of its key, if it has one: a node that lacks the key reports that.
    public var key: KeyKind?

    /// An item by its id, without identities by default.
    public init(
        id: String, name: String? = nil, identities: [BeaconID] = [], expectedInterval: Duration? = nil,
        key: KeyKind? = nil, keyFile: String? = nil
    ) {
        self.id = id
        self.name = name
        self.identities = identities
        self.expectedInterval = expectedInterval
        self.key = key
        self.keyFile = keyFile
    }

    /// The identity that its key gives it, which is detected on nodes that have the key.
    var keyIdentity: BeaconID? {
        switch key {
        case .irk: .irk(id)
        case .eid: .eid(id)
        case .fmdn: .fmdn(id)
        case .bthome, nil: nil
        }
    }
}
