import MQTT
import WireProtocol
import Support

@testable import BrokerSession
import Configuration
import System

/// A session with a broker that speaks TLS, and what became of it.
final class TLSPeer {
    let session: Session
    /// Objects with the same lifetime, such as the broker.
    private let house: TLSHouse?
    private var refused: (words: String, cause: MQTTError.Cause)?
    private(set) var connections = 0
    private(set) var messages: [Message] = []

    /// - Parameter host: what the URL names; the broker listens on 127.0.0.1.
    init(
        port: UInt16, scheme: String = "mqtts", host: String = "127.0.0.1", of house: TLSHouse? = nil,
        _ adjust: (inout MQTTSettings) -> Void = { _ in }
    ) throws {
        self.house = house
        var settings = MQTTSettings(url: try BrokerURL("\(scheme)://\(host):\(port)"))
        adjust(&settings)
        session = try Session(
            settings, clientID: "guest", statusTopic: nil, log: Log(level: .error, style: .plain, descriptor: -1))
        try session.start()
    }

    deinit {
        session.stop(timeout: 0)
    }

    /// The first reason for which there is no connection, and its mend; `connected` where there is one.
    func outcome(within seconds: Double = 20) -> String {
        _ = waitUntil(seconds) {
            receive()
            return refused != nil || connections > 0
        }
        guard let refused else { return connections > 0 ? "connected" : "nothing" }
        if case .security(let mend?) = refused.cause { return "\(refused.words) | \(mend)" }
        return "\(refused.words) | \(refused.cause)"
    }

    /// True if it connects this many times in all. Attempts may be a minute apart.
    func connects(_ times: Int, within seconds: Double = 90) -> Bool {
        waitUntil(seconds) {
            receive()
            return connections >= times
        }
    }

    /// Takes what waits.
    func receive() {
        session.receive { notice in
            switch notice {
            case .connected: connections += 1
            case .message(let message): messages.append(message)
            case .trouble(.unreachable(let words, let cause)): refused = refused ?? (words, cause)
            default: break
            }
        }
    }
}

/// The files of a broker and its clients.
final class TLSHouse {
    let broker: Broker
    let authority: TestAuthority
    var folder: String { broker.folder }

    /// A broker that shows `server.pem`; `more` are further lines of its configuration.
    init(
        hosts: String = "IP:127.0.0.1", days: ClosedRange<Double> = -1...365, _ more: [String] = [],
        started: Bool = true
    ) throws {
        broker = try Broker(["certfile %d/server.pem", "keyfile %d/server.key"] + more, started: false)
        authority = try TestAuthority("authority", in: broker.folder)
        try authority.issue("server", hosts: hosts, days: days)
        if started { try broker.start() }
    }

    /// A guest that trusts this house's authority.
    func guest(host: String = "127.0.0.1", _ adjust: (inout TLSSettings) -> Void = { _ in }) throws -> TLSPeer {
        try TLSPeer(port: broker.port, host: host, of: self) {
            $0.tls.authoritiesFile = authority.certificate
            adjust(&$0.tls)
        }
    }
}
