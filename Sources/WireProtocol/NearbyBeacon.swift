public import BeaconFrames
internal import Bytes
public import Identity

/// An unregistered beacon that a node received, in the answer to its `nearby` action.
public struct NearbyBeacon: Hashable, Sendable {
    /// The identity by which it would be registered.
    public var id: BeaconID
    /// All identities in its frames, in the order of their ranks; `id` is the first.
    public var ids: [BeaconID]
    /// Its name, if it advertises one.
    public var name: String?
    /// The address that it advertises, if it is an Eddystone-URL as well.
    public var url: String?
    /// The kind of transmitter; nil if it is not known.
    public var transmitterClass: TransmitterClass?
    /// The mean of its levels in dBm.
    public var mean: Double
    /// Its last level in dBm.
    public var last: Int
    /// The number of levels in the mean.
    public var count: Int
    /// The measured power in its frame, in dBm at one metre.
    public var power: Int?

    /// A beacon by its identities and levels; names are absent until set.
    public init(id: BeaconID, ids: [BeaconID], mean: Double, last: Int, count: Int) {
        self.id = id
        self.ids = ids
        self.mean = mean
        self.last = last
        self.count = count
    }
}

/// A list leaves out a beacon without a level, or of an identity that is not known here.
extension NearbyBeacon: WireObject {
    static var blank: Self { Self(id: .address(0), ids: [], mean: .nan, last: 127, count: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.required("id", &id)
        try fields.field("ids", &ids)
        try fields.field("name", &name)
        try fields.field("url", &url)
        try fields.field("class", &transmitterClass)
        try fields.object("rssi") { fields throws(Fields.Fault) in
            try fields.number("mean", &mean, decimals: 1, where: \.isFinite)
            try fields.field("last", &last)
        }
        try fields.field("count", &count)
        try fields.field("power", &power)
    }

    mutating func normalize() {
        ids = Array(ids.prefix(16))
        if !ids.contains(id) { ids.insert(id, at: 0) }
    }
}

extension BeaconID: WireValue {
    func write(to json: inout JSONWriter) { json.value(text) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> BeaconID? { BeaconID(try json.string()) }
}

extension TransmitterClass: WireValue {}
