public import Bytes

/// An Eddystone-TLM frame in the clear (frame type 0x20, version 0): the beacon's telemetry.
public struct EddystoneTLM: Hashable, Sendable, BitwiseCopyable {
    /// The bytes of its service data.
    public static let size = 14
    /// The temperature on the wire for "not supported": −128 °C.
    public static let unsupportedTemperature = Int16.min

    /// The battery's voltage in mV; nil if the beacon doesn't send it.
    public var batteryMillivolts: UInt16?
    /// The temperature in 1/256 °C; nil if the beacon doesn't send it.
    public var temperature: Int16?
    /// The number of frames sent since the beacon was started.
    public var advertisements: UInt32
    /// The time since it was started, in tenths of a second.
    public var uptime: UInt32

    /// A frame of these values. 0 mV and −32,768/256 °C can't be expressed: they are read back as nil.
    @inlinable
    public init(batteryMillivolts: UInt16?, temperature: Int16?, advertisements: UInt32, uptime: UInt32) {
        self.batteryMillivolts = batteryMillivolts
        self.temperature = temperature
        self.advertisements = advertisements
        self.uptime = uptime
    }

    /// Reads service data; nil if it is no TLM frame of version 0 with 14 bytes.
    public init?(serviceData data: Span<UInt8>) {
        guard data.count == Self.size, data[0] == Eddystone.tlm, data[1] == 0,
            let battery = data.bigEndian(UInt16.self, at: 2), let temperature = data.bigEndian(UInt16.self, at: 4),
            let advertisements = data.bigEndian(UInt32.self, at: 6), let uptime = data.bigEndian(UInt32.self, at: 10)
        else { return nil }
        let fixedPoint = Int16(bitPattern: temperature)
        self.init(
            batteryMillivolts: battery == 0 ? nil : battery,
            temperature: fixedPoint == Self.unsupportedTemperature ? nil : fixedPoint,
            advertisements: advertisements, uptime: uptime)
    }

    /// The temperature in °C.
    public var celsius: Double? { temperature.map { Double($0) / 256 } }

    /// The time since it was started, in seconds.
    public var uptimeSeconds: Double { Double(uptime) / 10 }

    /// The service data: 14 bytes.
    public var serviceData: [UInt8] {
        var bytes: [UInt8] = [Eddystone.tlm, 0]
        bytes.append(bigEndian: batteryMillivolts ?? 0)
        bytes.append(bigEndian: UInt16(bitPattern: temperature ?? Self.unsupportedTemperature))
        bytes.append(bigEndian: advertisements)
        bytes.append(bigEndian: uptime)
        return bytes
    }

    /// The whole advertising data: flags, service list and service data, 25 bytes.
    public var advertisingData: [UInt8] { AdvertisingPayload.eddystone(serviceData) }

    /// Writes `{"type":"eddystone-tlm","version","battery_mv","temperature_c","advertisements","uptime_s"}`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "eddystone-tlm")
        json.field("version", 0)
        json.field("battery_mv", batteryMillivolts)
        // Eight decimals represent every 1/256 exactly.
        json.field("temperature_c", celsius, decimals: 8)
        json.field("advertisements", advertisements)
        json.field("uptime_s", uptimeSeconds, decimals: 1)
        json.endObject()
    }
}
