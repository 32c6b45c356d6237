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

    private func establish(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion
    ) -> Result<Connection, MQTTError> {
        var first: (connection: Connection?, family: Int32?, failure: MQTTError?)
        do throws(MQTTError) {
            first = try attemptConnection(configuration, version, .systemOrder)
        } catch {
            first = (nil, nil, error)
        }
        if let connection = first.connection { return .success(connection) }
        guard let failure = first.failure, failure.function == "connect", !configuration.address.isNumeric else {
            return .failure(first.failure ?? Self.stopped)
        }
        // The host may be reachable at its other addresses. The family of one that refused at once is not known any more:
        // libmosquitto has closed its socket.
        let families = [(AF_INET, Connection.Family.v4), (AF_INET6, .v6)].filter { $0.0 != first.family }.map(\.1)
        var refusal: MQTTError?
        for family in families {
            guard outbox.stopRequest == nil else { return .failure(Self.stopped) }
            // An error that there is no such address would add nothing.
            guard let next = try? attemptConnection(configuration, version, family) else { continue }
            if let connection = next.connection { return .success(connection) }
            // The refusal of an address that answers says more than the silence of one that does not.
            if let failure = next.failure, failure.function != "connect" { refusal = refusal ?? failure }
        }
        return .failure(outbox.stopRequest == nil ? refusal ?? failure : Self.stopped)
    }

    /// Connects to one address; the result has a connection that the broker accepted, or the reason why there is none.
    private func attemptConnection(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion, _ family: Connection.Family
    ) throws(MQTTError) -> (connection: Connection?, family: Int32?, failure: MQTTError?) {
        let connection = try Connection(configuration, version: version, inbox: inbox)
        do throws(MQTTError) {
            try connection.startConnecting(family)
        } catch {
            // The handshake may begin, and fail, at once.
            throw error.isHandshake ? connection.explained(error) : error
        }
        let actual = connection.family
        do throws(MQTTError) {
            return try awaitAcceptance(of: connection) ? (connection, actual, nil) : (nil, actual, nil)
        } catch {
            return (nil, actual, error)
        }
    }

    /// Waits for a CONNACK that accepts the connection. Returns false if it is stopped meanwhile.
    private func awaitAcceptance(of connection: Connection) throws(MQTTError) -> Bool {
        let deadline = MonotonicTime.now.advanced(bySeconds: configuration.connectTimeout)
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

extension BrokerAddress {
    /// True if the host is an address and not a name.
    fileprivate var isNumeric: Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }
}
