// swift-tools-version: 6.2
import PackageDescription

/// One array for every target: Swift 6 mode comes from `swiftLanguageModes` below.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// Optimisation in debug builds, with assertions, for what computes for long in tests.
let optimizedInDebug: [SwiftSetting] = [
    .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// Small code in release builds, for what runs at a start or seldom: the package of the agent has a bound.
let optimizedForSize: [SwiftSetting] = [
    .unsafeFlags(["-Osize"], .when(configuration: .release))
]

/// A target of the road. What ships is held to strict memory safety as well.
func stage(
    _ name: String, _ dependencies: [String] = [], linking libraries: [String] = [], excluding others: [String] = [],
    adding more: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, exclude: others,
        swiftSettings: settings + [.strictMemorySafety()] + more,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A stage that reckons. The tests simulate weeks with these, and take twice as long where they aren't optimised; assertions
/// stay. To step through one, take its optimisation away.
func reckoning(
    _ name: String, _ dependencies: [String] = [], linking libraries: [String] = [], adding more: [SwiftSetting] = []
) -> Target {
    stage(name, dependencies, linking: libraries, adding: optimizedInDebug + more)
}

/// How a program for gateways is linked, so that little of it is resident: lld packs the relocations, nothing is kept
/// for others to look up, and with `--static-swift-stdlib` of libstdc++ only what the runtime uses is taken
/// (`etc/packaging/link`).
let compact: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic",
            "-L\(Context.packageDirectory)/etc/packaging/link", "-Xclang-linker", "-static-libgcc",
        ], .when(platforms: [.linux], configuration: .release))
]

func program(_ name: String, _ wiring: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.byName(name: wiring), "System"],
        swiftSettings: settings + [.strictMemorySafety()], linkerSettings: compact)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/\(name)",
        swiftSettings: settings)
}

/// A C library: its module map and nothing else.
func library(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Libraries for etc/fuzz and etc/bench: a product for each target that they measure or prove.
let measured = [
    "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Presence", "Alerts",
    "Captures", "MQTT", "Store",
    "System", "CommandLine", "Configuration", "Agent", "Fuser", "RoomEstimation", "HouseTracking", "Integrations",
    "Simulation", "Batteries", "CloneDetection",
]

let package = Package(
    name: "whereabouts",
    products: [
        .executable(name: "whereabouts-agent", targets: ["whereabouts-agent"]),
        .executable(name: "whereabouts-fuser", targets: ["whereabouts-fuser"]),
        .executable(name: "whereabouts", targets: ["whereabouts"]),
    ] + (measured + ["Subjects"]).map { .library(name: $0, targets: [$0]) },
    targets: [
        // The road of a packet. A stage imports earlier stages only; no stage here does I/O or reads a clock.
        reckoning("Bytes", linking: ["m"]),
        reckoning("Crypto", ["Bytes", "CCrypto"]),
        reckoning("Advertising", ["Bytes"]),
        reckoning("BeaconFrames", ["Bytes", "Advertising"]),
        reckoning("Identity", ["Bytes", "Crypto", "Advertising", "BeaconFrames"]),
        reckoning("WireProtocol", ["Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity"]),
        reckoning("EventLedger", ["Bytes", "WireProtocol"]),
        reckoning("Presence", ["Bytes", "Advertising", "BeaconFrames", "Identity", "WireProtocol"]),
        reckoning("Alerts", ["Bytes", "WireProtocol"], adding: optimizedForSize),
        reckoning("Batteries", ["Bytes", "WireProtocol"]),
        reckoning("CloneDetection", ["Bytes", "WireProtocol"]),
        reckoning("RoomEstimation", ["Bytes"]),
        reckoning("HouseTracking", ["Bytes", "WireProtocol", "RoomEstimation"]),
        // Counts of programs, as a text for those who watch them.
        stage("Metrics", adding: optimizedForSize),
        // What other systems say on the same broker, and how ours is told to them.
        reckoning(
            "Integrations", ["Bytes", "Crypto", "BeaconFrames", "Identity", "WireProtocol"], adding: optimizedForSize),
        // A house to try it in: makes HCI events as an adapter would, and shares no code with RoomEstimation.
        reckoning("Simulation", ["Bytes", "Advertising", "BeaconFrames"]),

        // The edges: each owns one library or one part of the operating system, and imports no other edge.
        stage("HCI", ["Bytes", "Advertising", "CBluetooth"]),
        stage("Captures", ["Bytes", "Advertising", "CZlib"], adding: optimizedInDebug),
        stage("MQTT", ["Bytes", "WireProtocol", "CMosquitto"]),
        stage("Certificates", ["Bytes", "Crypto", "CSSL"], adding: optimizedForSize),
        stage("Store", ["Bytes", "CSQLite"], adding: optimizedForSize),
        stage("Web", ["Bytes", "CMicroHTTPD"], adding: optimizedForSize),
        stage("LongHistory", ["Bytes", "CPostgres"]),
        // The needs of a program: its machine, its command line and output, and its configuration. Each builds on
        // the one before.
        stage("System", ["Bytes", "CLinux"], adding: optimizedForSize),
        stage("CommandLine", ["Bytes", "Identity", "System"], adding: optimizedForSize),
        stage(
            "Configuration",
            [
                "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Presence", "Alerts",
                "Simulation",
                "System", "CommandLine", "CYAML",
            ], adding: optimizedForSize),
        // The wiring. A session is what every program that speaks with a broker shares.
        stage(
            "BrokerSession",
            [
                "Bytes", "Crypto", "WireProtocol", "Metrics", "Integrations", "MQTT", "Certificates", "Store", "System",
                "CommandLine", "Configuration",
            ], adding: optimizedForSize),
        // Other houses, for the tool and for a page: their file, and what is known of each.
        stage(
            "Sites",
            ["Bytes", "Identity", "WireProtocol", "MQTT", "System", "Configuration", "BrokerSession"]),
        // The page of a fuser: files, interface and events for browsers.
        stage(
            "WebInterface",
            ["Bytes", "Crypto", "Identity", "WireProtocol", "Metrics", "Web", "System", "Configuration"],
            excluding: ["Site"]),
        stage(
            "Agent",
            [
                "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Alerts",
                "Presence", "Simulation",
                "Metrics", "Integrations", "HCI", "Captures", "MQTT", "Store", "Web", "System", "CommandLine",
                "Configuration", "BrokerSession",
            ]),
        stage(
            "Fuser",
            [
                "Bytes", "Crypto", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Alerts", "Batteries",
                "CloneDetection", "Presence", "RoomEstimation", "HouseTracking",
                "Metrics", "Integrations", "MQTT", "Store", "LongHistory",
                "System", "CommandLine", "Configuration",
                "BrokerSession", "Sites", "WebInterface",
            ]),
        stage(
            "Operator",
            [
                "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Alerts",
                "RoomEstimation", "HouseTracking",
                "Integrations",
                "Simulation", "HCI", "Captures", "MQTT", "Certificates", "Store", "System", "CommandLine",
                "Configuration", "BrokerSession", "Sites", "Agent",
            ]),
        program("whereabouts-agent", "Agent"),
        program("whereabouts-fuser", "Fuser"),
        program("whereabouts", "Operator"),

        // Headers alone: what the kernel's sockets take and give.
        .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        library("CCrypto", "libcrypto", "libssl-dev"),
        library("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
        library("CMosquitto", "libmosquitto", "libmosquitto-dev"),
        library("CPostgres", "libpq", "libpq-dev"),
        library("CSSL", "openssl", "libssl-dev"),
        library("CSQLite", "sqlite3", "libsqlite3-dev"),
        library("CYAML", "yaml-0.1", "libyaml-dev"),
        library("CZlib", "zlib", "zlib1g-dev"),
        .systemLibrary(name: "CLinux"),

        // Tests mirror the stages.
        .target(
            name: "Support", dependencies: ["Bytes", "WireProtocol"], path: "Tests/Support",
            swiftSettings: settings + optimizedInDebug),
        tests("BytesTests", ["Bytes", "Support"]),
        tests("AdvertisingTests", ["Bytes", "Advertising", "Support"]),
        tests("BeaconFramesTests", ["Bytes", "Advertising", "BeaconFrames", "Support"]),
        tests("IdentityTests", ["Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "Support"]),
        tests(
            "WireProtocolTests",
            ["Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Support"]),
        tests("EventLedgerTests", ["Bytes", "WireProtocol", "EventLedger", "Support"]),
        tests("MetricsTests", ["Metrics"]),
        tests("AlertsTests", ["Bytes", "WireProtocol", "Alerts", "Support"]),
        tests("BatteriesTests", ["Bytes", "WireProtocol", "Batteries", "Support"]),
        tests("CloneDetectionTests", ["Bytes", "WireProtocol", "CloneDetection", "Support"]),
        tests(
            "PresenceTests",
            ["Bytes", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Presence", "Support"]),
        tests(
            "IntegrationsTests",
            ["Bytes", "Crypto", "BeaconFrames", "Identity", "WireProtocol", "Integrations", "Support"]),
        tests("RoomEstimationTests", ["Bytes", "RoomEstimation", "Support"]),
        tests("HouseTrackingTests", ["Bytes", "WireProtocol", "RoomEstimation", "HouseTracking", "Support"]),
        tests("SimulationTests", ["Bytes", "Advertising", "BeaconFrames", "Simulation", "Support"]),
        tests(
            "AgentTests",
            [
                "Bytes", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Alerts", "Presence",
                "Integrations", "System", "CommandLine", "Configuration",
                "HCI", "Store", "BrokerSession", "Agent", "Support",
            ]),
        tests("HCITests", ["Bytes", "Advertising", "HCI", "Support"]),
        tests("CapturesTests", ["Bytes", "Advertising", "Captures", "Support"]),
        tests(
            "BrokerSessionTests",
            [
                "Bytes", "Crypto", "WireProtocol", "MQTT", "Certificates", "Store", "System", "CommandLine",
                "Configuration", "BrokerSession", "Support",
            ]),
        tests(
            "SitesTests", ["Bytes", "Identity", "WireProtocol", "System", "Configuration", "Sites", "Support"]),
        tests("MQTTTests", ["Bytes", "WireProtocol", "MQTT", "Reconnector", "Support"]),
        // Connects again and again: MQTTTests look at what its process holds.
        .executableTarget(
            name: "Reconnector", dependencies: ["MQTT"], path: "Tests/Reconnector", swiftSettings: settings),
        tests("CertificatesTests", ["Bytes", "Crypto", "Certificates", "Support"]),
        tests("WebTests", ["Bytes", "Web", "Support"]),
        tests(
            "WebInterfaceTests",
            ["Bytes", "Identity", "WireProtocol", "Web", "System", "Configuration", "WebInterface", "Support"]),
        tests("StoreTests", ["Bytes", "Store", "StoreWriter", "Support"]),
        // Ends in the middle of its writing: StoreTests start and kill it.
        .executableTarget(
            name: "StoreWriter", dependencies: ["Bytes", "Store"], path: "Tests/StoreWriter", swiftSettings: settings),
        tests("LongHistoryTests", ["Bytes", "LongHistory", "Support"]),
        tests("SystemTests", ["Bytes", "System", "CommandLine", "Support"]),
        tests("CommandLineTests", ["Bytes", "Identity", "System", "CommandLine", "Support"]),
        tests(
            "ConfigurationTests",
            [
                "Bytes", "Crypto", "BeaconFrames", "Identity", "WireProtocol", "Presence", "Alerts", "Simulation",
                "System",
                "CommandLine", "Configuration", "Support",
            ]),
        tests(
            "OperatorTests",
            [
                "Bytes", "BeaconFrames", "Identity", "WireProtocol", "RoomEstimation", "HouseTracking", "HCI", "MQTT",
                "System", "CommandLine", "Configuration", "BrokerSession", "Agent", "Operator",
                "Support",
            ]),
        tests(
            "FuserTests",
            [
                "Bytes", "Metrics", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Alerts", "Presence",
                "RoomEstimation", "HouseTracking", "Batteries", "Integrations",
                "Store", "LongHistory", "System", "CommandLine", "Configuration",
                "BrokerSession",
                "Fuser", "Reference", "Support",
            ]),
        // What is promised, in a world of which broker, network and clock alone are modelled.
        tests(
            "ContractTests",
            [
                "Bytes", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Alerts", "Presence",
                "RoomEstimation", "HouseTracking", "MQTT", "Store",
                "System", "CommandLine", "Configuration", "BrokerSession", "Agent", "Fuser", "Reference", "Support",
            ]),
        tests("HouseTests", ["Support"]),
        // The reference pages of docs, made from the programs' own tables (etc/dev/docs).
        .target(
            name: "Reference",
            dependencies: [
                "Bytes", "BeaconFrames", "Identity", "WireProtocol", "RoomEstimation", "HouseTracking", "System",
                "CommandLine", "Configuration", "Sites",
                "Agent", "Fuser", "Operator",
            ], path: "etc/dev/reference/Reference", swiftSettings: settings),
        .executableTarget(
            name: "describe", dependencies: ["Reference"], path: "etc/dev/reference/describe",
            swiftSettings: settings),
        tests(
            "ReferenceTests",
            [
                "Identity", "WireProtocol", "Alerts", "Presence", "System", "CommandLine", "Configuration", "Agent",
                "Fuser", "Operator", "Reference",
                "Support",
            ]),
        // Seeded mutations of every parser's input; the nested package etc/fuzz adds coverage-guided fuzzers.
        .target(name: "CHarness", path: "etc/fuzz/Sources/CHarness"),
        .target(
            name: "Subjects",
            dependencies: [
                "CHarness", "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Captures",
                "System", "CommandLine", "Configuration", "Presence", "RoomEstimation", "HouseTracking", "Integrations",
                "Web", "WebInterface",
            ], path: "etc/fuzz/Sources/Subjects", swiftSettings: settings + optimizedInDebug),
        .executableTarget(
            name: "mutate", dependencies: ["CHarness", "Subjects"], path: "etc/fuzz/Sources/mutate",
            swiftSettings: settings + optimizedInDebug),
        tests(
            "EndToEndTests",
            [
                "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "Alerts", "Presence",
                "RoomEstimation", "HouseTracking",
                "Integrations", "Simulation", "Captures", "MQTT", "Store", "System", "CommandLine", "Configuration",
                "BrokerSession", "Agent", "Fuser", "Operator",
                "Support",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
