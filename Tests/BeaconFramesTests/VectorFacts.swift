import Advertising
import BeaconFrames
import Bytes

/// The contents of a frame, in the vocabulary to which the vectors' expectations are converted.
struct VectorFacts {
    private(set) var values: [String: String] = [:]

    init(_ frame: BeaconFrame, _ report: AdvertisingReport?) {
        if let report {
            values["mac"] = report.address.hex
            values["rssi"] = report.rssi.map(String.init)
            values["kind"] = String(report.address.kind.rawValue)
        }
        values["metre"] = frame.powerAtOneMetre.map(String.init)
        switch frame {
        case .iBeacon(let frame): identify(frame.uuid, frame.major, frame.minor, frame.measuredPower)
        case .altBeacon(let frame):
            identify(frame.uuid, frame.major, frame.minor, frame.referenceRSSI)
            values["company"] = String(frame.company)
            values["mfg"] = String(frame.mfgReserved)
        case .eddystoneUID(let frame):
            values["namespace"] = frame.namespace.text
            values["instance"] = frame.instanceText
            values["power"] = String(frame.rangingData)
        case .eddystoneURL(let frame):
            values["url"] = frame.url
            values["encoded bytes"] = String(frame.serviceData.count - 2)
            values["power"] = String(frame.txPower)
        case .eddystoneTLM(let frame):
            values["version"] = "0"
            values["millivolts"] = frame.batteryMillivolts.map { String(Double($0)) }
            values["celsius"] = frame.celsius.map { String($0) }
            values["advertisements"] = String(frame.advertisements)
            values["tenths"] = String(Double(frame.uptime))
        case .eddystoneETLM(let frame):
            values["data"] = Hex.text(frame.dataHigh, digits: 16) + Hex.text(frame.dataLow, digits: 8)
            values["salt"] = String(frame.salt)
            values["mic"] = String(frame.mic)
        case .eddystoneEID(let frame):
            values["eid"] = frame.text
            values["power"] = String(frame.rangingData)
        case .fmdn(let frame): values["eid"] = frame.identifier.text
        case .btHome(let frame):
            for object in frame.contents.objects { values[object.kind.key] = object.number.map { String($0) } }
        case .ruuviTag5: break
        }
    }

    private mutating func identify(_ uuid: BeaconUUID, _ major: UInt16, _ minor: UInt16, _ power: Int8) {
        values["uuid"] = uuid.text
        values["major"] = String(major)
        values["minor"] = String(minor)
        values["power"] = String(power)
    }

    /// The fact that a row's key and value express in this vocabulary; nil for a key that doesn't describe the bytes.
    static func expectation(_ key: String, _ value: Any, of type: String) -> (fact: String, value: String)? {
        let text = (value as? String) ?? "\(value)"
        let number = value as? Double
        if type == "bthome", let reading = readings[key] { return number.map { (reading, String($0)) } }
        switch key {
        case "mac", "adv_addr": return ("mac", text.lowercased())
        case "rssi": return ("rssi", text)
        case "addr_type_byte": return ("kind", text)
        case "uuid", "beacon.getIdentifier(0).toString()":
            return BeaconUUID(text).map { ("uuid", $0.text) } ?? ("uuid", text)
        case "major", "beacon.getIdentifier(1).toString()": return ("major", text)
        case "minor", "beacon.getIdentifier(2).toString()": return ("minor", text)
        case "measured power", "measured_power", "tx_power", "txPower", "beacon.getTxPower()", "tx_at_0m":
            return ("power", text)
        case "tx_at_1m_lib_convention(-41)": return ("metre", text)
        case "manufacturer": return number.map { ("company", String(Int($0))) }
        case "beacon.getManufacturer()", #"String.format("%04x", beacon.getManufacturer())"#:
            return UInt16(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
                .map { ("company", String($0)) }
        case "mfg_reserved", "data_field0", "((AltBeacon) beacon).getMfgReserved()": return ("mfg", text)
        case "beacon.getDataFields().get(0)": return ("mfg", text.filter(\.isNumber))
        case "namespace": return ("namespace", text)
        case "instance": return ("instance", text)
        case "url", "uri": return ("url", text)
        case "beacon.getId1().toByteArray().length": return ("encoded bytes", text)
        case "version": return ("version", text)
        case "voltage", "battery_mV": return number.map { ("millivolts", String($0)) }
        case "batteryVoltage": return number.map { ("millivolts", String(($0 * 1000).rounded())) }
        case "temperature", "temperature_C": return number.map { ("celsius", String($0)) }
        case "advertising_count", "adv_count", "txCount": return ("advertisements", text)
        // One source has the tenths under a name that contains seconds, the other milliseconds.
        case "seconds_since_boot": return number.map { ("tenths", String($0)) }
        case "uptime": return number.map { ("tenths", String($0 / 100)) }
        case "uptime_s": return number.map { ("tenths", String($0 * 10)) }
        case "encrypted_data": return ("data", String(text.dropFirst("bytes:".count)))
        // This source reads the two little-endian.
        case "salt", "mic": return UInt16(text).map { (key, String($0.byteSwapped)) }
        case "eid": return ("eid", String(text.dropFirst("bytes:".count)))
        default: return nil
        }
    }

    /// The names that the source gives to BTHome's readings and flags, if they aren't the keys themselves.
    private static let readings: [String: String] = {
        var readings = [
            "battery": "battery_percent", "temperature": "temperature_c", "humidity": "humidity_percent",
            "pressure": "pressure_hpa", "illuminance": "illuminance_lx", "weight": "mass_kg",
            "dewpoint": "dew_point_c", "energy": "energy_kwh", "power": "power_w", "voltage": "voltage_v",
            "pm2.5": "pm2_5_ug_m3", "pm10": "pm10_ug_m3", "binary": "boolean", "switch": "power", "co2": "co2_ppm",
            "tvoc": "tvoc_ug_m3", "moisture": "moisture_percent", "rotation": "rotation_deg",
            "distance": "distance_m", "duration": "duration_s", "current": "current_a", "speed": "speed_m_s",
        ]
        for key in [
            "packet", "opening", "cold", "connectivity", "door", "heat", "light", "lock", "motion", "moving",
            "occupancy", "plug", "presence", "problem", "running", "safety", "sound", "tamper", "vibration", "window",
            "count",
        ] {
            readings[key] = key
        }
        return readings
    }()

    /// Keys that don't describe the bytes: names of parsers, other libraries' bookkeeping, "there is one".
    static let silent: Set<String> = [
        "format", "type", "__type", "packet", "firmware", "__tracker_msg", "tracker_msg.tracker_id", "properties",
        "cypress temperature", "cypress humidity", "not_null", "data_fields", "beacon", "beacons",
        "beacon.getRssi()", "beacon.getDataFields().size()", "byteArrayToHexString(regeneratedBytes)",
        "eddystoneUidBeacon", "byteString", "manufacturer", "data",
    ]
}
