import BeaconFrames
import Support
import Testing

@Suite struct TransmitterClassTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var data: String
        var expected: TransmitterClass?
        var testDescription: String { data }
    }

    static let rows = [
        Row(data: "06 ff 4c00 12 02 54 01", expected: .findMyNearOwner),
        Row(data: "1e ff 4c00 12 19 \(String(repeating: "07", count: 25))", expected: .findMySeparated),
        Row(data: "02 01 1a 0a ff 4c00 10 05 01 02 03 04 05", expected: .appleNearby),
        Row(data: "07 ff 4c00 0f 03 01 02 03", expected: .appleNearby),
        Row(data: "06 ff 4c00 0c 02 01 02", expected: .appleContinuity),
        Row(data: "06 ff 4c00 07 02 01 02", expected: .appleContinuity),
        // An accessory of HomeKit has a permanent address.
        Row(data: "06 ff 4c00 06 02 01 02", expected: nil),
        Row(data: "04 ff 4c00 12", expected: nil),
        Row(data: "06 16 5afd 13 01 02", expected: .smartTag),
        Row(data: "06 16 69fd 13 01 02", expected: .samsungFind),
        Row(data: "03 03 6ffd 05 16 6ffd 01 02", expected: .exposureNotification),
        Row(data: "03 02 edfe", expected: .tile),
        Row(data: "05 03 0f18 84fd", expected: .tile),
        Row(data: "06 16 ecfe 01 02 03", expected: .tile),
        Row(data: "06 16 2cfe 01 02 03", expected: .fastPair),
        Row(data: "06 16 f3fe 01 02 03", expected: .googleNearby),
        Row(data: "06 16 b2fc 01 02 03", expected: .unwantedTracking),
        Row(data: "06 ff 0600 03 00 80", expected: .swiftPair),
        Row(data: "06 ff 0600 01 09 20", expected: .microsoftDevice),
        Row(data: "06 ff 0600 02 09 20", expected: nil),
        Row(data: "18 16 aafe 40 \(String(repeating: "11", count: 20))", expected: .findHub),
        Row(data: "06 16 aafe 40 01 02", expected: nil),
        Row(data: "", expected: nil),
        Row(data: "03 03 aafe", expected: nil),
        Row(data: "04 02 0f18 ed", expected: nil),
        // Whole structures before a malformed one count.
        Row(data: "03 02 edfe 1e ff 4c00", expected: .tile),
    ]

    @Test(arguments: rows)
    func anAdvertisementHasTheClassOfItsFirstKnownStructure(_ row: Row) {
        #expect(TransmitterClass(data: bytes(row.data).span) == row.expected)
    }

    @Test(arguments: Fixture.all)
    func aBeaconFrameHasNoClassButThatOfFindHub(_ fixture: Fixture) {
        let expected: TransmitterClass? = if case .fmdn = fixture.frame { .findHub } else { nil }
        #expect(TransmitterClass(data: fixture.data.span) == expected)
    }

    @Test func everyTruncationHasNoClassOrTheSame() {
        for row in Self.rows {
            let data = bytes(row.data)
            for count in data.indices {
                let cut = Array(data[..<count])
                let found = TransmitterClass(data: cut.span)
                #expect(found == nil || found == row.expected, "\(row.data) cut to \(count)")
            }
        }
    }

    @Test func classesOfRotatingIdentityCannotBeRegistered() {
        #expect(
            TransmitterClass.allCases.filter(\.isRegistrable) == [.tile, .fastPair, .swiftPair, .microsoftDevice])
    }
}
