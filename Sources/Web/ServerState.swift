internal import Bytes
internal import CMicroHTTPD
internal import Glibc

/// The connections and exchanges of a server, on its thread.
final class ServerState {
    private let handler: any HTTPHandler
    private let limits: HTTPLimits
    private let mailbox: Mailbox
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var exchanges: [UInt64: HTTPExchange] = [:]
    private var streams = 0
    private var lastNumber: UInt64 = 0
    private var isEnding = false
    private var hasClosed = false

    private static let endRefusal = HTTPRefusal(503, "The server is ending.")

    init(_ handler: any HTTPHandler, _ limits: HTTPLimits, _ mailbox: Mailbox) {
        self.handler = handler
        self.limits = limits
        self.mailbox = mailbox
    }

    /// True if there is a connection, whose time must be watched.
    var isBusy: Bool { !connections.isEmpty }

    // MARK: Connections

    func open(socket: Int32) -> HTTPConnection {
        let connection = HTTPConnection(socket: socket, since: .now)
        connections[ObjectIdentifier(connection)] = connection
        return connection
    }

    func close(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        hasClosed = true
    }

    /// True if a connection was closed since the last call.
    func takeClosed() -> Bool {
        defer { hasClosed = false }
        return hasClosed
    }

    // MARK: Exchanges

    /// Begins an exchange, when the first line of its request was read.
    func begin(_ target: [UInt8], handle: OpaquePointer, _ connection: HTTPConnection) -> HTTPExchange {
        lastNumber += 1
        let exchange = unsafe HTTPExchange(lastNumber, handle: handle, connection: connection, target: target)
        exchanges[exchange.number] = exchange
        connection.exchange = exchange
        return exchange
    }

    /// Takes the next step of an exchange; false if the connection must be closed.
    func process(_ exchange: HTTPExchange, method: String, piece: [UInt8]) -> Bool {
        switch exchange.phase {
        case .head: return receiveHead(exchange, method: method)
        case .body(var request):
            guard !piece.isEmpty else { return answer(request, exchange) }
            guard request.body.count + piece.count <= exchange.bodyBytes else { return false }
            // The phase gives up its copy, so that the body grows in place.
            exchange.phase = .head
            request.body += piece
            exchange.phase = .body(request)
            return true
        case .ready(let response):
            exchange.phase = .answered
            return unsafe ResponseHandle.queue(response, closing: isEnding, on: exchange.handle)
        case .waiting, .delayed, .answered, .streaming: return false
        }
    }

    /// Ends an exchange, whether its answer was sent or not.
    func end(_ exchange: HTTPExchange) {
        exchanges[exchange.number] = nil
        exchange.connection.exchange = nil
        exchange.connection.since = .now
        guard case .streaming(let reader) = exchange.phase else { return }
        streams -= 1
        reader.close()
    }

    private func receiveHead(_ exchange: HTTPExchange, method: String) -> Bool {
        do throws(HTTPRefusal) {
            guard !isEnding else { throw Self.endRefusal }
            let head = try RequestHead(
                method: method, target: exchange.target, fields: unsafe RequestFields.read(exchange.handle), limits)
            let peer = unsafe RequestFields.peer(exchange.handle)
            let request = HTTPRequest(head.method, head.target, headers: head.headers, peer: peer)
            guard head.bodyLength <= limits.bodyBytes || handler.takesLargeBody(request) else {
                throw RequestHead.tooLarge(limits)
            }
            exchange.bodyBytes = head.bodyLength
            exchange.phase = .body(request)
            return true
        } catch {
            return refuse(exchange, error)
        }
    }

    private func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) -> Bool {
        // The library may not be stopped while a connection is suspended.
        guard !isEnding else { return refuse(exchange, Self.endRefusal) }
        switch handler.answer(request) {
        case .now(let response):
            exchange.phase = .answered
            return unsafe ResponseHandle.queue(response, closing: false, on: exchange.handle)
        case .delayed(let response, let time):
            exchange.phase = .delayed(response, until: .now + time)
            unsafe MHD_suspend_connection(exchange.handle)
            return true
        case .later(let deferred): return wait(for: deferred, exchange)
        case .stream(let stream): return start(stream, exchange)
        }
    }

    private func refuse(_ exchange: HTTPExchange, _ refusal: HTTPRefusal) -> Bool {
        exchange.phase = .answered
        return unsafe ResponseHandle.queue(handler.refuse(refusal), closing: true, on: exchange.handle)
    }

    private func wait(for deferred: DeferredAnswer, _ exchange: HTTPExchange) -> Bool {
        let (mailbox, number) = (mailbox, exchange.number)
        if let response = deferred.take(orAwait: { mailbox.post(answered: number) }) {
            exchange.phase = .answered
            return unsafe ResponseHandle.queue(response, closing: false, on: exchange.handle)
        }
        exchange.phase = .waiting(deferred, since: .now)
        unsafe MHD_suspend_connection(exchange.handle)
        return true
    }

    private func start(_ stream: EventStream, _ exchange: HTTPExchange) -> Bool {
        guard streams < limits.streams else {
            stream.source.ended()
            return refuse(
                exchange, HTTPRefusal(503, "There are \(limits.streams) event streams already. Close one."))
        }
        let reader = StreamReader(stream.source, limits, at: .now)
        streams += 1
        exchange.phase = .streaming(reader)
        return unsafe ResponseHandle.queue(
            StreamSending(reader, on: exchange.handle), headers: stream.headers, on: exchange.handle)
    }

    // MARK: The thread's calls

    /// Resumes the connections whose deferred answers are there.
    func resumeAnswered(_ numbers: [UInt64]) {
        for number in numbers {
            guard let exchange = exchanges[number], case .waiting(let deferred, _) = exchange.phase,
                let response = deferred.take(orAwait: {})
            else { continue }
            resume(exchange, with: response)
        }
    }

    /// Resumes the streams, so that they ask their sources; those alone that are over, or due for a ping, if nobody woke them.
    func resumeStreams(areWoken: Bool) {
        let now = MonotonicTime.now
        for exchange in exchanges.values {
            guard case .streaming(let reader) = exchange.phase, reader.isSuspended,
                areWoken || reader.isDue(at: now)
            else { continue }
            reader.isSuspended = false
            unsafe MHD_resume_connection(exchange.handle)
        }
    }

    /// Ends what takes longer than its limit.
    func enforceTimes() {
        let now = MonotonicTime.now
        for connection in connections.values {
            switch connection.exchange?.phase {
            case .waiting(_, let since):
                guard now - since > limits.answer, let exchange = connection.exchange else { continue }
                resume(exchange, with: handler.refuse(HTTPRefusal(504, "The answer takes too long. Try again.")))
            case .delayed(let response, let moment):
                if now >= moment, let exchange = connection.exchange { resume(exchange, with: response) }
            case .streaming: break
            case .head, nil: close(connection, after: isCrowded ? limits.headWhenCrowded : limits.request, at: now)
            case .body, .ready, .answered: close(connection, after: limits.request, at: now)
            }
        }
    }

    private var isCrowded: Bool { connections.count > limits.connections * 3 / 4 }

    /// Closes a connection whose time is over: the library finds it closed, and ends it.
    private func close(_ connection: HTTPConnection, after limit: Duration, at now: MonotonicTime) {
        if now - connection.since > limit { _ = shutdown(connection.socket, Int32(SHUT_RDWR)) }
    }

    /// Resumes every connection, so that the daemon may be stopped.
    func resumeAll() {
        isEnding = true
        for exchange in exchanges.values {
            switch exchange.phase {
            case .waiting, .delayed: resume(exchange, with: handler.refuse(Self.endRefusal))
            case .streaming(let reader): reader.isEnding = true
            case .head, .body, .ready, .answered: break
            }
        }
        resumeStreams(areWoken: true)
    }

    private func resume(_ exchange: HTTPExchange, with response: HTTPResponse) {
        exchange.phase = .ready(response)
        unsafe MHD_resume_connection(exchange.handle)
    }
}
