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

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id.text)
        json.beginArray("ids")
        for id in ids { json.value(id.text) }
        json.endArray()
        json.field("name", name)
        json.field("url", url)
        json.field("class", transmitterClass?.rawValue)
        json.beginObject("rssi")
        json.field("mean", mean, decimals: 1)
        json.field("last", last)
        json.endObject()
        json.field("count", count)
        json.field("power", power)
        json.endObject()
    }

    /// The next element of an answer; nil if it names no identity known to us.
    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> NearbyBeacon? {
        var id: BeaconID?
        var beacon = NearbyBeacon(id: .address(0), ids: [], mean: .nan, last: 127, count: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": id = BeaconID(try json.string())
            case "ids":
                try json.beginArray()
                while try json.nextElement() {
                    if let id = BeaconID(try json.string()), beacon.ids.count < 16 { beacon.ids.append(id) }
                }
            case "name": beacon.name = try json.string()
            case "url": beacon.url = try json.string()
            case "class": beacon.transmitterClass = TransmitterClass(rawValue: try json.string())
            case "rssi":
                try json.beginObject()
                while let key = try json.nextKey() {
                    switch key {
                    case "mean": beacon.mean = try json.number()
                    case "last": beacon.last = try json.integer(Int.self)
                    default: try json.skip()
                    }
                }
            case "count": beacon.count = try json.integer(Int.self)
            case "power": beacon.power = try json.integer(Int.self)
            default: try json.skip()
            }
        }
        guard let id, beacon.mean.isFinite else { return nil }
        beacon.id = id
        if !beacon.ids.contains(id) { beacon.ids.insert(id, at: 0) }
        return beacon
    }
}
