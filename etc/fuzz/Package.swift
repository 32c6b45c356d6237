// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        // All libFuzzer targets in one program. It has no main of its own: `run` builds it with `-sanitize=fuzzer,address`,
        // which brings one.
        .executableTarget(
            name: "Fuzz", dependencies: [.product(name: "Subjects", package: "whereabouts")],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
    ],
    swiftLanguageModes: [.v6]
)
