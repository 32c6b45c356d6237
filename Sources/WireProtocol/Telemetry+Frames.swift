public import BeaconFrames

extension Telemetry {
    /// The readings of a plain frame: Eddystone-TLM, BTHome, RuuviTag, and the battery of a Find Hub tag that its key
    /// has decoded; empty for others.
    ///
    /// A BTHome frame's numbers and flags have the names that `decode` gives them. Momentary events (buttons, dimmers),
    /// texts, versions and the packet's number are no readings.
    public init(_ frame: BeaconFrame) {
        switch frame {
        case .eddystoneTLM(let frame):
            self.init(
                batteryMillivolts: frame.batteryMillivolts.map { Int($0) }, temperatureCelsius: frame.celsius)
        case .ruuviTag5(let frame):
            self.init(batteryMillivolts: frame.batteryMillivolts.map { Int($0) }, temperatureCelsius: frame.celsius)
            if let humidity = frame.humidityPercent { set(Reading("humidity_percent", .number(humidity))) }
            if let pascals = frame.pascals { set(Reading("pressure_hpa", .number(Double(pascals) / 100))) }
            if let movements = frame.movements { set(Reading("movements", .number(Double(movements)))) }
        case .fmdn(let frame):
            self.init()
            switch frame.battery {
            case .unsupported, nil: break
            case .normal: set(Reading("battery_low", .flag(false)))
            case .low, .critical: set(Reading("battery_low", .flag(true)))
            }
        case .btHome(let frame):
            self.init()
            addContents(frame.contents)
        case .iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL, .eddystoneETLM, .eddystoneEID: self.init()
        }
    }

    private mutating func addContents(_ contents: BTHome.Contents) {
        var seen: [String: Int] = [:]
        for object in contents.objects where object.kind.key != Self.packet {
            guard let number = object.number else { continue }
            let count = seen[object.kind.key, default: 0] + 1
            seen[object.kind.key] = count
            if object.kind.key == "temperature_c", count == 1 {
                temperatureCelsius = number
            } else {
                let name = count == 1 ? object.kind.key : "\(object.kind.key)_\(count)"
                set(Reading(name, object.kind.form == .flag ? .flag(number != 0) : .number(number)))
            }
        }
    }

    private static let packet = "packet"
}
