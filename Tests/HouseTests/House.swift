/// The rules of the house, checked on its manifest and its files.
struct House {
    /// The road of a packet: no I/O, no clock; these import each other alone.
    static let pure: Set<String> = [
        "Bytes", "Crypto", "Advertising", "BeaconFrames", "Identity", "WireProtocol", "EventLedger", "Presence",
        "Alerts", "Batteries", "CloneDetection", "Metrics", "RoomEstimation", "HouseTracking", "Integrations",
        "Simulation",
    ]
    /// Each owns a library or a part of the operating system, and imports no other edge.
    static let edges: Set<String> = [
        "Captures", "MQTT", "Certificates", "HCI", "Store", "Web", "LongHistory", "System", "CommandLine",
        "Configuration",
    ]
    /// The edges that others may build on, by who builds on them.
    static let grounds: [String: Set<String>] = [
        "CommandLine": ["System"], "Configuration": ["System", "CommandLine"],
    ]
    /// What puts stages and edges together, and the programs.
    static let wiring: Set<String> = [
        "BrokerSession", "Sites", "WebInterface", "Agent", "Fuser", "Operator", "whereabouts-agent",
        "whereabouts-fuser",
        "whereabouts",
    ]
    /// Who alone imports a system library.
    static let owners: [String: String] = [
        "CCrypto": "Crypto", "CMicroHTTPD": "Web", "CMosquitto": "MQTT", "CYAML": "Configuration", "CBluetooth": "HCI",
        "CSQLite": "Store", "CPostgres": "LongHistory",
        "CLinux": "System", "CSSL": "Certificates", "CZlib": "Captures",
    ]
    /// Where a pure target takes functions from the C library that are pure themselves.
    static let pureSystemFiles: Set<String> = ["Sources/Bytes/CalendarTime.swift", "Sources/Bytes/Mathematics.swift"]
    /// Modules of the operating system: not for pure targets.
    static let system: Set<String> = ["Glibc", "Dispatch"]
    /// Modules of the toolchain that any target may import.
    static let toolchain: Set<String> = ["Swift", "Synchronization"]
    static let longestMain = 30

    /// A rule that a place breaks.
    struct Violation: Hashable, CustomStringConvertible {
        enum Rule: String {
            case undeclaredImport = "imports a module that Package.swift doesn't declare for it"
            case edgeUsesEdge = "is an edge and uses another edge"
            case pureUsesEdge = "is pure and uses what isn't"
            case borrowedLibrary = "uses a system library that has another owner"
            case system = "is pure and uses the operating system"
            case foundation = "uses Foundation"
            case longMain = "is a main of over 30 lines"
            case strayNumber = "has a number of the room model that stands outside Parameters"
            case recordedName = "knows a recorded home by name"
            case unplaced = "is a target that the rules don't know: add it to House"
        }
        var rule: Rule
        /// A file with a line, or a target of the manifest.
        var place: String
        var subject: String

        init(_ rule: Rule, _ place: String, _ subject: String = "") {
            self.rule = rule
            self.place = place
            self.subject = subject
        }

        var description: String { "\(place) \(rule.rawValue)\(subject.isEmpty ? "" : ": \(subject)")" }
    }

    let manifest: Manifest
    let files: [HouseFile]

    init(manifest: String, files: [HouseFile]) {
        self.manifest = Manifest(manifest)
        self.files = files
    }

    /// Every violation, those of the manifest first.
    var violations: [Violation] {
        var found: [Violation] = []
        for (target, dependencies) in manifest.dependencies.sorted(by: { $0.key < $1.key }) {
            for dependency in dependencies { found += layering(target, dependency, at: "Package.swift: \(target)") }
        }
        var unplaced: Set<String> = []
        for file in files {
            found += length(of: file)
            found += file.imports.flatMap { imported(file, $0.module, at: "\(file.path):\($0.line)") }
            if file.area == "Sources", !Self.known(file.target), unplaced.insert(file.target).inserted {
                found.append(Violation(.unplaced, "Sources/\(file.target)"))
            }
        }
        return found
    }

    private func length(of file: HouseFile) -> [Violation] {
        let count = file.lineCount
        if file.isMain, count > Self.longestMain { return [Violation(.longMain, file.path, "\(count) lines")] }
        return []
    }

    private func imported(_ file: HouseFile, _ module: String, at place: String) -> [Violation] {
        let isDeclared = manifest.dependencies[file.target, default: []].contains(module)
        let isOurs = manifest.dependencies[module] != nil
        if file.area == "Tests" {
            return isOurs && !isDeclared ? [Violation(.undeclaredImport, place, module)] : []
        }
        if module.hasPrefix("Foundation") { return [Violation(.foundation, place, module)] }
        if Self.system.contains(module) {
            let isFree = !Self.pure.contains(file.target) || Self.pureSystemFiles.contains(file.path)
            return isFree ? [] : [Violation(.system, place, module)]
        }
        if Self.toolchain.contains(module) { return [] }
        return layering(file.target, module, at: place)
            + (isDeclared ? [] : [Violation(.undeclaredImport, place, module)])
    }

    /// Who may use whom, whether by an import or by a dependency.
    private func layering(_ target: String, _ used: String, at place: String) -> [Violation] {
        var found: [Violation] = []
        let isLibrary = Self.owners[used] != nil || manifest.libraries.contains(used)
        if isLibrary, Self.owners[used] != target { found.append(Violation(.borrowedLibrary, place, used)) }
        if Self.edges.contains(target), Self.edges.contains(used), !Self.grounds[target, default: []].contains(used) {
            found.append(Violation(.edgeUsesEdge, place, used))
        }
        if Self.pure.contains(target), !Self.pure.contains(used), !isLibrary {
            found.append(Violation(.pureUsesEdge, place, used))
        }
        return found
    }

    private static func known(_ target: String) -> Bool {
        pure.contains(target) || edges.contains(target) || wiring.contains(target) || owners[target] != nil
    }
}
