import BeaconFrames
import Testing

@Suite struct EddystoneTests {
    @Test func aUIDWithoutItsReservedBytesIsTheSameBeacon() {
        let short = eddystone("00 ee a0a1a2a3a4a5a6a7a8a9 0b0c0d0e0f10")
        #expect(short == Fixture.uid.frame)
        #expect(eddystone("00 ee a0a1a2a3a4a5a6a7a8a9 0b0c0d0e0f10 00") == nil)
        #expect(eddystone("00 ee a0a1a2a3a4a5a6a7a8a9 0b0c0d0e0f10 ff01") == Fixture.uid.frame)
    }

    @Test func namespaceAndInstanceAreReadFromText() {
        let namespace = EddystoneUID.Namespace("A0a1a2a3a4a5a6a7a8a9")
        #expect(namespace == Fixture.namespace)
        #expect(namespace?.text == "a0a1a2a3a4a5a6a7a8a9")
        #expect(EddystoneUID.Namespace("a0a1") == nil)
        #expect(EddystoneUID.instance("0B0c0d0e0f10") == 0x0B0C_0D0E_0F10)
        #expect(EddystoneUID.instance("0b0c0d0e0f") == nil)
        #expect(
            EddystoneUID(namespace: Fixture.namespace, instance: .max, rangingData: 0).instanceText == "ffffffffffff")
    }

    @Test func telemetryThatATagDoesNotHaveIsAbsent() throws {
        let frame = try #require(eddystone("20 00 0000 8000 00000001 0000000a"))
        #expect(
            frame
                == .eddystoneTLM(EddystoneTLM(batteryMillivolts: nil, temperature: nil, advertisements: 1, uptime: 10)))
        #expect(json(frame) == #"{"type":"eddystone-tlm","version":0,"advertisements":1,"uptime_s":1}"#)
    }

    @Test(
        arguments: [
            ("0000", 0), ("0001", 0.00390625), ("ffff", -0.00390625), ("1580", 21.5), ("7fff", 127.99609375),
            ("8001", -127.99609375), ("ff00", -1),
        ] as [(String, Double)])
    func aTemperatureIsSignedFixedPoint(_ hex: String, _ celsius: Double) throws {
        guard case .eddystoneTLM(let frame)? = eddystone("20 00 0bb8 \(hex) 00000000 00000000") else {
            Issue.record("no telemetry")
            return
        }
        #expect(frame.celsius == celsius)
    }

    @Test func uptimeIsInTenthsOfASecond() {
        let frame = EddystoneTLM(batteryMillivolts: 1, temperature: 0, advertisements: .max, uptime: .max)
        #expect(frame.uptimeSeconds == 429_496_729.5)
        #expect(frames(frame.advertisingData).frames == [.eddystoneTLM(frame)])
    }

    @Test func encryptedTelemetryWithTheLengthOfPlainTelemetryIsStillHeard() {
        // The structure has a length of 17, so that salt and check follow it.
        let data = bytes("020106 0303aafe 11 16 aafe 20 01 000102030405060708090a0b beef cafe")
        #expect(frames(data) == ([Fixture.etlm.frame], nil))
        // No frame is read if the four bytes are a structure, or not four.
        let structure = bytes("020106 0303aafe 11 16 aafe 20 01 000102030405060708090a0b 03 19 0002")
        #expect(frames(structure) == ([], nil))
        for length in 0..<data.count { #expect(frames(Array(data[..<length])).frames.isEmpty) }
        #expect(frames(data + [0]).frames.isEmpty)
        #expect(frames(bytes("11 16 aafe 20 00 0bb8 1500 00000045 00000258 beef cafe")).frames.count == 1)
    }

    /// An identifier of either curve, with or without flags after it, and no other length.
    @Test func findHubFramesHaveFourLengths() throws {
        for (size, type) in [(20, "40"), (20, "41"), (32, "40"), (32, "41")] {
            let identifier = String("00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210".prefix(2 * size))
            for flags in ["", "5a"] {
                guard case .fmdn(let frame)? = eddystone(type + identifier + flags) else {
                    Issue.record("no frame of \(size) bytes and flags '\(flags)'")
                    continue
                }
                #expect(frame.identifier.text == identifier)
                #expect(frame.isInProtectionMode == (type == "41"))
                #expect(frame.hashedFlags == (flags.isEmpty ? nil : 0x5A))
                #expect(frame.battery == nil)
                #expect(frames(frame.advertisingData).frames == [.fmdn(frame)])
            }
        }
        for count in 0...40 where ![20, 21, 32, 33].contains(count) {
            #expect(eddystone("40" + String(repeating: "ab", count: count)) == nil, "\(count)")
        }
        #expect(eddystone("42" + String(repeating: "ab", count: 20)) == nil)
    }
}
