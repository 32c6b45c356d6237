import BrokerSession
import Bytes
import Foundation
import Testing

@Suite("Words of the doctor")
struct DoctorWordsTests {
    private static let site = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/WebInterface/Site/lang/nodes").standardizedFileURL

    /// etc/dev/check-site compares the other languages with English.
    @Test("Have each kind of finding in the page's languages", arguments: ["en", "de", "ja", "zh"])
    func kinds(language: String) throws {
        let file = try String(contentsOf: Self.site.appending(path: "\(language).json"), encoding: .utf8)
        for kind in Finding.Kind.allCases where kind != .radioIll {
            #expect(file.contains("\"doctor.is.\(kind.rawValue)\": \""), "\(language): \(kind.rawValue)")
        }
    }

    @Test("Give a kind and its values to programs, beside the text")
    func json() {
        let finding = Finding.warning(.disk, "only 3 MiB are left in /var", mend: "make room there")
        #expect(
            finding.of(.diskScarce, ["n": "3", "folder": "/var"]).json
                == #"{"check":"disk","verdict":"warning","reason":"only 3 MiB are left in /var","mend":"make room there","#
                + #""kind":"disk_scarce","values":{"folder":"/var","n":"3"}}"#)
        #expect(!finding.json.contains("kind"))
    }
}
