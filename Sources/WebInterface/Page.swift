public import Configuration
internal import System
internal import Web

/// A page that can't be shown: what failed, and why.
public struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The page of a fuser: a board for what is published, requests for the fuser, and the server between them and
/// browsers.
///
/// The fuser puts messages on the board by a `BoardFeed`, takes `requests` when it is woken, and calls `showChanges` once
/// a turn. None of that blocks.
public final class Page: Sendable {
    /// The state that viewers follow.
    public let board: Board
    /// The requests that wait for the fuser.
    public let requests: PageRequests
    /// The plan of the house, and its pictures.
    public let plans = PlanShelf()
    private let sessions: Sessions
    private let gatekeeper: Gatekeeper
    private let server: HTTPServer

    /// The port that the page listens on.
    public var port: UInt16 { server.port }
    /// The address of the page for people.
    public let address: String

    /// Reads the page's files and begins to listen.
    ///
    /// - Parameters:
    ///   - ended: the sessions that ended early in former runs, as `takeEndedSessions` gave them.
    ///   - sites: the other sites that it shows; nil for none.
    ///   - wake: wakes the fuser because requests, or ended sessions, wait; must not block.
    public convenience init(
        _ settings: PageSettings, ended: [EndedSessionChange], sites: (any SitesDirectory)? = nil,
        wake: @escaping @Sendable () -> Void
    ) throws(PageError) {
        try self.init(
            settings, host: settings.listen.host, port: settings.listen.port, limits: HTTPLimits(), board: Board(),
            ended: ended, sites: sites, wake: wake)
    }

    init(
        _ settings: PageSettings, host: String, port: UInt16, limits: HTTPLimits, board: Board,
        ended: [EndedSessionChange] = [], sites: (any SitesDirectory)? = nil, rounds: Int = SessionKey.rounds,
        wake: @escaping @Sendable () -> Void
    ) throws(PageError) {
        self.board = board
        requests = PageRequests(wake: wake)
        sessions = Sessions(SessionKey(settings.tokens, rounds: rounds), ended: ended, wake: wake)
        let certificate = try Self.certificate(settings)
        gatekeeper = Gatekeeper(tokens: settings.tokens, ingress: Set(settings.ingress), sessions: sessions)
        let core = PageCore(board, gatekeeper, requests, plans, sites: sites, isSecure: certificate != nil)
        let handler = PageHandler(
            router: Router(page: core), files: try SiteFiles(folder: settings.files),
            prefix: settings.prefix.split(separator: "/").map(String.init))
        do throws(WebError) {
            server = try HTTPServer(host: host, port: port, certificate: certificate, limits: limits, handler: handler)
        } catch {
            throw PageError("\(error)")
        }
        let name = host.contains(":") ? "[\(host)]" : host
        address = "\(certificate == nil ? "http" : "https")://\(name):\(server.port)\(settings.prefix)/"
    }

    /// Replaces the tokens, which ends all sessions and streams. Blocks for some 0.1 s.
    public func use(_ tokens: [WebToken]) {
        sessions.use(SessionKey(tokens))
        gatekeeper.use(tokens)
    }

    /// Throws the faults of the files that a page needs. Reads them, and does not listen.
    public static func validateFiles(_ settings: PageSettings) throws(ConfigurationFaults) {
        do throws(PageError) {
            _ = try certificate(settings)
            _ = try SiteFiles(folder: settings.files)
        } catch {
            throw ConfigurationFaults([ConfigurationFault(ConfigurationPosition(outside: "web"), error.description)])
        }
    }

    /// Lets viewers see what has changed on the board.
    public func showChanges() { server.wakeStreams() }

    /// The changes of the table of sessions that ended early, since the last call; the fuser stores them.
    public func takeEndedSessions() -> [EndedSessionChange] { sessions.takeChanges() }
    /// All of that table, for a store that has lost it.
    public var endedSessions: [EndedSessionChange] { sessions.endedSessions }

    /// Ends all connections. Blocks for a moment.
    public func stop() {
        requests.close()
        server.stop()
    }

    private static func certificate(_ settings: PageSettings) throws(PageError) -> ServerCertificate? {
        guard let files = settings.certificate else { return nil }
        do throws(SystemError) {
            let chain = try WholeFile.read(files.chain, bound: SecretFile.bound)
            let key = try WholeFile.read(files.key.path, bound: SecretFile.bound)
            return ServerCertificate(chain: chain, key: key)
        } catch {
            throw PageError("\(error)")
        }
    }
}
