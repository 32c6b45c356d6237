internal import Advertising
internal import BeaconFrames
internal import Bytes
internal import WireProtocol

/// The reports of one beacon in the current interval, and its state between intervals.
struct Accumulator: Sendable {
    /// Its canonical id as text, made once.
    let id: String
    var item: Int32?
    var cadence = Cadence()
    var power: Int?
    var nearness = ProximityState()
    var lastHeard: Timestamp

    /// Reports that count in this interval.
    var count = 0
    /// The levels of this interval.
    private(set) var levels = LevelSum()
    /// The last of this interval's levels in the table's pool; −1 for none.
    var sample: Int32 = -1
    /// The index in the list of beacons received in this interval; −1 for one that wasn't.
    var place: Int32 = -1
    var telemetry = Telemetry()
    var url: EncodedURL?
    /// The latest address, the other one before it, and the number of times that one returned in this interval.
    private var addresses: (last: DeviceAddress?, previous: DeviceAddress?) = (nil, nil)
    private(set) var addressReturns = 0
    /// The kind of transmitter in its latest report.
    var transmitterClass: TransmitterClass?

    init(id: String, item: Int32?, time: Timestamp) {
        self.id = id
        self.item = item
        lastHeard = time
    }

    mutating func add(level: Int) { levels.add(level) }

    /// Records the address of a report: a rotating one does not return.
    mutating func record(_ address: DeviceAddress) {
        guard address != addresses.last else { return }
        if address == addresses.previous { addressReturns += 1 }
        addresses = (address, addresses.last)
    }

    mutating func startInterval() {
        addressReturns = 0
        count = 0
        levels = LevelSum()
        sample = -1
        place = -1
        telemetry = Telemetry()
        url = nil
    }
}
