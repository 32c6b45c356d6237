/// The treatment of each row of the shared vectors. A row in no class fails the test.
enum VectorClass: Sendable {
    /// One frame of this type, all the values that the row expects being compared.
    case checked(String)
    /// Bytes of our formats that are no frame.
    case noFrame
    /// A layout that isn't ours: no frame.
    case notOurs
    /// An encrypted BTHome frame: its objects are not compared.
    case encrypted
}

/// The rows by name (`adverts.jsonl`) or by test (`beacon-vectors.jsonl`); a name ending in `:` or `*` is a beginning.
enum VectorTable {
    static let rows: [String: VectorClass] = [
        // adverts.jsonl
        "ibeacon_e2c56db5": .checked("ibeacon"),
        "apple_nearby_not_ibeacon_1": .noFrame,
        "apple_nearby_not_ibeacon_2": .noFrame,
        "altbeacon_mfr_ffff": .checked("altbeacon"),
        "altbeacon_mfgreserved9": .checked("altbeacon"),
        "altbeacon_with_scan_response": .checked("altbeacon"),
        "altbeacon_wrong_code": .noFrame,
        "altbeacon_missing_data_field": .checked("altbeacon"),
        "truncated_mfr_ad": .noFrame,
        "eddystone_uid_no_rfu": .checked("eddystone-uid"),
        "eddystone_url_malformed": .noFrame,
        // Its length passes the end and its version is the encrypted one: recognized, not read.
        "eddystone_tlm_layout_reencode": .noFrame,
        "gatt_uid_1234": .notOurs,
        "eddystone_url_reelyactive": .checked("eddystone-url"),
        "eddystone_tlm_plain": .checked("eddystone-tlm"),
        "hci_plain_name_adv_prefix": .notOurs,
        "eddystone_uid_full_rfu": .checked("eddystone-uid"),
        "eddystone_url_getpareto": .checked("eddystone-url"),
        "eddystone_tlm_3V_21C": .checked("eddystone-tlm"),
        "eddystone_too_short": .noFrame,
        "bthome_v1_*": .notOurs,
        "bthome_v2_encrypted": .encrypted,
        "bthome_v2_*": .checked("bthome"),

        // beacon-vectors.jsonl
        "test_ibeacon_parser.py:test_ibeacon_sensor": .checked("ibeacon"),
        "test_ibeacon_parser.py:test_ibeacon_iphone_ble_packet_var_1": .noFrame,
        "test_ibeacon_parser.py:test_ibeacon_iphone_ble_packet_var_2": .noFrame,
        "test_altbeacon_parser.py:": .checked("altbeacon"),
        "test_bthome_v1.py:": .notOurs,
        "test_bthome_v2.py:test_bthome_v2_temperature_and_humidity_encrypted": .encrypted,
        "test_bthome_v2.py:": .checked("bthome"),
        "test_xiaomi_parser.py:": .notOurs,
        "test_parser.py:test_bad_packets": .noFrame,
        "test_parser.py:test_eddystone_uid": .checked("eddystone-uid"),
        "test_parser.py:test_eddystone_url": .checked("eddystone-url"),
        "test_parser.py:test_eddystone_tlm": .checked("eddystone-tlm"),
        "test_parser.py:test_eddystone_tlm2": .checked("eddystone-tlm"),
        "test_parser.py:test_eddystone_tlm_enc": .checked("eddystone-etlm"),
        "test_parser.py:test_eddystone_eid": .checked("eddystone-eid"),
        "test_parser.py:test_ibeacon": .checked("ibeacon"),
        "test_parser.py:test_estimote_telemetry_b": .notOurs,
        "test_parser.py:test_estimote_nearable": .notOurs,
        "test_parser.py:test_exposure_notification": .notOurs,
        "AltBeaconParserTest.java:testRecognizeBeacon": .checked("altbeacon"),
        "AltBeaconParserTest.java:testDetectsDaveMHardwareBeacon": .checked("altbeacon"),
        "AltBeaconParserTest.java:testDetectsAlternateBeconType": .notOurs,
        "AltBeaconParserTest.java:testParseWrongFormatReturnsNothing": .noFrame,
        "AltBeaconParserTest.java:testParsesBeaconMissingDataField": .checked("altbeacon"),
        "AltBeaconTest.java:testRecognizeBeacon": .checked("altbeacon"),
        // The beacon code is at the place of the company.
        "BeaconParserTest.java:testSetBeaconLayout": .noFrame,
        // The beacon code 0x1234.
        "BeaconParserTest.java:testRecognizeBeacon": .notOurs,
        "BeaconParserTest.java:testAllowsAccessToParserIdentifier": .notOurs,
        "BeaconParserTest.java:testParsesBeaconMissingDataField": .checked("altbeacon"),
        "BeaconParserTest.java:testRecognizeBeaconWithFormatSpecifyingManufacturer": .checked("altbeacon"),
        "BeaconParserTest.java:testReEncodesBeaconForEddystoneTelemetry": .noFrame,
        // An AltBeacon, its 20 identifier bytes cut in another way.
        "BeaconParserTest.java:testLittleEndianIdentifierParsing": .checked("altbeacon"),
        "BeaconParserTest.java:testReEncodesLittleEndianBeacon": .checked("altbeacon"),
        "BeaconParserTest.java:testRecognizeBeaconCapturedManufacturer": .checked("altbeacon"),
        // Eddystone-URL frames; their "no beacon" is that of a layout with an identifier of fixed length.
        "BeaconParserTest.java:testParseGattIdentifierThatRunsOverPduLength": .checked("eddystone-url"),
        "BeaconParserTest.java:testLongUrlBeaconIdentifier": .checked("eddystone-url"),
        "BeaconParserTest.java:testParseManufacturerIdentifierThatRunsOverPduLength": .noFrame,
        "BeaconParserTest.java:testParseProblematicBeaconFromIssue229": .checked("altbeacon"),
        "BeaconParserTest.java:testCanParseLocationBeacon": .notOurs,
        "BeaconParserTest.java:doesNotCashWithOverflowingByteCodeComparisonOnPdu": .noFrame,
        "BeaconParserTest.java:testCanParseLongDataTypeOfDifferentSize": .notOurs,
        "CBeaconTest.java:testDetectsCBeacon": .notOurs,
        "CBeaconTest.java:testDetectsCBeaconWithoutPower": .notOurs,
        // An AltBeacon; its "no beacon" is that of another layout.
        "CBeaconTest.java:doesNotDetectManufacturerAdvert": .checked("altbeacon"),
        // The service 0x1234.
        "GattBeaconTest.java:testDetectsGattBeacon": .notOurs,
        "GattBeaconTest.java:testDetectsGattBeacon2MaxLength": .notOurs,
        "GattBeaconTest.java:testDetectsGattBeacon2WithShortIdentifier": .notOurs,
        "GattBeaconTest.java:testDetectsGattBeaconWithCnn": .notOurs,
        "GattBeaconTest.java:testDetectsEddystoneUID": .checked("eddystone-uid"),
        "GattBeaconTest.java:doesNotCrashOnMalformedEddystoneBeacon": .noFrame,
        "OverflowAreaBeaconTest.java:testDetectsOverfowAreadBeacon": .notOurs,
        "OverflowAreaBeaconTest.java:testCanParsePdus": .notOurs,
        "SBeaconTest.java:testDetectsSBeacon": .notOurs,
        "BeaconSimulatorTest.java:testSetBeacons": .checked("altbeacon"),
        "BleAdvertisementTest.java:testCanParsePdusFromAltBeacon": .checked("altbeacon"),
        // Its fourth structure follows a zero length, which ends the significant part.
        "BleAdvertisementTest.java:testCanParsePdusFromOtherBeacon": .checked("eddystone-uid"),
    ]

    static func find(_ name: String) -> VectorClass? {
        if let exact = rows[name] { return exact }
        return rows.first { key, _ in
            (key.hasSuffix(":") && name.hasPrefix(key)) || (key.hasSuffix("*") && name.hasPrefix(key.dropLast()))
        }?.value
    }
}
