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
}

/// A list leaves out a class without a level or a count.
extension NearbyStranger: WireObject {
    static var blank: Self { Self(transmitterClass: nil, addresses: 0, mean: .nan) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("class", &transmitterClass)
        try fields.field("addresses", &addresses, where: { $0 > 0 })
        try fields.object("rssi") { fields throws(Fields.Fault) in
            try fields.number("mean", &mean, decimals: 1, where: \.isFinite)
        }
    }
}
