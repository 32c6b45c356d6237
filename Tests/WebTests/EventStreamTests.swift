import Glibc
import Support
import Synchronization
import Testing
import Web

/// Streams are pulled by their connections, so that a slow reader costs nobody anything.
@Suite(.inTurn) struct EventStreamTests {
    private static let request = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func server(
        _ handler: TestHandler, _ change: (inout HTTPLimits) -> Void = { _ in }
    ) throws -> HTTPServer {
        var limits = HTTPLimits()
        limits.streamPause = .milliseconds(10)
        change(&limits)
        return try HTTPServer(host: "127.0.0.1", port: 0, limits: limits, handler: handler)
    }

    @Test func sendsEventsThatAnotherThreadHas() throws {
        let handler = TestHandler()
        let server = try Self.server(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.request)
        #expect(client.receive(until: "\r\n\r\n").contains("Content-Type: text/event-stream"))
        for number in 1...3 {
            inBackground {
                handler.source.add("\(number)")
                server.wakeStreams()
            }
            #expect(client.receive(until: "data: \(number)\n\n").contains("data: \(number)\n\n"))
        }
        // It ends by itself, too.
        handler.source.state.withLock { $0.isOver = true }
        #expect(waitUntil(3) { handler.source.state.withLock { $0.ended == 1 } })
    }

    @Test func findsALostClientByItsPing() throws {
        let handler = TestHandler()
        let server = try Self.server(handler) { $0.ping = .milliseconds(300) }
        do {
            let client = try RawClient(port: server.port)
            client.send(Self.request)
            #expect(client.receive(until: ": ping").contains(": ping"))
        }
        #expect(waitUntil(5) { handler.source.state.withLock { $0.ended == 1 } })
    }

    @Test func asksForNoMoreThanIsTaken() throws {
        let handler = TestHandler()
        let server = try Self.server(handler) { $0.idle = .seconds(2) }
        handler.source.state.withLock { $0.fills = true }
        let slow = try RawClient(port: server.port, receiveBuffer: 4096)
        slow.send(Self.request)
        _ = slow.receive(until: "\r\n\r\n")
        usleep(500_000)
        let asked = handler.source.state.withLock { $0.asked }
        for _ in 0..<20 {
            server.wakeStreams()
            usleep(10_000)
        }
        // The kernel's buffers take some megabytes; beyond them nothing is asked for.
        #expect(handler.source.state.withLock { $0.asked } == asked)
        #expect(asked < 200)
        #expect(waitUntil(6) { handler.source.state.withLock { $0.ended == 1 } }, "A stalled stream isn't closed.")
    }

    @Test func boundsStreams() throws {
        let handler = TestHandler()
        let server = try Self.server(handler) { $0.streams = 2 }
        let held = try (0..<2).map { _ in
            let client = try RawClient(port: server.port)
            client.send(Self.request)
            _ = client.receive(until: "\r\n\r\n")
            return client
        }
        let third = try RawClient(port: server.port)
        third.send(Self.request)
        #expect(third.receive(until: "already").contains(" 503 "))
        withExtendedLifetime(held) {}
    }

    @Test func leavesNoThreadAndNoDescriptor() throws {
        func descriptors() -> Int { (0..<4096).count { fcntl($0, F_GETFD) >= 0 } }
        func threads() -> Int {
            guard let folder = opendir("/proc/self/task") else { return 0 }
            defer { closedir(folder) }
            var count = 0
            while let entry = readdir(folder) { count += entry.pointee.d_name.0 == 0x2E ? 0 : 1 }
            return count
        }
        // Other tests open and close beside this one, so that a single comparison says nothing.
        let (descriptorsBefore, threadsBefore) = (descriptors(), threads())
        for _ in 0..<60 {
            let handler = TestHandler()
            let server = try Self.server(handler)
            let clients = try (0..<6).map { _ in try RawClient(port: server.port) }
            clients[0].send(Self.request)
            clients[1].send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
            clients[2].send("GET / HTTP/1.1\r\n")
            clients[3].send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            clients[4].send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            _ = clients[0].receive(until: "\r\n\r\n")
            #expect(waitUntil(3) { handler.requests.withLock { $0.count == 3 } })
            server.stop()
            server.stop()
            #expect(clients.allSatisfy { $0.isClosed(within: 3) })
            #expect(handler.source.state.withLock { $0.ended == 1 })
        }
        #expect(waitUntil(5) { descriptors() < descriptorsBefore + 60 && threads() < threadsBefore + 30 })
    }
}
