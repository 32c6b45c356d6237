internal import WireProtocol

/// A reading of an item's beacon about itself or its surroundings, as an entity.
///
/// Device classes, their units and state classes are those that Home Assistant accepts together
/// (homeassistant/components/sensor/const.py, binary_sensor/__init__.py).
struct ItemReading: Sendable {
    /// The most entities of this kind for an item: the capacity of telemetry.
    static let bound = Telemetry.readingBound + 2

    /// The kind of value.
    private enum Form: Sendable {
        case number(unit: String?, decimals: Int, statistics: String?)
        case flag
    }

    /// Its key in `telemetry`.
    let key: String
    private let name: String
    private let deviceClass: String?
    private let form: Form
    /// True if it concerns the beacon itself, not its surroundings.
    private var isDiagnostic = false

    private init(
        _ key: String, _ name: String, _ deviceClass: String?, _ unit: String?, _ decimals: Int = 0,
        statistics: String? = "measurement", isDiagnostic: Bool = false
    ) {
        (self.key, self.name, self.deviceClass, self.isDiagnostic) = (key, name, deviceClass, isDiagnostic)
        form = .number(unit: unit, decimals: decimals, statistics: statistics)
    }

    private init(flag key: String, _ name: String, _ deviceClass: String?, isDiagnostic: Bool = false) {
        (self.key, self.name, self.deviceClass, self.isDiagnostic) = (key, name, deviceClass, isDiagnostic)
        form = .flag
    }

    /// The entity of a key of `telemetry`, such as `temperature_c`, and of a second one, `temperature_c_2`; nil for any
    /// other key.
    static func component(_ key: String, of item: String, _ topics: Topics) -> DiscoveryComponent? {
        findReading(key).map { reading, number in reading.component(key, number, of: item, topics) }
    }

    /// True if a key of `telemetry` becomes an entity.
    static func isReading(_ key: String) -> Bool { findReading(key) != nil }

    private static func findReading(_ key: String) -> (reading: ItemReading, number: Int?)? {
        if let reading = all[key] { return (reading, nil) }
        guard let mark = key.lastIndex(of: "_"), let number = Int(key[key.index(after: mark)...]),
            (2...bound).contains(number), let reading = all[String(key[..<mark])]
        else { return nil }
        return (reading, number)
    }

    private func component(_ key: String, _ number: Int?, of item: String, _ topics: Topics) -> DiscoveryComponent {
        let name = number.map { "\(self.name) \($0)" } ?? self.name
        var component: DiscoveryComponent
        switch form {
        case .number(let unit, let decimals, let statistics):
            component = DiscoveryComponent(key, .sensor, name: name)
            (component.unit, component.precision, component.stateClass) = (unit, decimals, statistics)
            component.state = (topics.itemTelemetry(item), DiscoveryTemplates.value(key))
        case .flag:
            // An item's own presence has the plain key.
            component = DiscoveryComponent("flag_\(key)", .binarySensor, name: name)
            component.state = (topics.itemTelemetry(item), DiscoveryTemplates.flag(key))
        }
        component.deviceClass = deviceClass
        component.category = isDiagnostic ? "diagnostic" : nil
        return component
    }

    private static let all = Dictionary(uniqueKeysWithValues: (numbers + totals + flags).map { ($0.key, $0) })

    private static let numbers: [ItemReading] = [
        .init("battery_mv", "Battery voltage", "voltage", "mV", isDiagnostic: true),
        .init("battery_percent", "Battery", "battery", "%", isDiagnostic: true),
        .init("temperature_c", "Temperature", "temperature", "°C", 1),
        .init("dew_point_c", "Dew point", "temperature", "°C", 1),
        .init("humidity_percent", "Humidity", "humidity", "%"),
        .init("moisture_percent", "Moisture", "moisture", "%"),
        .init("pressure_hpa", "Air pressure", "atmospheric_pressure", "hPa", 1),
        .init("illuminance_lx", "Illuminance", "illuminance", "lx"),
        .init("co2_ppm", "Carbon dioxide", "carbon_dioxide", "ppm"),
        .init("pm2_5_ug_m3", "PM2.5", "pm25", "µg/m³"),
        .init("pm10_ug_m3", "PM10", "pm10", "µg/m³"),
        .init("tvoc_ug_m3", "Volatile organic compounds", "volatile_organic_compounds", "µg/m³"),
        .init("uv_index", "UV index", nil, "UV index", 1),
        .init("conductivity_us_cm", "Conductivity", "conductivity", "µS/cm"),
        .init("mass_kg", "Mass", "weight", "kg", 2),
        .init("mass_lb", "Mass in pounds", "weight", "lb", 2),
        .init("power_w", "Power", "power", "W", 1),
        .init("voltage_v", "Voltage", "voltage", "V", 2),
        .init("current_a", "Current", "current", "A", 2),
        .init("distance_mm", "Distance in millimetres", "distance", "mm"),
        .init("distance_m", "Distance", "distance", "m", 1),
        .init("duration_s", "Duration", "duration", "s"),
        .init("speed_m_s", "Speed", "speed", "m/s", 1),
        .init("acceleration_m_s2", "Acceleration", nil, "m/s²", 2),
        .init("gyroscope_deg_s", "Turning", nil, "°/s", 1),
        .init("rotation_deg", "Rotation", nil, "°"),
        .init("direction_deg", "Direction", nil, "°", statistics: nil),
        .init("rotational_speed_rpm", "Rotational speed", nil, "rpm"),
        .init("volume_flow_rate_m3_h", "Flow rate", "volume_flow_rate", "m³/h", 2),
        .init("volume_storage_l", "Stored volume", "volume_storage", "L", 1),
        .init("precipitation_mm", "Precipitation", "precipitation", "mm", 1),
        .init("light_level", "Light level", nil, nil),
        .init("count", "Count", nil, nil),
        .init("movements", "Movements", nil, nil),
    ]

    /// Readings that only increase, or begin anew.
    private static let totals: [ItemReading] = [
        .init("energy_kwh", "Energy", "energy", "kWh", 3, statistics: "total_increasing"),
        .init("gas_m3", "Gas volume", "gas", "m³", 3, statistics: "total_increasing"),
        .init("water_l", "Water", "water", "L", 1, statistics: "total_increasing"),
        .init("volume_l", "Volume", "volume", "L", 1, statistics: "total"),
        .init("volume_ml", "Volume in millilitres", "volume", "mL", statistics: "total"),
    ]

    private static let flags: [ItemReading] = [
        .init(flag: "battery_low", "Low battery", "battery", isDiagnostic: true),
        .init(flag: "battery_charging", "Charging", "battery_charging", isDiagnostic: true),
        .init(flag: "boolean", "Flag", nil),
        .init(flag: "carbon_monoxide", "Carbon monoxide", "carbon_monoxide"),
        .init(flag: "cold", "Cold", "cold"),
        .init(flag: "connectivity", "Connection", "connectivity"),
        .init(flag: "door", "Door", "door"),
        .init(flag: "garage_door", "Garage door", "garage_door"),
        .init(flag: "gas", "Gas", "gas"),
        .init(flag: "heat", "Heat", "heat"),
        .init(flag: "light", "Light", "light"),
        .init(flag: "lock", "Lock", "lock"),
        .init(flag: "moisture", "Wet", "moisture"),
        .init(flag: "motion", "Motion", "motion"),
        .init(flag: "moving", "Moving", "moving"),
        .init(flag: "occupancy", "Occupancy", "occupancy"),
        .init(flag: "opening", "Opening", "opening"),
        .init(flag: "plug", "Plug", "plug"),
        .init(flag: "power", "Powered", "power"),
        .init(flag: "presence", "Sensed presence", "presence"),
        .init(flag: "problem", "Problem", "problem"),
        .init(flag: "running", "Running", "running"),
        .init(flag: "safety", "Unsafe", "safety"),
        .init(flag: "smoke", "Smoke", "smoke"),
        .init(flag: "sound", "Sound", "sound"),
        .init(flag: "tamper", "Tampering", "tamper"),
        .init(flag: "vibration", "Vibration", "vibration"),
        .init(flag: "window", "Window", "window"),
    ]
}

extension DiscoveryDocument {
    /// The most entities of an item's telemetry.
    public static let readingBound = ItemReading.bound

    /// True if a key of `telemetry` becomes an entity.
    public static func isReading(_ key: String) -> Bool { ItemReading.isReading(key) }
}
