import Advertising
import BeaconFrames
import Bytes
import Captures
import Crypto
import Identity
import Support

/// A capture of our own making: phones that change their addresses, tags that change their identifiers, sensors that
/// encrypt, and strangers of all these kinds.
struct KeyedCapture {
    /// Keys as files hold them, by name, drawn by a seed.
    let keys: [String: [UInt8]]
    static let begin: Int64 = 1_795_248_000
    static let exponent: UInt8 = 8
    static let sensor = DeviceAddress(0xA4C1_3800_1122, .public)
    static let mistaken = DeviceAddress(0xA4C1_3800_3344, .public)
    static let ruuvi = DeviceAddress(0xC0FF_EE00_0005, .random)
    static let changing = DeviceAddress(0x4AFF_EE00_0006, .random)
    /// Seconds by which a tag's clock is behind.
    static let behind: Int64 = 3 * 86_400

    private var generator = SeededGenerator(seed: 20_261_122)
    private var events: [(at: Int64, event: [UInt8])] = []

    init() {
        var generator = SeededGenerator(seed: 71)
        var keys: [String: [UInt8]] = [:]
        for name in ["phone", "watch", "cat", "dog", "fridge", "mistaken", "stranger"] {
            keys[name] = (0..<16).map { _ in .random(in: 0 ... .max, using: &generator) }
        }
        self.keys = keys
    }

    func key(_ name: String) -> AES128 {
        let bytes = keys[name, default: []]
        return AES128(bytes.span)!
    }

    func hex(_ name: String) -> String {
        let bytes = keys[name, default: []]
        return Hex.text(bytes.span)
    }

    /// Writes so many seconds of it.
    mutating func write(to path: String, seconds: Int64) throws {
        events = []
        for second in stride(from: Int64(0), to: seconds, by: 2) { try add(at: second) }
        var writer = try CaptureWriter(path: path)
        for (at, event) in events {
            try writer.append(
                event.span, kind: .event, direction: .received,
                time: Timestamp(microseconds: Self.begin * 1_000_000 + at))
        }
        try writer.close()
    }

    private mutating func add(at second: Int64) throws {
        let now = Self.begin + second
        let nothing: [UInt8] = [0x02, 0x01, 0x1A]
        // Two addresses are in use at once, each changed every five minutes at its own time.
        for (name, shift) in [("phone", Int64(0)), ("phone", 140), ("watch", 70)] {
            let random = UInt32(truncatingIfNeeded: (second + shift) / 300 + 1_000 * shift) &* 2_654_435
            put(second, PrivateAddressResolver.address(random, key(name)), nothing)
        }
        for (name, behind) in [("cat", Int64(0)), ("dog", Self.behind)] {
            guard let key = EphemeralKey(key(name), exponent: Self.exponent) else { continue }
            let counter = UInt32(now - behind - 1_790_000_000)
            let address = DeviceAddress(0xC100_0000_0000 | UInt64(counter >> 8) << 8 | UInt64(name.utf8.count), .random)
            put(second, address, EddystoneEID(eid: key.identifier(at: counter), rangingData: -20).advertisingData)
            guard second % 10 == 0 else { continue }
            let telemetry = EddystoneTLM(batteryMillivolts: 2_876, temperature: 5_504, advertisements: 9, uptime: 9)
            let sealed = key.seal(telemetry, at: counter, salt: UInt16(truncatingIfNeeded: second))
            if let sealed { put(second, address, sealed.advertisingData) }
        }
        if second % 10 == 0 {
            try seal(second, counter: 1_000 + UInt32(second), "fridge", Self.sensor)
            try seal(second, counter: 7 + UInt32(second), "stranger", Self.mistaken)
            // A recorded packet is sent again.
            if second > 100 {
                try seal(second, counter: 1_000 + UInt32(second % 60), "fridge", Self.sensor, celsius: 99)
            }
        }
        let readings = Hex.bytes("99040512fc5394c37c0004fffc040cac364200cdcbb8334c884f") ?? []
        if let ruuvi = RuuviTag5(manufacturerData: readings.span) {
            put(second, Self.ruuvi, ruuvi.advertisingData)
        }
        put(second, Self.changing, nothing)
        let random: UInt64 = generator.next()
        put(second, DeviceAddress(random & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000, .random), nothing)
        put(
            second, DeviceAddress(random, .random),
            EddystoneEID(eid: generator.next(), rangingData: 0).advertisingData)
    }

    private mutating func seal(
        _ second: Int64, counter: UInt32, _ name: String, _ address: DeviceAddress, celsius: Int16 = 5
    ) throws {
        let (low, high) = (UInt8(truncatingIfNeeded: celsius * 100), UInt8(truncatingIfNeeded: (celsius * 100) >> 8))
        let plain: [UInt8] = [0x40, 0x01, 97, 0x02, low, high, 0x1A, 0x01]
        guard let frame = BTHome(serviceData: plain.span),
            let sealed = BTHomeKey(key(name)).seal(frame, from: address, counter: counter)
        else { return }
        put(second, address, sealed.advertisingData)
    }

    private mutating func put(_ second: Int64, _ address: DeviceAddress, _ data: [UInt8]) {
        var encoder = AdvertisingReportEncoder(.legacy)
        encoder.append(AdvertisingReport(eventType: .advNonconnInd, address: address, rssi: -60), data.span)
        events.append((second * 1_000_000 + Int64(events.count % 20) * 1_000, encoder.takeEvent()))
    }

    /// Every spelling in which a key could appear.
    func spellings(_ name: String) -> [[UInt8]] {
        let bytes = keys[name, default: []]
        let orders = [bytes, bytes.reversed()]
        return orders
            + orders.flatMap { order -> [[UInt8]] in
                let hex = Hex.text(order.span)
                return [Array(hex.utf8), Array(hex.uppercased().utf8), Array(Self.base64(order).utf8)]
            }
    }

    /// The first 20 characters: the end of it is padding.
    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: 15, by: 3) {
            let group = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
            for shift in [18, 12, 6, 0] as [UInt32] { text.append(alphabet[Int(group >> shift & 63)]) }
        }
        return text
    }
}
