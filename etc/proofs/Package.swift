// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// A stage of the package whose promises are tried.
func stage(_ name: String) -> Target.Dependency { .product(name: name, package: "whereabouts") }

let package = Package(
    name: "proofs",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        // A hundred days of beacons that come, go and are badly heard: exits that were none, and how long exits take.
        .executableTarget(
            name: "cadence",
            dependencies: ["Bytes", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Presence"].map(stage),
            swiftSettings: settings),
        // What a packet costs with ten thousand regions beside ten.
        .executableTarget(
            name: "regions",
            dependencies: ["Bytes", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Presence"].map(stage),
            swiftSettings: settings),
        // A hundred simulated houses: the locator beside two rules that are in use, on the same packets.
        .executableTarget(
            name: "houses",
            dependencies: ["Bytes", "Advertising", "Simulation", "RoomEstimation", "HouseTracking"].map(stage),
            swiftSettings: settings),
        // Attacks on recorded tags, and a hundred houses without any: what the detector of clones finds.
        .executableTarget(
            name: "clones",
            dependencies: ["Bytes", "Advertising", "WireProtocol", "CloneDetection", "Simulation"].map(stage),
            swiftSettings: settings),
        // Recorded homes as `whereabouts locate` takes them, for the proofs below.
        .target(
            name: "HomeFiles", dependencies: ["Bytes", "RoomEstimation", "HouseTracking"].map(stage),
            swiftSettings: settings),
        // What a locator could at best have said of a recording: with what came after, by the same likelihoods.
        .executableTarget(
            name: "oracle", dependencies: ["Bytes", "RoomEstimation", "HouseTracking"].map(stage) + ["HomeFiles"],
            swiftSettings: settings),
        // Constants chosen on two recorded homes, scored on the third.
        .executableTarget(
            name: "choices", dependencies: ["Bytes", "RoomEstimation", "HouseTracking"].map(stage) + ["HomeFiles"],
            swiftSettings: settings),
        // The figures of recorded homes without each piece of the model.
        .executableTarget(
            name: "pieces", dependencies: ["Bytes", "RoomEstimation", "HouseTracking"].map(stage) + ["HomeFiles"],
            swiftSettings: settings),
        // Recorded homes in which a node fails half-way: what it costs, and whether anything is pinned to a dead node.
        .executableTarget(
            name: "faults", dependencies: ["Bytes", "WireProtocol", "RoomEstimation", "HouseTracking"].map(stage),
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
