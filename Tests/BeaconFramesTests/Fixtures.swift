import Advertising
import BeaconFrames
import Bytes
import Testing

/// The bytes of hexadecimal digits, with optional spaces between bytes.
func bytes(_ hex: String) -> [UInt8] {
    guard let bytes = Hex.bytes(hex, ignoring: [0x20]) else { fatalError("not hexadecimal: \(hex)") }
    return bytes
}

/// The frames of advertising data and the fault of its structures.
func frames(_ data: [UInt8]) -> (frames: [BeaconFrame], fault: AdvertisingFault?) {
    var frames: [BeaconFrame] = []
    let fault = BeaconFrame.decode(data: data.span) { frames.append($0) }
    return (frames, fault)
}

/// The only frame of Eddystone service data, or nil.
func eddystone(_ serviceData: String) -> BeaconFrame? {
    BeaconFrame(eddystoneServiceData: bytes(serviceData).span)
}

/// The JSON that a frame becomes.
func json(_ frame: BeaconFrame) -> String {
    var json = JSONWriter()
    frame.write(to: &json)
    return json.text
}

/// Advertising data written by hand from the formats' specifications, and its contents.
struct Fixture: Sendable, CustomTestStringConvertible {
    var name: String
    var data: [UInt8]
    var frame: BeaconFrame
    var json: String
    var testDescription: String { name }

    init(_ name: String, _ hex: String, _ frame: BeaconFrame, _ json: String) {
        self.name = name
        self.data = bytes(hex)
        self.frame = frame
        self.json = json
    }

    static let uuid = BeaconUUID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    static let namespace = EddystoneUID.Namespace(high: 0xA0A1_A2A3_A4A5_A6A7, low: 0xA8A9)

    static let iBeacon = Fixture(
        "iBeacon", "020106 1a ff 4c00 0215 00112233445566778899aabbccddeeff 0102 fffe c5",
        .iBeacon(IBeacon(uuid: uuid, major: 0x0102, minor: 0xFFFE, measuredPower: -59)),
        #"{"type":"ibeacon","uuid":"00112233-4455-6677-8899-aabbccddeeff","major":258,"minor":65534,"power":-59}"#)
    static let altBeacon = Fixture(
        "AltBeacon", "020106 1b ff 3412 beac 00112233445566778899aabbccddeeff 0003 0004 be 2a",
        .altBeacon(
            AltBeacon(company: 0x1234, uuid: uuid, major: 3, minor: 4, referenceRSSI: -66, mfgReserved: 42)),
        #"{"type":"altbeacon","company":4660,"uuid":"00112233-4455-6677-8899-aabbccddeeff","#
            + #""major":3,"minor":4,"power":-66,"mfg":42}"#)
    static let uid = Fixture(
        "UID", "020106 0303aafe 17 16 aafe 00 ee a0a1a2a3a4a5a6a7a8a9 0b0c0d0e0f10 0000",
        .eddystoneUID(EddystoneUID(namespace: namespace, instance: 0x0B0C_0D0E_0F10, rangingData: -18)),
        #"{"type":"eddystone-uid","namespace":"a0a1a2a3a4a5a6a7a8a9","instance":"0b0c0d0e0f10","power":-18}"#)
    static let url = Fixture(
        "URL", "020106 0303aafe 0c 16 aafe 10 f6 01 6d6170 00 7631",
        .eddystoneURL(try! EddystoneURL("https://www.map.com/v1", txPower: -10)),
        #"{"type":"eddystone-url","url":"https://www.map.com/v1","power":-10}"#)
    static let tlm = Fixture(
        "TLM", "020106 0303aafe 11 16 aafe 20 00 0bb8 f980 000003e9 0001e241",
        .eddystoneTLM(
            EddystoneTLM(batteryMillivolts: 3000, temperature: -1664, advertisements: 1001, uptime: 123_457)),
        #"{"type":"eddystone-tlm","version":0,"battery_mv":3000,"temperature_c":-6.5,"advertisements":1001,"#
            + #""uptime_s":12345.7}"#)
    static let etlm = Fixture(
        "ETLM", "020106 0303aafe 15 16 aafe 20 01 000102030405060708090a0b beef cafe",
        .eddystoneETLM(EddystoneETLM(dataHigh: 0x0001_0203_0405_0607, dataLow: 0x0809_0A0B, salt: 0xBEEF, mic: 0xCAFE)),
        #"{"type":"eddystone-etlm","data":"000102030405060708090a0b","salt":"beef","mic":"cafe"}"#)
    static let eid = Fixture(
        "EID", "020106 0303aafe 0d 16 aafe 30 eb 00ff10ef20df30cf",
        .eddystoneEID(EddystoneEID(eid: 0x00FF_10EF_20DF_30CF, rangingData: -21)),
        #"{"type":"eddystone-eid","eid":"00ff10ef20df30cf","power":-21}"#)
    /// An example made by the table "Advertised frames" of the specification.
    static let fmdn = Fixture(
        "FMDN", "020106 19 16 aafe 41 66538f7654dfc2fc047e5fa5912dcca5ded859cd 6c",
        .fmdn(
            FMDNFrame(
                identifier: .init(bytes("66538f7654dfc2fc047e5fa5912dcca5ded859cd").span)!, isInProtectionMode: true,
                hashedFlags: 0x6C)),
        #"{"type":"fmdn","eid":"66538f7654dfc2fc047e5fa5912dcca5ded859cd","unwanted_tracking":true,"#
            + #""hashed_flags":"6c"}"#)
    static let btHome = Fixture(
        "BTHome", "020106 10 16 d2fc 44 0009 0161 02ca09 03bf13 2d01",
        .btHome(BTHome(serviceData: bytes("44 0009 0161 02ca09 03bf13 2d01").span)!),
        #"{"type":"bthome","version":2,"encrypted":false,"trigger_based":true,"packet":9,"battery_percent":97,"#
            + #""temperature_c":25.06,"humidity_percent":50.55,"window":true}"#)
    static let ruuviTag5 = Fixture(
        "RuuviTag 5", "020106 1b ff 9904 05 12fc 5394 c37c 0004 fffc 040c ac36 42 00cd cbb8334c884f",
        .ruuviTag5(
            RuuviTag5(
                manufacturerData: bytes("9904 05 12fc 5394 c37c 0004 fffc 040c ac36 42 00cd cbb8334c884f").span)!),
        #"{"type":"ruuvi-5","temperature_c":24.3,"humidity_percent":53.49,"pressure_pa":100044,"#
            + #""acceleration_x_mg":4,"acceleration_y_mg":-4,"acceleration_z_mg":1036,"battery_mv":2977,"#
            + #""tx_power_dbm":4,"movements":66,"sequence":205,"address":"cb:b8:33:4c:88:4f"}"#)
    static let all = [iBeacon, altBeacon, uid, url, tlm, etlm, eid, fmdn, btHome, ruuviTag5]
}
