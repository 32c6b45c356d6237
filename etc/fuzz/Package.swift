// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// A stage of the package that is put to the proof.
func stage(_ name: String) -> Target.Dependency { .product(name: name, package: "whereabouts") }

/// A libFuzzer target. It has no main of its own: `run` builds it with `-sanitize=fuzzer,address`, which brings one.
func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Subjects"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        .target(name: "CHarness"),
        // What is fed, how it is judged, and what it is fed from.
        .target(
            name: "Subjects",
            dependencies: ["CHarness"]
                + [
                    "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "Sightings", "Captures", "Daemon",
                    "Presence", "Fusion", "Neighbours",
                ].map(stage),
            swiftSettings: settings),
        .executableTarget(name: "mutate", dependencies: ["CHarness", "Subjects"], swiftSettings: settings),
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
