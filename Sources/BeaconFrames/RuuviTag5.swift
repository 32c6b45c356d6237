import Advertising
public import Bytes

/// A RuuviTag's readings in data format 5 (Ruuvi, "Data format 5 (RAWv2)"): manufacturer data of the company 0x0499.
public struct RuuviTag5: Hashable, Sendable, BitwiseCopyable {
    /// The bytes of its manufacturer data, company identifier included.
    public static let size = 26

    /// The 24 bytes after the company identifier, as they were sent.
    private let words: (UInt64, UInt64, UInt64)

    /// Reads manufacturer data that begins with the company identifier; nil if it is no such frame of 26 bytes.
    @inline(never)  // Rare: the common path is to stay small.
    public init?(manufacturerData data: Span<UInt8>) {
        guard data.count == Self.size, data[0] == 0x99, data[1] == 0x04, data[2] == 0x05,
            let first = data.bigEndian(UInt64.self, at: 2), let second = data.bigEndian(UInt64.self, at: 10),
            let third = data.bigEndian(UInt64.self, at: 18)
        else { return nil }
        words = (first, second, third)
    }

    /// The temperature in 0.005 °C. This and the following values are nil if the tag doesn't send them.
    public var temperature: Int16? { signed(words.0, 40) }
    /// The relative humidity in 0.0025 %.
    public var humidity: UInt16? { unsigned(words.0, 24) }
    /// The air pressure in Pa above 50,000.
    public var pressure: UInt16? { unsigned(words.0, 8) }
    /// The acceleration along x in thousandths of the standard gravity.
    public var accelerationX: Int16? { signed(words.0 << 8 | words.1 >> 56, 0) }
    /// The same along y.
    public var accelerationY: Int16? { signed(words.1, 40) }
    /// The same along z.
    public var accelerationZ: Int16? { signed(words.1, 24) }
    /// The battery's voltage in mV, 1600...3646.
    public var batteryMillivolts: UInt16? {
        let above = UInt16(words.1 >> 13 & 0x7FF)
        return above == 0x7FF ? nil : 1600 + above
    }
    /// The power it sends with in dBm, −40...20, even.
    public var txPower: Int8? {
        let step = Int8(words.1 >> 8 & 0x1F)
        return step == 0x1F ? nil : step * 2 - 40
    }
    /// Counts movements, 0...254.
    public var movements: UInt8? {
        let count = UInt8(words.1 & 0xFF)
        return count == .max ? nil : count
    }
    /// Counts measurements, 0...65534.
    public var sequence: UInt16? { unsigned(words.2, 48) }
    /// The tag's own address in the low 48 bits.
    public var address: UInt64? {
        let bits = words.2 & 0xFFFF_FFFF_FFFF
        return bits == 0xFFFF_FFFF_FFFF ? nil : bits
    }

    private func unsigned(_ word: UInt64, _ shift: UInt64) -> UInt16? {
        let value = UInt16(truncatingIfNeeded: word >> shift)
        return value == .max ? nil : value
    }

    private func signed(_ word: UInt64, _ shift: UInt64) -> Int16? {
        let value = Int16(truncatingIfNeeded: word >> shift)
        return value == .min ? nil : value
    }

    /// The manufacturer data, company identifier included: 26 bytes.
    public var manufacturerData: [UInt8] {
        var bytes: [UInt8] = [0x99, 0x04]
        bytes.append(bigEndian: words.0)
        bytes.append(bigEndian: words.1)
        bytes.append(bigEndian: words.2)
        return bytes
    }

    /// The whole advertising data: flags and manufacturer data, 31 bytes.
    public var advertisingData: [UInt8] {
        var bytes = AdvertisingPayload.flags
        ADStructure.append(type: ADType.manufacturerData, manufacturerData.span, to: &bytes)
        return bytes
    }

    /// The temperature in °C.
    public var celsius: Double? { temperature.map { Double($0) / 200 } }

    /// The relative humidity in %.
    public var humidityPercent: Double? { humidity.map { Double($0) / 400 } }

    /// The air pressure in Pa.
    public var pascals: Int? { pressure.map { Int($0) + 50_000 } }

    /// Writes `{"type":"ruuvi-5","temperature_c","humidity_percent","pressure_pa","acceleration_x_mg",…}`, without the
    /// values that the tag doesn't send.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "ruuvi-5")
        json.field("temperature_c", celsius, decimals: 3)
        json.field("humidity_percent", humidityPercent, decimals: 4)
        json.field("pressure_pa", pascals)
        json.field("acceleration_x_mg", accelerationX)
        json.field("acceleration_y_mg", accelerationY)
        json.field("acceleration_z_mg", accelerationZ)
        json.field("battery_mv", batteryMillivolts)
        json.field("tx_power_dbm", txPower)
        json.field("movements", movements)
        json.field("sequence", sequence)
        json.field("address", address.map { DeviceAddress($0, .random).text })
        json.endObject()
    }

    /// Returns true if both hold the same bytes.
    public static func == (left: RuuviTag5, right: RuuviTag5) -> Bool { left.words == right.words }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}
