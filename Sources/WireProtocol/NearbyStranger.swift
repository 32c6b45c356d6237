public import BeaconFrames
internal import Bytes

/// The loudest transmitter of a class that can't be registered, in the answer to a `nearby` action.
public struct NearbyStranger: Hashable, Sendable {
    /// The kind of transmitter; nil for one that reveals only a changing address, as phones do.
    public var transmitterClass: TransmitterClass?
    /// The number of addresses of this class.
    public var addresses: Int
    /// The mean of the loudest one's levels in dBm.
    public var mean: Double

    /// A class, its number of addresses and the loudest one's mean level in dBm.
    public init(transmitterClass: TransmitterClass?, addresses: Int, mean: Double) {
        self.transmitterClass = transmitterClass
        self.addresses = addresses
        self.mean = mean
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("class", transmitterClass?.rawValue)
        json.field("addresses", addresses)
        json.beginObject("rssi")
        json.field("mean", mean, decimals: 1)
        json.endObject()
        json.endObject()
    }

    /// The next element of an answer; nil if it lacks a level or a count.
    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> NearbyStranger? {
        var stranger = NearbyStranger(transmitterClass: nil, addresses: 0, mean: .nan)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "class": stranger.transmitterClass = TransmitterClass(rawValue: try json.string())
            case "addresses": stranger.addresses = try json.integer(Int.self)
            case "rssi":
                try json.beginObject()
                while let key = try json.nextKey() {
                    if key == "mean" { stranger.mean = try json.number() } else { try json.skip() }
                }
            default: try json.skip()
            }
        }
        return stranger.mean.isFinite && stranger.addresses > 0 ? stranger : nil
    }
}
