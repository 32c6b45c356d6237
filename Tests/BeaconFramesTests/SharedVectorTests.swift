import Advertising
import BeaconFrames
import Bytes
import Support
import Testing

/// Rows that other projects' decoders agree on, where `../shared` is present.
@Suite struct SharedVectorTests {
    static let paths = ["adverts.jsonl", "beacon-vectors.jsonl"].compactMap { SharedMaterial.path("vectors/\($0)") }

    /// Rows with identifiers that another layout splits at other places; their other fields are compared.
    private static let otherIdentifiers: Set<String> = [
        "BeaconParserTest.java:testLittleEndianIdentifierParsing",
        "BeaconParserTest.java:testReEncodesLittleEndianBeacon",
    ]

    /// Rows of other layouts with a last structure that passes the end of the data.
    private static let cut: Set<String> = [
        "test_parser.py:test_exposure_notification", "BeaconParserTest.java:testCanParseLocationBeacon",
        "BeaconParserTest.java:testCanParseLongDataTypeOfDifferentSize", "SBeaconTest.java:testDetectsSBeacon",
    ]

    @Test(.enabled(if: paths.count == 2, "no shared vectors beside the repository"))
    func everyRowIsInAClassAndMetByItsMeaning() throws {
        var checked = 0
        for path in Self.paths {
            for row in try VectorRow.read(path) {
                let hearing = row.hear()
                #expect(hearing.eventFault == nil, "\(row.name)")
                checkStructures(row, hearing)
                guard let rowClass = VectorTable.find(row.name) else {
                    Issue.record("in no class: \(row.name)")
                    continue
                }
                switch rowClass {
                case .checked(let type):
                    checked += 1
                    check(row, hearing, type)
                case .noFrame:
                    #expect(hearing.frames.isEmpty, "\(row.name)")
                case .encrypted:
                    checked += 1
                    #expect(hearing.frames.count == 1, "\(row.name)")
                    guard case .btHome(let frame)? = hearing.frames.first else { continue }
                    #expect(frame.encryption.map { Int($0.counter) } == row.expected["packet"] as? Int, "\(row.name)")
                case .notOurs:
                    #expect(hearing.frames.isEmpty, "\(row.name)")
                    #expect(hearing.dataFault == nil || Self.cut.contains(row.name), "\(row.name)")
                }
            }
        }
        #expect(checked >= 85)
    }

    private func check(_ row: VectorRow, _ hearing: VectorRow.Hearing, _ type: String) {
        #expect(hearing.frames.count == 1, "\(row.name)")
        guard let frame = hearing.frames.first else { return }
        #expect(json(frame).hasPrefix(#"{"type":"\#(type)","#), "\(row.name)")
        let facts = VectorFacts(frame, hearing.report)
        for (key, value) in row.expected {
            if Self.otherIdentifiers.contains(row.name), key.contains("getIdentifier") { continue }
            if key.hasPrefix("bleAdvert.getPdus()") { continue }
            guard let (fact, expected) = VectorFacts.expectation(key, value, of: type) else {
                #expect(VectorFacts.silent.contains(key), "\(row.name) expects \(key), which nothing compares")
                continue
            }
            #expect(facts.values[fact] == expected, "\(row.name): \(key)")
        }
    }

    private func checkStructures(_ row: VectorRow, _ hearing: VectorRow.Hearing) {
        // Four for a reader that continues after a zero length; see the table.
        if row.name == "BleAdvertisementTest.java:testCanParsePdusFromOtherBeacon" { return }
        for (key, value) in row.expected where key.hasPrefix("bleAdvert.getPdus()") {
            if key == "bleAdvert.getPdus().size()" {
                #expect("\(hearing.structures.count)" == value as? String, "\(row.name)")
            } else if let place = key.split(separator: "(").dropFirst(2).first?.first?.wholeNumberValue,
                hearing.structures.indices.contains(place), let text = value as? String
            {
                let type = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
                #expect(type.map { UInt8(truncatingIfNeeded: $0) } == hearing.structures[place], "\(row.name): \(key)")
            }
        }
    }
}
