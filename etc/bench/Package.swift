// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// A stage of the package that is measured.
func stage(_ name: String) -> Target.Dependency { .product(name: name, package: "whereabouts") }

let package = Package(
    name: "bench",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        // Clocks, child processes, and a malloc that counts.
        .target(name: "CBench"),
        .executableTarget(
            name: "bench",
            dependencies: ["CBench"]
                + [
                    "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Captures", "MQTT",
                    "Agent", "RoomEstimation", "HouseTracking", "Fuser",
                ].map(stage),
            swiftSettings: settings),
        // The peer of the way through the broker: libmosquitto, and nothing around it.
        .executableTarget(
            name: "bare-pair", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("mosquitto")]),
        // The gateways of a large house, and the peer of the fuser behind a broker.
        .executableTarget(
            name: "crowd", cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [.linkedLibrary("mosquitto"), .linkedLibrary("crypto")]),
        .executableTarget(
            name: "bare-subscriber", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("mosquitto")]),
    ],
    swiftLanguageModes: [.v6]
)
