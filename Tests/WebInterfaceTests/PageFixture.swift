import Configuration
import Support
import Synchronization
import System
import Web

@testable import WebInterface

/// A page on a free port, with a fuser that answers each request at once.
final class PageFixture {
    static let viewer = "viewer-token-123456", `operator` = "operator-token-12345", admin = "admin-token-1234567"

    let page: Page
    let folder: TemporaryFolder
    private let answering: Answering

    /// - Parameters:
    ///   - ended: the sessions that ended in a former run.
    ///   - sites: the other sites that it shows.
    init(
        ended: [EndedSessionChange] = [], sites: (any SitesDirectory)? = nil,
        _ change: (inout PageSettings) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        _ = try folder.write(Array("<p>hello".utf8), to: "index.html")
        _ = try folder.write(Array("a{}".utf8), to: "style.css")
        _ = try folder.write(Array("secret".utf8), to: "notes.bak")
        var settings = PageSettings(listen: NetworkAddress(host: "127.0.0.1", port: 1))
        settings.files = folder.path
        settings.tokens = [
            WebToken(role: .viewer, secret: Secret(Self.viewer)),
            WebToken(role: .operator, secret: Secret(Self.operator)),
            WebToken(role: .admin, secret: Secret(Self.admin)),
        ]
        change(&settings)
        let answering = Answering()
        self.answering = answering
        page = try Page(
            settings, host: "127.0.0.1", port: 0, limits: .init(), board: Board(), ended: ended, sites: sites,
            rounds: 1, wake: { answering.answer() })
        answering.requests.withLock { $0 = page.requests }
        page.board.hasBroker = true
    }

    deinit { page.stop() }

    /// The requests that the fuser answered.
    var asked: [PageRequest] { answering.asked.withLock { $0 } }

    /// An exchange on a connection of its own.
    func send(
        _ method: String, _ path: String, _ headers: [String] = [], body: String = "", as token: String? = nil
    ) throws -> (status: Int, head: String, body: String) {
        let client = try RawClient(port: page.port)
        var lines = ["\(method) \(path) HTTP/1.1", "Host: a", "Connection: close"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let answer = client.receive()
        let end = answer.firstRange(of: "\r\n\r\n")
        let head = String(answer[..<(end?.lowerBound ?? answer.endIndex)])
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, head, String(answer[(end?.upperBound ?? answer.endIndex)...]))
    }

    static let json = "Content-Type: application/json"

    /// Signs in; returns the cookie and the text for writes.
    func signIn(_ token: String) throws -> (cookie: String, csrf: String) {
        let answer = try send("POST", "/api/session", [Self.json], body: "{\"token\":\"\(token)\"}")
        let cookie = answer.head.split(separator: "Set-Cookie: ").last?.prefix { $0 != ";" } ?? ""
        let csrf = answer.body.split(separator: "\"csrf\":\"").last?.prefix { $0 != "\"" } ?? ""
        return (String(cookie), String(csrf))
    }
}

/// The fuser of a fixture: it answers on the thread that asks.
private final class Answering: Sendable {
    let requests = Mutex<PageRequests?>(nil)
    let asked = Mutex<[PageRequest]>([])

    func answer() {
        for request in requests.withLock({ $0 })?.take(atMost: 100, at: MonotonicClock.now()) ?? [] {
            asked.withLock { $0.append(request) }
            request.answer(.report(Array("{\"ok\":true}".utf8)))
        }
    }
}
