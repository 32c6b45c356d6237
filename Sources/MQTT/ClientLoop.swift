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

    /// The time in seconds after which a connection resets the pauses; a shorter one may be caused by two clients with
    /// one id.
    static let stableAfter = 5.0

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
            pause(seconds: backoff.next(using: &generator))
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
            if began.advanced(bySeconds: Self.stableAfter) < .now { backoff.reset() }
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

    /// True for a reason code that rejects MQTT 5, or a CONNACK of another version, which libmosquitto reports as
    /// malformed.
    private static func refusesVersion5(_ error: MQTTError) -> Bool {
        error.function == "CONNACK" ? [0x81, 0x84].contains(error.code) : error.isMalformedPacket
    }

    // MARK: Connecting

    private func establish(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion
    ) -> Result<Connection, MQTTError> {
        do throws(MQTTError) {
            let (connection, family, failure) = try attempt(configuration, version, .systemOrder)
            if let connection { return .success(connection) }
            guard let failure, let family, failure.function == "connect", !configuration.address.isNumeric else {
                return .failure(failure ?? Self.stopped)
            }
            // The host may be reachable at its other addresses; an error that it has none would add nothing.
            let otherFamily: Connection.Family = family == AF_INET6 ? .v4 : .v6
            let second = try? attempt(configuration, version, otherFamily)
            if let connection = second?.connection { return .success(connection) }
            guard outbox.stopRequest == nil else { return .failure(Self.stopped) }
            // The refusal of an address that answers says more than the silence of one that doesn't.
            if let refusal = second?.failure, refusal.function != "connect" { return .failure(refusal) }
            return .failure(failure)
        } catch {
            guard error.function == "connect", !configuration.address.isNumeric else { return .failure(error) }
            return establishByFamily(configuration, version, after: error)
        }
    }

    /// Tries the addresses of each family, after one that refused at once: libmosquitto has closed its socket, so that its
    /// family is not known any more.
    private func establishByFamily(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion, after error: MQTTError
    ) -> Result<Connection, MQTTError> {
        var refusal: MQTTError?
        for family in [Connection.Family.v4, .v6] {
            guard outbox.stopRequest == nil else { return .failure(Self.stopped) }
            guard let (connection, _, failure) = try? attempt(configuration, version, family) else { continue }
            if let connection { return .success(connection) }
            if let failure, failure.function != "connect" { refusal = refusal ?? failure }
        }
        return .failure(refusal ?? error)
    }

    /// Connects to one address; the result has a connection that the broker accepted, or the reason why there is none.
    private func attempt(
        _ configuration: MQTTConfiguration, _ version: ProtocolVersion, _ family: Connection.Family
    ) throws(MQTTError) -> (connection: Connection?, family: Int32?, failure: MQTTError?) {
        let connection = try Connection(configuration, version: version, inbox: inbox)
        do throws(MQTTError) {
            try connection.open(family)
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

    private func pause(seconds: Double) {
        let end = MonotonicTime.now.advanced(bySeconds: seconds)
        while outbox.stopRequest == nil {
            let left = end.milliseconds(from: .now)
            guard left > 0 else { return }
            _ = outbox.wait(socket: -1, writing: false, milliseconds: left)
        }
    }
}

extension MQTTError {
    /// True if libmosquitto reports a packet that violates the protocol version in use.
    fileprivate var isMalformedPacket: Bool { function == "mosquitto_loop_read" && (code == 2 || code == 21) }
}

extension BrokerAddress {
    /// True if the host is an address and not a name.
    fileprivate var isNumeric: Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }
}
