/// The quantity of an object of a BTHome frame: a row of the format's table.
public struct BTHomeKind: Hashable, Sendable {
    /// The interpretation of its bytes; numbers are little-endian.
    public enum Form: Hashable, Sendable {
        /// A number of 0 or more.
        case unsigned
        /// A number in two's complement.
        case signed
        /// No or yes.
        case flag
        /// An action of a button.
        case button
        /// A turn of a dimmer.
        case dimmer
        /// Parts of a version, the least significant first.
        case version
        /// A length and so many bytes of UTF-8.
        case text
        /// A length and so many bytes.
        case raw
    }

    /// The object id.
    public var id: UInt8
    /// Its name with the unit at the end, such as `temperature_c`.
    public var key: String
    /// The interpretation of its bytes.
    public var form: Form
    /// The number of bytes; 0 if a length byte gives it.
    public var size: Int
    /// The number of decimals.
    public var decimals: Int
    /// The factor that is applied to a number before the decimals are split off.
    public var multiplier: Int

    /// The kind of an object id; nil for an id that the table doesn't have.
    public init?(_ id: UInt8) {
        guard let kind = Self.table[Int(id)] else { return nil }
        self = kind
    }

    /// The supported object ids, in order.
    public static var ids: [UInt8] { table.compactMap { $0?.id } }

    /// Ten to the power of the decimals.
    var divisor: Double {
        var divisor = 1.0
        for _ in 0..<decimals { divisor *= 10 }
        return divisor
    }

    private init(
        _ id: UInt8, _ key: String, _ form: Form, _ size: Int = 0, decimals: Int = 0, multiplier: Int = 1
    ) {
        self.id = id
        self.key = key
        self.form = form
        self.size = size
        self.decimals = decimals
        self.multiplier = multiplier
    }

    private static let table: [BTHomeKind?] = {
        var table = [BTHomeKind?](repeating: nil, count: 256)
        for kind in readings + laterReadings + others { table[Int(kind.id)] = kind }
        for (id, key) in flags { table[Int(id)] = BTHomeKind(id, key, .flag, 1) }
        return table
    }()

    private static let readings: [BTHomeKind] = [
        .init(0x00, "packet", .unsigned, 1),
        .init(0x01, "battery_percent", .unsigned, 1),
        .init(0x02, "temperature_c", .signed, 2, decimals: 2),
        .init(0x03, "humidity_percent", .unsigned, 2, decimals: 2),
        .init(0x04, "pressure_hpa", .unsigned, 3, decimals: 2),
        .init(0x05, "illuminance_lx", .unsigned, 3, decimals: 2),
        .init(0x06, "mass_kg", .unsigned, 2, decimals: 2),
        .init(0x07, "mass_lb", .unsigned, 2, decimals: 2),
        .init(0x08, "dew_point_c", .signed, 2, decimals: 2),
        .init(0x09, "count", .unsigned, 1),
        .init(0x0A, "energy_kwh", .unsigned, 3, decimals: 3),
        .init(0x0B, "power_w", .unsigned, 3, decimals: 2),
        .init(0x0C, "voltage_v", .unsigned, 2, decimals: 3),
        .init(0x0D, "pm2_5_ug_m3", .unsigned, 2),
        .init(0x0E, "pm10_ug_m3", .unsigned, 2),
        .init(0x12, "co2_ppm", .unsigned, 2),
        .init(0x13, "tvoc_ug_m3", .unsigned, 2),
        .init(0x14, "moisture_percent", .unsigned, 2, decimals: 2),
        .init(0x2E, "humidity_percent", .unsigned, 1),
        .init(0x2F, "moisture_percent", .unsigned, 1),
        .init(0x3D, "count", .unsigned, 2),
        .init(0x3E, "count", .unsigned, 4),
        .init(0x3F, "rotation_deg", .signed, 2, decimals: 1),
        .init(0x40, "distance_mm", .unsigned, 2),
        .init(0x41, "distance_m", .unsigned, 2, decimals: 1),
        .init(0x42, "duration_s", .unsigned, 3, decimals: 3),
        .init(0x43, "current_a", .unsigned, 2, decimals: 3),
        .init(0x44, "speed_m_s", .unsigned, 2, decimals: 2),
        .init(0x45, "temperature_c", .signed, 2, decimals: 1),
        .init(0x46, "uv_index", .unsigned, 1, decimals: 1),
        .init(0x47, "volume_l", .unsigned, 2, decimals: 1),
        .init(0x48, "volume_ml", .unsigned, 2),
        .init(0x49, "volume_flow_rate_m3_h", .unsigned, 2, decimals: 3),
    ]

    private static let laterReadings: [BTHomeKind] = [
        .init(0x4A, "voltage_v", .unsigned, 2, decimals: 1),
        .init(0x4B, "gas_m3", .unsigned, 3, decimals: 3),
        .init(0x4C, "gas_m3", .unsigned, 4, decimals: 3),
        .init(0x4D, "energy_kwh", .unsigned, 4, decimals: 3),
        .init(0x4E, "volume_l", .unsigned, 4, decimals: 3),
        .init(0x4F, "water_l", .unsigned, 4, decimals: 3),
        .init(0x50, "timestamp_s", .unsigned, 4),
        .init(0x51, "acceleration_m_s2", .unsigned, 2, decimals: 3),
        .init(0x52, "gyroscope_deg_s", .unsigned, 2, decimals: 3),
        .init(0x55, "volume_storage_l", .unsigned, 4, decimals: 3),
        .init(0x56, "conductivity_us_cm", .unsigned, 2),
        .init(0x57, "temperature_c", .signed, 1),
        .init(0x58, "temperature_c", .signed, 1, decimals: 2, multiplier: 35),
        .init(0x59, "count", .signed, 1),
        .init(0x5A, "count", .signed, 2),
        .init(0x5B, "count", .signed, 4),
        .init(0x5C, "power_w", .signed, 4, decimals: 2),
        .init(0x5D, "current_a", .signed, 2, decimals: 3),
        .init(0x5E, "direction_deg", .unsigned, 2, decimals: 2),
        .init(0x5F, "precipitation_mm", .unsigned, 2, decimals: 1),
        .init(0x60, "channel", .unsigned, 1),
        .init(0x61, "rotational_speed_rpm", .unsigned, 2),
        .init(0x62, "speed_m_s", .signed, 4, decimals: 6),
        .init(0x63, "acceleration_m_s2", .signed, 4, decimals: 6),
        .init(0x64, "light_level", .unsigned, 1),
    ]

    private static let others: [BTHomeKind] = [
        .init(0x3A, "button", .button, 1),
        .init(0x3C, "dimmer_steps", .dimmer, 2),
        .init(0x53, "text", .text),
        .init(0x54, "raw", .raw),
        .init(0xF0, "device_type", .unsigned, 2),
        .init(0xF1, "firmware_version", .version, 4),
        .init(0xF2, "firmware_version", .version, 3),
    ]

    private static let flags: [(UInt8, String)] = [
        (0x0F, "boolean"), (0x10, "power"), (0x11, "opening"), (0x15, "battery_low"), (0x16, "battery_charging"),
        (0x17, "carbon_monoxide"), (0x18, "cold"), (0x19, "connectivity"), (0x1A, "door"), (0x1B, "garage_door"),
        (0x1C, "gas"), (0x1D, "heat"), (0x1E, "light"), (0x1F, "lock"), (0x20, "moisture"), (0x21, "motion"),
        (0x22, "moving"), (0x23, "occupancy"), (0x24, "plug"), (0x25, "presence"), (0x26, "problem"),
        (0x27, "running"), (0x28, "safety"), (0x29, "smoke"), (0x2A, "sound"), (0x2B, "tamper"),
        (0x2C, "vibration"), (0x2D, "window"),
    ]
}
