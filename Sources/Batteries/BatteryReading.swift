public import WireProtocol

/// A transmitter's readings of its battery.
public struct BatteryReading: Hashable, Sendable {
    /// The voltages that a battery of a tag can have, in millivolts: others are of something else.
    private static let voltages: ClosedRange<Double> = 1000...4500

    /// The voltage in millivolts; nil for none.
    var millivolts: Double?
    /// The charge in per cent; nil for none.
    var percent: Double?
    /// The temperature in degrees Celsius; nil for none.
    var celsius: Double?
    /// True if the transmitter says that its battery is low; nil if it says nothing.
    var isLow: Bool?

    /// Readings in telemetry; nil if none is of a battery.
    ///
    /// A voltage of BTHome counts as the battery's unless the device measures power or current as well, as plugs do.
    public init?(_ telemetry: Telemetry) {
        let isMeter = telemetry.number("power_w") != nil || telemetry.number("current_a") != nil
        let volts = isMeter ? nil : telemetry.number("voltage_v").map { $0 * 1000 }
        millivolts = (telemetry.batteryMillivolts.map { Double($0) } ?? volts).flatMap {
            Self.voltages.contains($0) ? $0 : nil
        }
        percent = telemetry.number("battery_percent").flatMap { (0...100).contains($0) ? $0 : nil }
        celsius = telemetry.temperatureCelsius.flatMap { (-60...90).contains($0) ? $0 : nil }
        for reading in telemetry.others where reading.name == "battery_low" {
            if case .flag(let flag) = reading.value { isLow = flag }
        }
        if millivolts == nil, percent == nil, isLow == nil { return nil }
    }

    /// Readings by their values.
    init(millivolts: Double?, percent: Double? = nil, celsius: Double? = nil, isLow: Bool? = nil) {
        (self.millivolts, self.percent, self.celsius, self.isLow) = (millivolts, percent, celsius, isLow)
    }
}
