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

let package = Package(
    name: "lab",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        // Controllers and the air between them, as values that are told the time.
        .target(
            name: "Radio", dependencies: ["Bytes", "Advertising", "BeaconFrames"].map(stage), swiftSettings: settings),
        // The same on /dev/vhci, with a socket for orders and a log of the truth.
        .executableTarget(
            name: "ether", dependencies: ["Radio"] + ["Bytes", "Advertising"].map(stage), swiftSettings: settings),
        // What a node told, held against the truth.
        .executableTarget(name: "judge", dependencies: [stage("Bytes")], swiftSettings: settings),
        // The peer in C: libbluetooth, and nothing around it.
        .executableTarget(
            name: "bare-scanner", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("bluetooth")]),
        .testTarget(
            name: "RadioTests", dependencies: ["Radio"] + ["Bytes", "Advertising"].map(stage),
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
