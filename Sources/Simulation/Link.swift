internal import Bytes

/// The air between one beacon and one node: the random changes of the level, and the random losses.
struct Link: Sendable {
    private let radio: Scenario.Radio
    private let shared: Double
    private let own: Double
    private let furniture: PlaneNoise
    private let nodeFurniture: PlaneNoise
    private let fade: TimeNoise
    private let nodeFade: TimeNoise
    private let ripples: [PlaneNoise]
    private let swells: [TimeNoise]
    private let packets: RandomStream
    private let deeps: RandomStream
    private let losses: RandomStream

    init(beacon: String, node: String, radio: Scenario.Radio, stream: RandomStream) {
        self.radio = radio
        shared = radio.fadeCorrelation.squareRoot()
        own = (1 - radio.fadeCorrelation).squareRoot()
        // Furniture belongs to the place and the receiver, a fade to the beacon and the things that move around it.
        let house = stream.child("furniture")
        let nodeStream = stream.child("node \(node)")
        let beaconStream = stream.child("beacon \(beacon)")
        let pair = beaconStream.child(node)
        furniture = PlaneNoise(stream: house, cell: 1.4)
        nodeFurniture = PlaneNoise(stream: nodeStream.child("furniture"), cell: 1.4)
        let period = Int64(microseconds: radio.fadePeriod)
        fade = TimeNoise(stream: beaconStream.child("fade"), period: period)
        nodeFade = TimeNoise(stream: pair.child("fade"), period: period)
        // A wavelength is 12 cm: the channels' patterns change within a step.
        ripples = (0..<3).map { PlaneNoise(stream: nodeStream.child("ripple \($0)"), cell: 0.12) }
        swells = (0..<3).map { TimeNoise(stream: pair.child("swell \($0)"), period: 80_000_000) }
        packets = pair.child("packets")
        deeps = pair.child("deeps")
        losses = pair.child("losses")
    }

    /// Random decibels added to advertising event `number`, sent from a place and received on a channel (0, 1, 2).
    func chance(_ number: Int64, channel: Int, from place: Point, at time: Timestamp) -> Double {
        // Each floor has furniture of its own.
        let spot = Point(x: place.x + (place.z / 2).rounded(.down) * 311, y: place.y)
        var gain =
            radio.shadowSigma * (shared * furniture.value(at: spot) + own * nodeFurniture.value(at: spot))
            + radio.fadeSigma * (shared * fade.value(at: time) + own * nodeFade.value(at: time))
        let ripple = (ripples[channel].value(at: spot) + swells[channel].value(at: time)) * 0.707
        // Two paths that add up gain little; two that cancel lose much.
        gain += radio.channelSigma * (ripple < 0 ? 1.4 * ripple : 0.7 * ripple)
        gain += radio.packetSigma * packets.normal(number)
        if deeps.uniform(number) < 0.03 { gain -= 3 * radio.packetSigma + 4 }
        return gain
    }

    /// True if a receiver gets an advertising event at this level. The result is random for 4 dB on both sides of its
    /// sensitivity.
    func isReceived(_ number: Int64, level: Double, isDrowned: Bool) -> Bool {
        let share = smooth((level - radio.sensitivity + 4) / 8) * (1 - radio.loss)
        return losses.uniform(number) < (isDrowned ? share * 0.1 : share)
    }
}
