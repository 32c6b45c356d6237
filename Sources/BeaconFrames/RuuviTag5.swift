import Advertising
public import Bytes

/// A RuuviTag's readings in data format 5 (Ruuvi, "Data format 5 (RAWv2)"): manufacturer data of the company 0x0499.
public struct RuuviTag5: Hashable, Sendable, BitwiseCopyable {
    /// The bytes of its manufacturer data, company identifier included.
    public static let size = 26

    /// The temperature in 0.005 °C; nil where the tag doesn't tell it, as everywhere below.
    public var temperature: Int16?
    /// The relative humidity in 0.0025 %.
    public var humidity: UInt16?
    /// The air pressure in Pa above 50,000.
    public var pressure: UInt16?
    /// The acceleration along x in thousandths of the standard gravity.
    public var accelerationX: Int16?
    /// The same along y.
    public var accelerationY: Int16?
    /// The same along z.
    public var accelerationZ: Int16?
    /// The battery's voltage in mV, 1600...3646.
    public var batteryMillivolts: UInt16?
    /// The power it sends with in dBm, −40...20, even.
    public var txPower: Int8?
    /// Counts movements, 0...254.
    public var movements: UInt8?
    /// Counts measurements, 0...65534.
    public var sequence: UInt16?
    /// The tag's own address in the low 48 bits.
    public var address: UInt64?

    /// Reads manufacturer data that begins with the company identifier; nil where it is none of 26 bytes.
    public init?(manufacturerData data: Span<UInt8>) {
        guard data.count == Self.size, data.hasBytes([0x99, 0x04, 0x05]) else { return nil }
        func word(_ offset: Int) -> UInt16 { UInt16(data[offset]) << 8 | UInt16(data[offset + 1]) }
        func unsigned(_ offset: Int) -> UInt16? { word(offset) == .max ? nil : word(offset) }
        func signed(_ offset: Int) -> Int16? { word(offset) == 0x8000 ? nil : Int16(bitPattern: word(offset)) }
        temperature = signed(3)
        humidity = unsigned(5)
        pressure = unsigned(7)
        accelerationX = signed(9)
        accelerationY = signed(11)
        accelerationZ = signed(13)
        let power = word(15)
        batteryMillivolts = power >> 5 == 0x7FF ? nil : 1600 + power >> 5
        txPower = power & 0x1F == 0x1F ? nil : Int8(power & 0x1F) * 2 - 40
        movements = data[17] == .max ? nil : data[17]
        sequence = unsigned(18)
        var address: UInt64 = 0
        for index in 20..<26 { address = address << 8 | UInt64(data[index]) }
        self.address = address == 0xFFFF_FFFF_FFFF ? nil : address
    }

    /// The manufacturer data, company identifier included: 26 bytes.
    public var manufacturerData: [UInt8] {
        var bytes: [UInt8] = [0x99, 0x04, 0x05]
        bytes.append(bigEndian: UInt16(bitPattern: temperature ?? .min))
        bytes.append(bigEndian: humidity ?? .max)
        bytes.append(bigEndian: pressure ?? .max)
        for axis in [accelerationX, accelerationY, accelerationZ] {
            bytes.append(bigEndian: UInt16(bitPattern: axis ?? .min))
        }
        let battery = batteryMillivolts.map { min(max($0, 1600), 3646) - 1600 } ?? 0x7FF
        let power = txPower.map { UInt16(min(max(Int($0), -40), 20) + 40) / 2 } ?? 0x1F
        bytes.append(bigEndian: battery << 5 | power)
        bytes.append(movements ?? .max)
        bytes.append(bigEndian: sequence ?? .max)
        let address = address ?? .max
        for shift in stride(from: 40, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: address >> UInt64(shift)))
        }
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

    /// Writes `{"type":"ruuvi-5","temperature_c","humidity_percent","pressure_pa","acceleration_x_mg",…}`; what the
    /// tag doesn't tell is absent.
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
}
