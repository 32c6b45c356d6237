import Foundation
import Support
import Testing

@Suite struct HouseTests {
    @Test func theHouseKeepsItsRules() throws {
        let root = Repository.root
        let manifest = try String(contentsOfFile: root + "/Package.swift", encoding: .utf8)
        let files = try ["Sources", "Tests"].flatMap { area in
            try FileManager.default.subpathsOfDirectory(atPath: root + "/" + area).filter { $0.hasSuffix(".swift") }
                .sorted().map { path in
                    HouseFile(
                        "\(area)/\(path)", try String(contentsOfFile: "\(root)/\(area)/\(path)", encoding: .utf8))
                }
        }
        let house = House(manifest: manifest, files: files)
        for violation in house.violations { Issue.record("\(violation)") }
        // The check has seen the house at all.
        #expect(files.contains { $0.path == "Sources/Bytes/Hex.swift" })
        #expect(house.manifest.dependencies["Crypto"] == ["Bytes", "CCrypto"])
        #expect(house.manifest.dependencies["whereabouts"]?.contains("Operator") == true)
        #expect(house.manifest.dependencies["Support"] != nil)
        #expect(house.manifest.dependencies["CapturesTests"]?.contains("Captures") == true)
        #expect(house.manifest.libraries.contains("CYAML"))
        #expect(Set(files.map(\.target)).isSuperset(of: House.pure))
    }

    static let manifest = """
        func stage(_ name: String, _ dependencies: [String] = []) -> Target { .target(name: name) }
        func program(_ name: String, _ wiring: String) -> Target {
            .executableTarget(name: name, dependencies: [.byName(name: wiring), "Operator"])
        }
        targets: [
            reckoning("Bytes", linking: ["m"]),
            stage("Presence", ["Bytes"]),
            stage("Captures", ["Bytes"]),
            stage("MQTT", ["Bytes", "CMosquitto"]),
            stage("Operator", ["Bytes", "Captures"]),
            program("whereabouts", "Captures"),
            library("CMosquitto", "libmosquitto", "libmosquitto-dev"),
            .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
            tests("BytesTests", ["Bytes", "Support"]),
        ]
        """

    static let goodFiles = [
        HouseFile("Sources/Bytes/Mathematics.swift", "internal import Glibc\n"),
        HouseFile("Sources/Presence/Window.swift", "public import Bytes\nimport Synchronization\n"),
        HouseFile("Sources/MQTT/Client.swift", "import CMosquitto\nimport Glibc\n"),
        HouseFile("Sources/Operator/Decode.swift", "import Bytes\nimport Captures\n// import Foundation\n"),
        HouseFile(
            "Sources/whereabouts/main.swift",
            "import Operator\nimport Captures\n" + String(repeating: "//\n", count: 28)),
        HouseFile("Tests/BytesTests/HexTests.swift", "@testable import Bytes\nimport Foundation\nimport Testing\n"),
        // Short files are advice, not a rule.
        HouseFile("Tests/Support/Long.swift", String(repeating: "\n", count: 500)),
    ]

    @Test func aGoodHouseIsLeftInPeace() {
        #expect(House(manifest: Self.manifest, files: Self.goodFiles).violations.isEmpty)
    }

    @Test(
        arguments: [
            ("Sources/Presence/Bad.swift", "import Identity", .undeclaredImport, "Sources/Presence/Bad.swift:1"),
            (
                "Sources/Presence/Bad.swift", "\n  public import RoomEstimation", .undeclaredImport,
                "Sources/Presence/Bad.swift:2"
            ),
            ("Sources/Operator/Bad.swift", "import MQTT", .undeclaredImport, "Sources/Operator/Bad.swift:1"),
            (
                "Tests/BytesTests/Bad.swift", "@testable import Captures", .undeclaredImport,
                "Tests/BytesTests/Bad.swift:1"
            ),
            ("Sources/Captures/Bad.swift", "private import MQTT", .edgeUsesEdge, "Sources/Captures/Bad.swift:1"),
            ("Sources/Presence/Bad.swift", "import struct Captures.X", .pureUsesEdge, "Sources/Presence/Bad.swift:1"),
            ("Sources/Presence/Bad.swift", "import Operator", .pureUsesEdge, "Sources/Presence/Bad.swift:1"),
            ("Sources/Captures/Bad.swift", "import CMosquitto", .borrowedLibrary, "Sources/Captures/Bad.swift:1"),
            ("Sources/Operator/Bad.swift", "import CNew", .undeclaredImport, "Sources/Operator/Bad.swift:1"),
            ("Sources/Presence/Bad.swift", "import Glibc", .system, "Sources/Presence/Bad.swift:1"),
            ("Sources/Bytes/Hex.swift", "@preconcurrency import Glibc", .system, "Sources/Bytes/Hex.swift:1"),
            ("Sources/Presence/Bad.swift", "import Dispatch", .system, "Sources/Presence/Bad.swift:1"),
            ("Sources/MQTT/Bad.swift", "import Foundation", .foundation, "Sources/MQTT/Bad.swift:1"),
            ("Sources/Bytes/Bad.swift", "import FoundationEssentials", .foundation, "Sources/Bytes/Bad.swift:1"),
            (
                "Sources/whereabouts/main.swift", String(repeating: "\n", count: 31), .longMain,
                "Sources/whereabouts/main.swift"
            ),
            ("Sources/Attic/Bad.swift", "", .unplaced, "Sources/Attic"),
        ] as [(String, String, House.Violation.Rule, String)])
    func eachBrokenRuleIsFound(_ path: String, _ text: String, _ rule: House.Violation.Rule, _ place: String) {
        let files = Self.goodFiles.filter { $0.path != path } + [HouseFile(path, text)]
        let violations = House(manifest: Self.manifest, files: files).violations
        #expect(violations.contains { $0.rule == rule && $0.place == place }, "\(violations)")
        #expect(violations.allSatisfy { $0.place.hasPrefix(place.prefix(while: { $0 != ":" })) }, "\(violations)")
    }

    @Test(
        arguments: [
            ("stage(\"Captures\", [\"Bytes\", \"MQTT\"]),", .edgeUsesEdge, "Package.swift: Captures"),
            ("stage(\"Presence\", [\n\"MQTT\",\n]),", .pureUsesEdge, "Package.swift: Presence"),
            (".target(name: \"Store\", dependencies: [\"CMosquitto\"]),", .borrowedLibrary, "Package.swift: Store"),
        ] as [(String, House.Violation.Rule, String)])
    func aBrokenRuleIsFoundInTheManifest(_ line: String, _ rule: House.Violation.Rule, _ place: String) {
        let house = House(manifest: Self.manifest + line, files: [])
        #expect(house.violations.map(\.rule) == [rule])
        #expect(house.violations.map(\.place) == [place])
    }
}
