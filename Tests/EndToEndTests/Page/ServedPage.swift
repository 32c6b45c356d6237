import Foundation
import Support

/// The page of a fuser of a deployment, on a free port.
struct ServedPage {
    static let viewer = "viewer-0123456789abcdef", admin = "admin-0123456789abcdef"
    static let json = "Content-Type: application/json"

    /// The fuser's configuration.
    let configuration: String
    private let port: UInt16
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - state: the name of the fuser's database; nil for none.
    ///   - sites: the name of the file of other sites; nil for none.
    ///   - more: further lines.
    init(_ deployment: Deployment, state: String? = nil, sites: String? = nil, _ more: [String] = []) throws {
        port = try Listener().port
        folder = deployment.folder
        let site = Repository.root + "/Sources/WebInterface/Site"
        let other = sites.map { ", sites: \($0)" } ?? ""
        let lines = try String(contentsOfFile: deployment.fuser(), encoding: .utf8).split(separator: "\n")
        configuration = try deployment.file(
            "page.yaml",
            lines.dropLast().map(String.init) + [
                "web: {listen: \"127.0.0.1:\(port)\", token_file: tokens, files: \"\(site)\"\(other)}"
            ] + (state.map { ["state: \"\(deployment.folder.path)/\($0)\""] } ?? []) + more)
        try writeTokens("viewer:\(Self.viewer)\nadmin:\(Self.admin)\n")
    }

    /// Writes the file of the tokens.
    func writeTokens(_ text: String) throws {
        try setMode(0o600, of: try folder.write(Array(text.utf8), to: "tokens"))
    }

    /// True if the page answers, and the fuser has its broker, within so many seconds.
    func answers(within seconds: Double) async throws -> Bool {
        try await until(seconds) { (try? send("GET", "/healthz").status == 200) ?? false }
    }

    /// An exchange on a connection of its own.
    func send(
        _ method: String, _ path: String, _ headers: [String] = [], body: String = ""
    ) throws -> (status: Int, head: String, body: String) {
        let client = try RawClient(port: port)
        var lines = ["\(method) \(path) HTTP/1.1", "Host: a", "Connection: close"] + headers
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let answer = client.receive(seconds: 20)
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let status = parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, parts[0], parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    /// Signs in; returns the header lines of the session and of its writes.
    func signIn(_ token: String) throws -> (cookie: String, csrf: String) {
        let answer = try send("POST", "/api/session", [Self.json], body: "{\"token\":\"\(token)\"}")
        let cookie = answer.head.components(separatedBy: "Set-Cookie: ").last?.prefix { $0 != ";" } ?? ""
        let csrf = answer.body.components(separatedBy: "\"csrf\":\"").last?.prefix { $0 != "\"" } ?? ""
        return ("Cookie: \(cookie)", "X-CSRF-Token: \(csrf)")
    }

    /// Opens a stream.
    func open(_ path: String, _ cookie: String, _ headers: [String] = []) throws -> RawClient {
        let client = try RawClient(port: port)
        client.send((["GET \(path) HTTP/1.1", "Host: a", cookie] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        return client
    }

    /// The id of the last event in the text of a stream.
    static func lastID(in text: String) -> String? {
        text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }
}

/// A simulated flat with its broker, its agents, and a fuser that serves the page.
struct ServedFlat {
    let page: ServedPage
    let fuser: RunningProgram
    private let broker: Broker
    private let agents: [RunningProgram]

    init() throws {
        broker = try Broker()
        let deployment = try Deployment(broker)
        page = try ServedPage(deployment)
        fuser = try RunningProgram("whereabouts-fuser", ["--config", page.configuration])
        agents = try deployment.startAgents()
    }

    /// Ends the programs.
    func stop() {
        for program in agents + [fuser] { program.process.terminate() }
    }
}
