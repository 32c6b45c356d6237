import Foundation
import Support
import Testing

/// A locator that knew the homes it is measured on, or whose numbers were strewn about, would fail in other homes unseen.
@Suite struct TuningTests {
    /// The recordings beside the repository; nil where they are absent.
    static let recorded: House.Recorded? = {
        guard let known = SharedMaterial.path("datasets/baselines.json") else { return nil }
        let folder = (known as NSString).deletingLastPathComponent
        var recorded = House.Recorded()
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard file.hasSuffix(".json"), file != "baselines.json" else { continue }
            let stem = String(file.dropLast(5))
            recorded.recordings.insert(stem.lowercased())
            let data = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
            guard let home = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { continue }
            let places = home["receiver_rooms_for_strongest"] as? [String: String] ?? [:]
            recorded.names.formUnion(home["rooms"] as? [String] ?? [])
            recorded.names.formUnion((home["receivers"] as? [String: Any] ?? [:]).keys)
            recorded.names.formUnion(places.values)
            let truth = (try? String(contentsOfFile: "\(folder)/\(stem)_truth.csv", encoding: .utf8)) ?? ""
            for row in truth.split(whereSeparator: \.isNewline).dropFirst() {
                let fields = row.split(separator: ",").map(String.init)
                if fields.count == 5 { recorded.names.formUnion([fields[0], fields[1], fields[4]]) }
            }
        }
        return recorded
    }()

    static let files: [HouseFile] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/Sources")) ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try? String(contentsOfFile: "\(Repository.root)/Sources/\(path)", encoding: .utf8)
            return HouseFile("Sources/\(path)", text ?? "")
        }
    }()

    @Test func everyNumberOfTheModelStandsAmongItsParameters() {
        let house = House(manifest: "", files: Self.files)
        for violation in house.tuning(House.Recorded()) { Issue.record("\(violation)") }
        #expect(Self.files.contains { $0.path.contains(House.parameters) && $0.literals.numbers.count > 50 })
    }

    @Test(.enabled(if: recorded != nil, "no recordings beside the repository"))
    func noHomeThatItIsMeasuredOnIsKnownByName() throws {
        let recorded = try #require(Self.recorded)
        let house = House(manifest: "", files: Self.files)
        for violation in house.tuning(recorded) { Issue.record("\(violation)") }
        #expect(recorded.recordings.count >= 3 && recorded.names.count > 30)
    }

    @Test func everyFreedNumberIsThere() {
        for (file, numbers, _) in House.constants {
            let there = Self.files.filter { House.model.contains($0.target) && $0.path.hasSuffix("/" + file) }
                .flatMap { $0.literals.numbers.map(\.text) }
            #expect(numbers.isSubset(of: there), "\(file)")
        }
    }

    static let madeUp = House.Recorded(recordings: ["elmhouse"], names: ["Attic_AP", "pantry"])

    @Test(
        arguments: [
            ("Sources/RoomEstimation/Bad.swift", "let x = y * 0.37", .strayNumber),
            ("Sources/RoomEstimation/Bad.swift", "for i in 1...12 {}", .strayNumber),
            ("Sources/RoomEstimation/Bad.swift", "guard a > -85, b < 3e-4 else { return }", .strayNumber),
            ("Sources/RoomEstimation/Bad.swift", "static let share = 0.3", .strayNumber),
            ("Sources/HouseTracking/Memory/Bad.swift", "x &= 0xFF // 1", .strayNumber),
            ("Sources/RoomEstimation/Bad.swift", "if room.id == \"pantry\" { offset = 1 }", .recordedName),
            ("Sources/RoomEstimation/Bad.swift", "let node = \"Attic_AP\"", .recordedName),
            ("Sources/Agent/Bad.swift", "// measured in Elmhouse", .recordedName),
        ] as [(String, String, House.Violation.Rule)])
    func whatIsTunedElsewhereIsFound(_ path: String, _ text: String, _ rule: House.Violation.Rule) {
        let found = House(manifest: "", files: [HouseFile(path, "\n" + text)]).tuning(Self.madeUp)
        #expect(!found.isEmpty && found.allSatisfy { $0.rule == rule && $0.place.hasPrefix(path) }, "\(found)")
    }

    @Test(
        arguments: [
            ("Sources/RoomEstimation/Good.swift", "let half = 0.5 * pair.1 + $0 - 1.0 + x2 // 0.37 in the pantry"),
            ("Sources/RoomEstimation/Good.swift", "static let itemCapacity = 100_000"),
            ("Sources/RoomEstimation/Good.swift", "let text = \"7 of \\(count)\" + \"a pantry\""),
            ("Sources/RoomEstimation/Parameters.swift", "public var weight = 1.3"),
            ("Sources/Agent/Good.swift", "let seconds = 17, room = \"pantry\""),
        ])
    func plainCodeIsLeftInPeace(_ path: String, _ text: String) {
        #expect(House(manifest: "", files: [HouseFile(path, text)]).tuning(Self.madeUp).isEmpty)
    }
}
