import BeaconFrames
import Bytes
import Testing

/// BTHome version 2, by the examples of its table and by rules of its own.
@Suite struct BTHomeTests {
    private func frame(_ hex: String) -> BTHome? { BTHome(serviceData: bytes(hex).span) }

    private func printed(_ hex: String) -> String? {
        frame(hex).map { json(.btHome($0)) }
    }

    private func objects(_ json: String, _ trigger: Bool = false) -> String {
        #"{"type":"bthome","version":2,"encrypted":false,"trigger_based":\#(trigger)"# + json + "}"
    }

    /// Bytes of an object and their meaning, as in the format's table if it has an example.
    @Test(arguments: [
        ("0009", #""packet":9"#), ("0161", #""battery_percent":97"#), ("02ca09", #""temperature_c":25.06"#),
        ("022afb", #""temperature_c":-12.38"#), ("03bf13", #""humidity_percent":50.55"#),
        ("04138a01", #""pressure_hpa":1008.83"#), ("05138a14", #""illuminance_lx":13460.67"#),
        ("065e1f", #""mass_kg":80.3"#), ("073e1d", #""mass_lb":74.86"#), ("08ca06", #""dew_point_c":17.38"#),
        ("0960", #""count":96"#), ("0a138a14", #""energy_kwh":1346.067"#), ("0b021b00", #""power_w":69.14"#),
        ("0c020c", #""voltage_v":3.074"#), ("0d120c", #""pm2_5_ug_m3":3090"#), ("0e021c", #""pm10_ug_m3":7170"#),
        ("12e204", #""co2_ppm":1250"#), ("133301", #""tvoc_ug_m3":307"#), ("14020c", #""moisture_percent":30.74"#),
        ("2e23", #""humidity_percent":35"#), ("2f23", #""moisture_percent":35"#), ("3d0960", #""count":24585"#),
        ("3e2a2c0960", #""count":1611213866"#), ("3f020c", #""rotation_deg":307.4"#),
        ("400c00", #""distance_mm":12"#), ("414e00", #""distance_m":7.8"#), ("424e3400", #""duration_s":13.39"#),
        ("434e34", #""current_a":13.39"#), ("444e34", #""speed_m_s":133.9"#), ("451101", #""temperature_c":27.3"#),
        ("4632", #""uv_index":5"#), ("478756", #""volume_l":2215.1"#), ("48dc87", #""volume_ml":34780"#),
        ("49dc87", #""volume_flow_rate_m3_h":34.78"#), ("4a020c", #""voltage_v":307.4"#),
        ("4b138a14", #""gas_m3":1346.067"#), ("4c41018a01", #""gas_m3":25821.505"#),
        ("4d12138a14", #""energy_kwh":344593.17"#), ("4e87562a01", #""volume_l":19551.879"#),
        ("4f87562a01", #""water_l":19551.879"#), ("505d396164", #""timestamp_s":1684093277"#),
        ("518756", #""acceleration_m_s2":22.151"#), ("528756", #""gyroscope_deg_s":22.151"#),
        ("5587562a01", #""volume_storage_l":19551.879"#), ("56e803", #""conductivity_us_cm":1000"#),
        ("57ea", #""temperature_c":-22"#), ("58ea", #""temperature_c":-7.7"#), ("59ea", #""count":-22"#),
        ("5aeaea", #""count":-5398"#), ("5bea0234ea", #""count":-365690134"#),
        ("5c02fbffff", #""power_w":-12.78"#), ("5d02ea", #""current_a":-5.63"#), ("5e9f8c", #""direction_deg":359.99"#),
        ("5f7c3e", #""precipitation_mm":1599.6"#), ("6001", #""channel":1"#),
        ("61ac0d", #""rotational_speed_rpm":3500"#),
        ("62be0f27ff", #""speed_m_s":-14.217282"#), ("63be0f27ff", #""acceleration_m_s2":-14.217282"#),
        ("6402", #""light_level":2"#), ("0f01", #""boolean":true"#), ("1501", #""battery_low":true"#),
        ("1e00", #""light":false"#), ("2d01", #""window":true"#), ("3a00", #""button":"none""#),
        ("3a01", #""button":"press""#), ("3a06", #""button":"long_triple_press""#), ("3a80", #""button":"hold_press""#),
        ("3a63", #""button":"99""#), ("3c0103", #""dimmer_steps":-3"#), ("3c020a", #""dimmer_steps":10"#),
        ("3c0000", #""dimmer_steps":0"#), ("530c48656c6c6f20576f726c6421", #""text":"Hello World!""#),
        ("5403deadbe", #""raw":"deadbe""#), ("5300", #""text":"""#), ("f00100", #""device_type":1"#),
        ("f100010204", #""firmware_version":"4.2.1.0""#), ("f2000106", #""firmware_version":"6.1.0""#),
    ])
    func anObjectIsReadAsItsTableSays(_ hex: String, _ expected: String) {
        #expect(printed("40" + hex) == objects("," + expected))
        #expect(printed("44" + hex) == objects("," + expected, true))
        // Nothing of it is taken for whole when its end is missing.
        let whole = bytes(hex)
        for length in 1..<whole.count {
            let cut = Hex.text(Array(whole[..<length]).span)
            #expect(printed("40" + cut) == objects(#","unread_object":\#(whole[0])"#), "\(cut)")
        }
    }

    @Test func theTableIsWhole() {
        #expect(BTHomeKind.ids.count == 65 + 28)
        #expect(BTHomeKind.ids.filter { BTHomeKind($0)?.form == .flag }.count == 28)
        #expect(BTHomeKind(0x3B) == nil)
        #expect(BTHomeKind(0x65) == nil)
    }

    @Test func severalObjectsOfOneKindAreNumbered() {
        #expect(
            printed("40 02ca09 0961 451101 3d0960 57ea")
                == objects(
                    #","temperature_c":25.06,"count":97,"temperature_c_2":27.3,"count_2":24585,"temperature_c_3":-22"#)
        )
    }

    @Test func anUnknownObjectEndsReadingWithWhatCameBefore() {
        #expect(printed("40 0161 6502 02ca09") == objects(#","battery_percent":97,"unread_object":101"#))
        #expect(printed("40") == objects(""))
    }

    @Test func anEncryptedFrameShowsItsParts() throws {
        let frame = try #require(self.frame("41 a47266c95f73 00112233 78237214"))
        #expect(
            json(.btHome(frame))
                == #"{"type":"bthome","version":2,"encrypted":true,"trigger_based":false,"data":"a47266c95f73","#
                + #""counter":857870592,"mic":"78237214"}"#)
        #expect(frame.contents.objects.isEmpty)
        #expect(frame.opened(bytes("02ca09 03bf13")) == self.frame("40 02ca09 03bf13"))
        #expect(frame.opened([UInt8](repeating: 0, count: 27)) == nil)
    }

    @Test func otherVersionsAndLengthsAreNoFrame() {
        for hex in [
            "", "20 0161", "60 0161", "00 0161", "41 00112233782372", "40" + String(repeating: "00", count: 27),
        ] {
            #expect(frame(hex) == nil, "\(hex)")
        }
        #expect(frame("40" + String(repeating: "00", count: 26)) != nil)
        #expect(frame("41 0011223378237214")?.encryption?.ciphertext == [])
    }
}
