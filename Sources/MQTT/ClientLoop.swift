internal import Bytes
internal import Glibc

/// The work of the client's thread: connect, serve, pause, and repeat, until it is stopped.
final class ClientLoop: @unchecked Sendable {
    // Passed to one thread, and used by no other from then on.
    let configuration: MQTTConfiguration
    let inbox: Inbox
    let outbox: Outbox
    private var backoff: Backoff
    private var brokers: BrokerRound
    private var denied = DeniedSubscriptions()
    private var generator = SystemRandomNumberGenerator()

    init(_ configuration: MQTTConfiguration, inbox: Inbox, outbox: Outbox) {
        self.configuration = configuration
        self.inbox = inbox
        self.outbox = outbox
        backoff = configuration.backoff
        brokers = BrokerRound([configuration.address] + configuration.others)
    }

    func run() {
        while outbox.stopRequest == nil {
            guard connectAndServe() else { continue }
            pauseLoop(seconds: backoff.next(using: &generator))
        }
        outbox.endRunning()
    }

    /// One attempt, and the connection that results. Returns true to pause before the next one.
    private func connectAndServe() -> Bool {
        if let address = brokers.takeTurn() { inbox.deliver(.turnedTo(address)) }
        var configuration = configuration
        configuration.address = brokers.address
        let version = brokers.version(at: .now)
        switch establish(configuration, version) {
        case .success(let connection):
            let began = MonotonicTime.now
            brokers.succeeded()
            var session = ConnectionSession(connection, configuration, inbox: inbox, outbox: outbox, denied: denied)
            let reason = session.run()
            denied = session.denied
            outbox.disconnected(unacknowledged: session.unacknowledged)
            if let reason { inbox.deliver(.disconnected(reason)) }
            backoff.recordEnd(afterSeconds: (MonotonicTime.now - began).seconds)
            return true
        case .failure(let error) where error == Self.stopped:
            return false
        case .failure(let error):
            if version == .v5 && Self.refusesVersion5(error) {
                if brokers.fallBack(at: .now) { inbox.deliver(.spokeOlderProtocol(error)) }
                return false
            }
            let (isNew, isRoundOver) = brokers.failed(error)
            if isNew { inbox.deliver(.connectFailed(error)) }
            return isRoundOver
        }
    }

    static let stopped = MQTTError(function: "stop", code: 0, words: "stopped")

    /// True for a reason code that rejects MQTT 5, among them that of an older version's CONNACK.
    private static func refusesVersion5(_ error: MQTTError) -> Bool {
        error.function == "CONNACK" && [0x81, MQTTError.unsupportedVersion.code].contains(error.code)
    }

    // MARK: Connecting

    /// Tries the addresses of a host in turn, until one answers with CONNACK. They share the time for reaching the
    /// host, and one that is followed by another has half the time until its answer.
    private func establish(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion
    ) -> Result<Connection, MQTTError> {
        do throws(MQTTError) {
            let addresses = try configuration.lookUp(configuration.address.host)
            var failure: MQTTError?
            for address in addresses {
                guard outbox.stopRequest == nil else { throw Self.stopped }
                do throws(MQTTError) {
                    return .success(
                        try connect(
                            configuration, version, to: address,
                            reachedWithin: configuration.connectTimeout / Double(addresses.count),
                            answeredWithin: configuration.connectTimeout / (address == addresses.last ? 1 : 2)))
                } catch {
                    guard error.function != "CONNACK", error != Self.stopped else { throw error }
                    // The failure of an address that was reached is the more exact one.
                    if failure == nil || (failure?.function == "connect" && error.function != "connect") {
                        failure = error
                    }
                }
            }
            throw failure ?? MQTTError(systemCall: "connect", EADDRNOTAVAIL)
        } catch {
            return .failure(error)
        }
    }

    /// Connects to one address; throws `stopped` if it is stopped meanwhile.
    private func connect(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion, to address: String,
        reachedWithin reaching: Double, answeredWithin answering: Double
    ) throws(MQTTError) -> Connection {
        let connection = try Connection(configuration, version: version, inbox: inbox)
        do throws(MQTTError) {
            try connection.startConnecting(to: address)
        } catch {
            // The handshake may begin, and fail, at once.
            throw error.isHandshake ? connection.explained(error) : error
        }
        guard try awaitAcceptance(of: connection, reachedWithin: reaching, answeredWithin: answering) else {
            throw Self.stopped
        }
        return connection
    }

    /// Waits for a CONNACK that accepts the connection. Returns false if it is stopped meanwhile.
    private func awaitAcceptance(
        of connection: Connection, reachedWithin reaching: Double, answeredWithin answering: Double
    ) throws(MQTTError) -> Bool {
        let begin = MonotonicTime.now
        var deadline = begin.advanced(bySeconds: reaching)
        var reached = false
        while true {
            if outbox.stopRequest != nil { return false }
            let now = MonotonicTime.now
            guard now < deadline else { throw MQTTError(systemCall: reached ? "CONNECT" : "connect", ETIMEDOUT) }
            // In the TLS handshake the library always wants to write; its output always fits the socket.
            let writing = !reached || (brokers.address.scheme == .mqtt && connection.wantsWrite)
            let ready = outbox.wait(
                socket: connection.socket, writing: writing, milliseconds: deadline.milliseconds(from: now))
            guard ready.socket != 0 else { continue }
            if !reached {
                if let error = connection.takeSocketError() {
                    // Reset: the broker was reached, and closed at the first packet.
                    throw error.isHandshake ? connection.explained(error) : error
                }
                reached = ready.socket & Int16(POLLOUT) != 0
                if reached { deadline = begin.advanced(bySeconds: answering) }
            }
            do throws(MQTTError) {
                try connection.read()
                try connection.write()
            } catch {
                // One read may give a CONNACK and the end of that connection, which its session reports.
                if connection.callbacks.connack?.reason == 0 { return true }
                throw refusal(by: connection) ?? connection.explained(error)
            }
            if let error = refusal(by: connection) { throw error }
            if connection.callbacks.connack != nil { return true }
            if ready.socket & Int16(POLLERR | POLLHUP) != 0 {
                throw connection.explained(
                    connection.takeSocketError() ?? MQTTError(systemCall: "CONNECT", ECONNRESET))
            }
        }
    }

    private func refusal(by connection: Connection) -> MQTTError? {
        guard let reason = connection.callbacks.connack?.reason, reason != 0 else { return nil }
        return MQTTError(packet: "CONNACK", reason: reason, version: connection.version)
    }

    // MARK: Waiting

    private func pauseLoop(seconds: Double) {
        let end = MonotonicTime.now.advanced(bySeconds: seconds)
        while outbox.stopRequest == nil {
            let left = end.milliseconds(from: .now)
            guard left > 0 else { return }
            _ = outbox.wait(socket: -1, writing: false, milliseconds: left)
        }
    }
}
