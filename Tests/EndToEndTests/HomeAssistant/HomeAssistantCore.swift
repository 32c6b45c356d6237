import Foundation
import Glibc
import Support

/// A real Home Assistant core with an MQTT integration, in a folder that persists over restarts.
final class HomeAssistantCore {
    /// A release, by the folder that `etc/dev/prepare-home-assistant` installs it into.
    enum Release: String, CaseIterable {
        case current, older

        fileprivate var folder: String { "\(Repository.root)/.build/home-assistant/\(rawValue)" }
        /// True if it is installed.
        var isInstalled: Bool { FileManager.default.fileExists(atPath: folder + "/ready") }

        /// Those that are installed, the newest first.
        static let installed = allCases.filter(\.isInstalled)
        /// The one that tests run: that named by `WHEREABOUTS_HOME_ASSISTANT` (`current` or `older`), else the newest
        /// installed.
        static let chosen = name.map { name in installed.first { $0.rawValue == name } } ?? installed.first

        private static let name = ProcessInfo.processInfo.environment["WHEREABOUTS_HOME_ASSISTANT"]
        /// Those that the comparison of releases runs: the named one, else all that are installed.
        static let compared = name == nil ? installed : chosen.map { [$0] } ?? []
    }

    /// True if there is one to test with.
    static var isInstalled: Bool { Release.chosen != nil }
    /// The reason that a skipped test gives.
    static let missing = "Home Assistant is not installed: etc/dev/prepare-home-assistant"
    /// A person of Home Assistant's own, and the tracker by which it finds her.
    static let person = (entity: "person.anna", name: "Anna", tracker: "device_tracker.anna_s_keys")

    let release: Release
    let folder: TemporaryFolder
    private let port: UInt16
    private var process: ChildProcess?
    private var line: Line?

    /// A core that has not started yet.
    ///
    /// - Parameters:
    ///   - port: the broker's, or of a relay in front of it.
    ///   - release: the release; the chosen one by default.
    init(port: UInt16, release: Release? = nil) throws {
        guard let release = release ?? Release.chosen else { throw CoreFault(description: Self.missing) }
        self.release = release
        folder = try TemporaryFolder()
        self.port = port
    }

    deinit {
        process?.terminate()
        _ = process?.wait(atMost: 20)
    }

    /// Starts it, and waits until it has started.
    func start() async throws {
        let socket = folder.file("probe.sock")
        let child = try ChildProcess(
            release.folder + "/bin/python",
            [
                Repository.root + "/Tests/HomeAssistant/core.py", folder.path, "127.0.0.1:\(port)",
                "--person", "\(Self.person.name)=\(Self.person.tracker)",
            ],
            output: folder.file("output"))
        process = child
        let began = try await until(120) {
            if line == nil { line = Line(to: socket) }
            return line != nil || !child.isRunning
        }
        guard began, line != nil else { throw CoreFault(description: "Home Assistant doesn't start: \(output)") }
    }

    /// Ends it as its user does, its registries written.
    func stop() throws {
        line = nil
        process?.terminate()
        guard process?.wait(atMost: 60) == 0 else {
            throw CoreFault(description: "Home Assistant ended badly: \(output)")
        }
        process = nil
    }

    /// Its output.
    var output: String { readFile(folder.file("output")) ?? "" }

    /// Resident memory in KiB (`VmRSS` of proc(5)).
    var resident: Int? {
        process.flatMap { readFile("/proc/\($0.processID)/status") }?.split(separator: "\n")
            .first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").compactMap { Int($0) }.first
    }

    /// Its state from the broker's messages so far.
    func report() throws -> Report { try ask(Question(ask: "report")) }

    /// The changes of states from one on, in order.
    func changes(from index: Int = 0) throws -> [StateChange] {
        try (ask(Question(ask: "changes", from: index)) as Changes).changes
    }

    /// Calls a service (an action) for an entity, as a click does.
    func call(_ service: String, _ entity: String) throws {
        let _: Nothing = try ask(Question(ask: "call", service: service, data: ["entity_id": entity]))
    }

    /// Changes an entity's settings, as a user does.
    func set(_ entity: String, _ settings: [String: String]) throws {
        let _: Nothing = try ask(Question(ask: "entity", entity_id: entity, set: settings))
    }

    /// Puts a device into an area of a name, as a user does.
    func move(device: String, to area: String) throws {
        let _: Nothing = try ask(Question(ask: "area", device: device, name: area))
    }

    /// Waits until its report fulfils a condition, for at most `seconds`; returns the last report, and true if it did.
    func wait(_ seconds: Double, for condition: (Report) -> Bool) async throws -> (report: Report, came: Bool) {
        var last = try report()
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while !condition(last) {
            guard clock.now < end else { return (last, false) }
            try await Task.sleep(for: .milliseconds(250))
            last = try report()
        }
        return (last, true)
    }

    private struct Question: Encodable {
        var ask: String
        var from: Int?
        var service: String?
        var data: [String: String]?
        var entity_id: String?
        var set: [String: String]?
        var device: String?
        var name: String?
    }
    private struct Nothing: Decodable {}
    private struct Changes: Decodable { var changes: [StateChange] }
    private struct Refusal: Decodable { var error: String? }

    private func ask<Answer: Decodable>(_ question: Question) throws -> Answer {
        guard let line else { throw CoreFault(description: "Home Assistant isn't running") }
        let bytes = try line.ask(JSONEncoder().encode(question))
        if let error = try JSONDecoder().decode(Refusal.self, from: bytes).error {
            throw CoreFault(description: "\(question.ask): \(error)")
        }
        return try JSONDecoder().decode(Answer.self, from: bytes)
    }
}

/// The reason for which a core is missing or does not answer.
struct CoreFault: Error, CustomStringConvertible {
    var description: String
}

/// The line to a core's probe: a question, an answer.
private final class Line {
    private let descriptor: Int32

    /// Nil if nothing listens there yet.
    init?(to path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        precondition(bytes.count < MemoryLayout.size(ofValue: address.sun_path), "\(path) is too long for a socket")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // The end of the object closes it, here too.
        if code != 0 { return nil }
    }

    deinit { close(descriptor) }

    func ask(_ question: Data) throws -> Data {
        let text = Array(question) + [UInt8(ascii: "\n")]
        guard send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) == text.count else {
            throw CoreFault(description: "the core doesn't take questions: \(String(cString: strerror(errno)))")
        }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while answer.last != UInt8(ascii: "\n") {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw CoreFault(description: "the core doesn't answer") }
            answer.append(contentsOf: buffer[..<count])
        }
        return answer
    }
}
