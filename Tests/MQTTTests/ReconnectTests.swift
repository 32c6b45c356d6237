import Glibc
import WireProtocol
import Support
import Testing

@testable import MQTT

@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct ReconnectTests {
    @Test func aBrokerThatComesLateIsFound() throws {
        let broker = try Broker(started: false)
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.wait { $0.changes == ["failed"] })
        #expect(watcher.errors.first?.description == "connect: Connection refused (111)")
        #expect(watcher.client.publish(Message(topic: "t", text: "sample")) == .droppedDisconnected)
        #expect(watcher.client.publish(Message(topic: "t", text: "kept", qos: .atLeastOnce)) == .queued)
        #expect(watcher.client.unsent == 1)
        // Several attempts fail in the meantime, of which nothing new is told.
        let attempts = watcher.client.statistics.wakeups
        #expect(waitUntil(10) { watcher.client.statistics.wakeups > attempts + 10 })
        try broker.start()
        #expect(watcher.wait { $0.texts("t") == ["kept"] })
        #expect(watcher.changes == ["failed", "connected"])
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 10))
        #expect(watcher.client.statistics.droppedDisconnected == 1)
    }

    @Test func aConnectionIsMadeAnewOnRequestWithItsSubscriptionsAndWithoutTheWill() throws {
        let broker = try Broker()
        let other = try Watcher(broker, id: "other", subscribing: [Subscription("+/status", qos: .atLeastOnce)])
        #expect(other.waitConnected())
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)]) {
            $0.will = Message(topic: "a/status", text: "offline", qos: .atLeastOnce)
        }
        #expect(watcher.waitConnected())
        watcher.client.renewConnection(for: "nothing arrives")
        #expect(watcher.wait { $0.changes == ["connected", "disconnected", "connected"] })
        #expect(watcher.errors.last?.words == "nothing arrives")
        other.client.publish(Message(topic: "t", text: "after", qos: .atLeastOnce))
        #expect(watcher.wait { $0.texts("t") == ["after"] })
        #expect(other.texts("a/status") == [])
    }

    @Test func aKilledBrokerIsFoundAgainWithSubscriptionsAndRetainedState() throws {
        let broker = try Broker(persistence: true)
        let watcher = try Watcher(
            broker, id: "a", subscribing: [Subscription("state"), Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        watcher.client.publish(Message(topic: "state", text: "kept", qos: .atLeastOnce, retained: true))
        #expect(watcher.wait { $0.texts("state") == ["kept"] })
        for _ in 0..<2 {
            // The store is written a moment after the change.
            #expect(waitUntil(10) { readFile("\(broker.folder)/mosquitto.db")?.contains("kept") == true })
            watcher.forget()
            broker.kill()
            #expect(watcher.wait { $0.changes.first == "disconnected" })
            #expect(watcher.client.publish(Message(topic: "t", text: "event", qos: .atLeastOnce)) == .queued)
            try broker.start()
            // With QoS 1 it may come twice.
            #expect(
                watcher.wait { $0.texts("state") == ["kept"] && Set($0.texts("t")) == ["event"] },
                "\(watcher.events) \(broker.log)")
            #expect(watcher.messages.first { $0.topic == "state" }?.retained == true)
            let changes = watcher.changes
            #expect(changes == ["disconnected", "connected"] || changes == ["disconnected", "failed", "connected"])
        }
        #expect(watcher.client.statistics.connections == 3)
    }

    @Test func whatIsDroppedWhileTheBrokerIsAwayIsCounted() throws {
        let broker = try Broker(started: false)
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)]) {
            $0.outgoing = MQTTConfiguration.Bound(messages: 10, bytes: 1000)
        }
        for _ in 0..<5 { watcher.client.publish(Message(topic: "t", text: "sample")) }
        for number in 0..<15 { watcher.client.publish(Message(topic: "t", text: "\(number)", qos: .atLeastOnce)) }
        let statistics = watcher.client.statistics
        #expect(statistics.droppedDisconnected == 5 && statistics.droppedFull == 5 && statistics.dropped == 10)
        #expect(
            watcher.client.publish(topic: "t", payload: [UInt8](repeating: 0, count: 1000), qos: .atLeastOnce)
                == .droppedFull)
        #expect(watcher.client.unsent == 10)
        try broker.start()
        #expect(watcher.wait { $0.texts("t") == (0..<10).map { "\($0)" } })
    }

    @Test func eventsInFlightSurviveAKillInOrder() throws {
        let broker = try Broker(["max_queued_messages 0"])
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        for number in 0..<2000 {
            watcher.client.publish(Message(topic: "t", text: "\(number)", qos: .atLeastOnce))
            if number == 1000 { broker.kill() }
        }
        try broker.start()
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 20))
        #expect(watcher.client.statistics.dropped == 0)
        // Acknowledged before the kill is not delivered; what came is in order but for repetitions.
        #expect(watcher.wait { $0.texts("t").last == "1999" })
        let numbers = watcher.texts("t").compactMap { Int($0) }
        var highest = -1
        for number in numbers {
            #expect(number <= highest + 1 || highest < 1001)
            highest = max(highest, number)
        }
    }

    @Test func reconnectingForLongKeepsMemoryAndDescriptors() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let output = folder.file("usage")
        let child = try ChildProcess(
            Execution.path(of: "Reconnector"), ["\(broker.port)", "same"], output: output)
        defer { child.send(SIGKILL) }
        // Connections, resident pages and open descriptors of the child.
        func usage() -> [[Int]] {
            (readFile(output) ?? "").split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        }
        // A second client takes the id over, and the child takes it back.
        while child.isRunning, usage().count < 8 {
            let rival = try Watcher(broker, id: "same") { $0.backoff = Backoff(first: 60, maximum: 60) }
            #expect(rival.wait { $0.changes.contains("disconnected") })
            rival.client.abandon()
        }
        let rows = usage()
        // The first row may be of a program that still loads.
        let first = try #require(rows.dropFirst().first), last = try #require(rows.last)
        #expect(last[0] - first[0] >= 300)
        #expect(last[1] - first[1] < 100, "a page or more in three connections: \(rows)")
        // A connection has a socket, and the library's pair of them: a row between two connections shows three fewer.
        let early = try #require(rows.prefix(4).map { $0[2] }.max()),
            late = try #require(rows.suffix(4).map { $0[2] }.max())
        #expect(late <= early + 1, "descriptors are left open: \(rows)")
    }

    @Test func theNumberOfOpenDescriptorsDoesNotMatter() throws {
        // select(2) would fail, or worse, for descriptors of 1024 and above.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let before = limit
        limit.rlim_cur = min(limit.rlim_max, 4096)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var held: [Int32] = []
        func fill() {
            while let last = Optional(dup(0)), last >= 0 {
                held.append(last)
                if last >= 1100 { break }
            }
        }
        fill()
        defer {
            for descriptor in held { close(descriptor) }
            var limit = before
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard held.last ?? 0 >= 1100 else { return }
        let broker = try Broker()
        var watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t")])
        // Other tests close descriptors of this process meanwhile, and the client takes the lowest that is free.
        for _ in 0..<100 where watcher.client.inboxDescriptor < 1024 {
            fill()
            watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t")])
        }
        #expect(watcher.client.inboxDescriptor >= 1024)
        #expect(watcher.waitConnected())
        #expect(watcher.waitRoundTrip("t"))
    }

    @Test func anIdleClientSleeps() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t")])
        #expect(watcher.waitRoundTrip("t", qos: .atLeastOnce) || watcher.waitRoundTrip("t"))
        // The acknowledgement of the received message may still be under way.
        let sleeps = waitUntil(10) {
            let before = watcher.client.statistics.wakeups
            usleep(1_000_000)
            return watcher.client.statistics.wakeups - before <= 2
        }
        #expect(sleeps)
        broker.kill()
        #expect(watcher.wait { $0.changes.last != "connected" })
        let away = watcher.client.statistics.wakeups
        usleep(1_000_000)
        // Pauses of at most 0.2 s, at random, and a few turns for each attempt.
        #expect(watcher.client.statistics.wakeups - away <= 100)
    }

    /// Far less than what a stop may wait for a broker that is there; it takes thousandths.
    private static let quick = Duration.seconds(2)

    @Test func aStopIsQuickWhileTheBrokerIsAway() throws {
        let broker = try Broker(started: false)
        for backoff in [Backoff(first: 0.01, maximum: 0.01), Backoff(first: 60, maximum: 60)] {
            let watcher = try Watcher(broker, id: "a") { $0.backoff = backoff }
            #expect(watcher.wait { $0.changes == ["failed"] })
            watcher.client.publish(Message(topic: "t", text: "event", qos: .atLeastOnce))
            let took = ContinuousClock().measure { watcher.client.stop(timeout: 5) }
            #expect(took < Self.quick)
            #expect(watcher.client.statistics.droppedAtStop == 1)
            watcher.client.stop(timeout: 5)
        }
        // An address where nobody answers, not even with a refusal.
        let silent = try MQTTClient(
            MQTTConfiguration(address: BrokerAddress(host: "192.0.2.1"), clientID: "a"))
        try silent.start()
        #expect(ContinuousClock().measure { silent.stop(timeout: 5) } < Self.quick)
    }

    @Test func clientsLetGoWithoutAStopEndByThemselves() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        for number in 0..<20 {
            var configuration = MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: "c\(number)")
            configuration.will = Message(topic: "t", text: "crashed", qos: .atLeastOnce)
            let client = try MQTTClient(configuration)
            try client.start()
            if number % 2 == 0 { #expect(waitUntil(10) { client.isConnected }) }
        }
        #expect(watcher.waitRoundTrip("t"))
        #expect(watcher.texts("t").filter { $0 == "crashed" }.count <= 10)
    }
}
