// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// A libFuzzer target. It has no main of its own: `run` builds it with `-sanitize=fuzzer,address`, which brings one.
func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: "Subjects", package: "whereabouts")],
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        fuzzer("FuzzEvents"),
        fuzzer("FuzzFrames"),
        fuzzer("FuzzCaptures"),
        fuzzer("FuzzPayloads"),
        fuzzer("FuzzKept"),
        fuzzer("FuzzNeighbours"),
        fuzzer("FuzzKeys"),
        fuzzer("FuzzYAML"),
    ],
    swiftLanguageModes: [.v6]
)
