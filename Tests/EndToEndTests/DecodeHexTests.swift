import Foundation
import Support
import Testing

/// `whereabouts decode --hex`.
@Suite struct DecodeHexTests {
    static let beacon = "0201061aff4c000215000102030405060708090a0b0c0d0e0f00010002c5"
    static let frame = """
        {"type":"ibeacon","uuid":"00010203-0405-0607-0809-0a0b0c0d0e0f","major":1,"minor":2,"power":-59}
        """

    func decode(_ text: String) throws -> Execution.Outcome {
        try DecodeTests.decode(["--hex"], input: Array(text.utf8))
    }

    @Test(arguments: [
        beacon, "  \(beacon.uppercased())\r", "02 01 06 1a ff 4c 00 02 15" + beacon.dropFirst(18),
        "02:01-06:1a" + beacon.dropFirst(8), "# a note\n\n\(beacon)",
    ])
    func bareDataGivesItsDataAndFrames(_ text: String) throws {
        let outcome = try decode(text)
        #expect(outcome.lines == ["{\"data\":\"\(Self.beacon)\",\"frames\":[\(Self.frame)]}"])
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
    }

    @Test(arguments: ["", "04"])
    func anEventGivesWhatACaptureWould(_ indicator: String) throws {
        let event = "3e2a02010301f0eeddccbbaa1e\(Self.beacon)c4"
        let outcome = try decode(indicator + event)
        let expected = """
            {"address":"aa:bb:cc:dd:ee:f0","address_type":"random","rssi":-60,"event":"adv_nonconn_ind",\
            "data":"\(Self.beacon)","frames":[\(Self.frame)]}
            """
        #expect(outcome.lines == [Substring(expected)])
        #expect(outcome.status == 0)
    }

    @Test func whatTheControllerCouldNotTellIsAbsent() throws {
        let outcome = try decode(
            "3e0c02010300f0eeddccbbaa007f\n3e1a0d010000ff000000000000010000ff7f7f0000000000000000 00")
        #expect(
            outcome.lines == [
                #"{"address":"aa:bb:cc:dd:ee:f0","address_type":"public","event":"adv_nonconn_ind","data":"","frames":[]}"#,
                #"{"address_type":"anonymous","event":"ext_adv","data":"","frames":[]}"#,
            ])
        #expect(outcome.error.isEmpty)
    }

    @Test func otherEventsSayNothing() throws {
        let outcome = try decode("043e0a0300000000000000000 0")
        #expect(outcome.status == 1, "a broken byte is a bad line")
        let whole = try decode("043e04030000 00")
        #expect(whole.status == 0 && whole.output.isEmpty && whole.error.isEmpty)
    }

    @Test func badLinesAreToldAndTheOthersGoOn() throws {
        let long = String(repeating: "00", count: 9000)
        let outcome = try decode("020106\nhello\n3e2b02010300aa\n020\n\(long)\n020106")
        let line = #"{"data":"020106","frames":[]}"#
        #expect(outcome.lines == [Substring(line), Substring(line)])
        #expect(outcome.status == 1)
        #expect(
            outcome.error == """
                whereabouts decode: standard input:2: not a line of hexadecimal digits, two a byte
                whereabouts decode: standard input:3: report passes the end of its event at byte 7
                whereabouts decode: standard input:4: not a line of hexadecimal digits, two a byte
                whereabouts decode: standard input:5: longer than 16384 bytes

                """)
    }

    @Test func dataWithAStructurePastItsEndIsPrintedAndCounted() throws {
        let outcome = try decode("0201061aff4c")
        #expect(outcome.lines == [#"{"data":"0201061aff4c","frames":[]}"#])
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("AD structures pass the end of their data: 1"))
    }
}
