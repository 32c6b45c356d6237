import Bytes
import Glibc
import Support
import Testing

@testable import MQTT
import WireProtocol

/// The search of a client for its broker.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct BrokersInTurnTests {
    private func address(_ broker: Broker) -> BrokerAddress { BrokerAddress(host: "127.0.0.1", port: broker.port) }

    @Test func theSecondBrokerTakesOverFromTheFirstAndEachLossBeginsWithTheFirst() throws {
        let first = try Broker()
        let second = try Broker()
        let watcher = try Watcher(first, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)]) {
            $0.others = [address(second)]
        }
        #expect(watcher.wait { $0.turns == [address(first)] && $0.changes.last == "connected" })
        watcher.forget()
        first.kill()
        #expect(watcher.wait { $0.turns == [address(second)] && $0.changes.last == "connected" })
        // Nothing lies between the two but the loss and one refusal, and no pause after that.
        #expect(watcher.changes == ["disconnected", "failed", "connected"], "\(watcher.events)")
        #expect(watcher.waitRoundTrip("t"))
        #expect(second.log.contains("as a"))
        watcher.forget()
        try first.start()
        second.kill()
        #expect(watcher.wait { $0.changes.last == "connected" })
        #expect(watcher.turns == [address(first)])
        #expect(watcher.waitRoundTrip("t"))
    }

    @Test func whereNoneIsThereEachIsToldOnceAndTheNextRoundFindsOne() throws {
        let first = try Broker(started: false)
        let second = try Broker(started: false)
        let watcher = try Watcher(first, id: "a") { $0.others = [address(second)] }
        #expect(watcher.wait { $0.changes == ["failed", "failed"] })
        let attempts = watcher.client.statistics.wakeups
        #expect(waitUntil(10) { watcher.client.statistics.wakeups > attempts + 10 })
        #expect(watcher.wait { $0.changes == ["failed", "failed"] })
        try second.start()
        #expect(watcher.wait { $0.changes.last == "connected" })
        #expect(watcher.turns.last == address(second))
    }

    @Test func anIPv6AddressAndANameThatStandsForOneAreConnectedTo() throws {
        guard Broker.hasIPv6 else { return }
        // Not every machine has it as a name for that address.
        let hosts = readFile("/etc/hosts")?.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } } ?? []
        let isNamed = hosts.contains { $0.first == "::1" && $0.contains("localhost") }
        for host in isNamed ? ["::1", "localhost"] : ["::1"] {
            let broker = try Broker(onIPv6: true)
            let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)]) {
                $0.address = BrokerAddress(host: host, port: broker.port)
            }
            #expect(watcher.waitConnected(), "\(host): \(watcher.errors)")
            #expect(watcher.waitRoundTrip("t"))
        }
    }

    @Test(arguments: [false, true]) func ofANameWithASilentAddressTheNextOneIsTried(accepts: Bool) throws {
        let broker = try Broker()
        let silent = try SilentAddress(port: broker.port, accepts: accepts)
        let watcher = try Watcher(broker, id: "a") {
            $0.address.host = "broker.test"
            $0.connectTimeout = 2
            $0.lookUp = { _ in [SilentAddress.host, "127.0.0.1"] }
        }
        #expect(watcher.waitConnected(), "\(watcher.errors)")
        #expect(watcher.changes == ["connected"])
        withExtendedLifetime(silent) {}
    }

    @Test func aHostThatIsAnAddressIsItsOwnAndANameHasAllOfIts() throws {
        #expect(try HostAddresses.lookUp("127.0.0.1") == ["127.0.0.1"])
        #expect(try HostAddresses.lookUp("::1") == ["::1"])
        let addresses = try HostAddresses.lookUp("localhost")
        #expect(!addresses.isEmpty && Set(addresses).isSubset(of: ["127.0.0.1", "::1"]))
    }

    @Test func aNameThatNobodyKnowsIsTriedAgainAndDoesNotKeepTheOthersWaiting() throws {
        let broker = try Broker(started: false)
        let watcher = try Watcher(broker, id: "a") {
            $0.address = BrokerAddress(host: "no-such-host.invalid")
            $0.others = [address(broker)]
        }
        #expect(watcher.wait(20) { $0.changes == ["failed", "failed"] })
        // Each further round looks the name up again.
        try broker.start()
        #expect(watcher.wait(20) { $0.changes.last == "connected" })
        broker.kill()
        watcher.forget()
        #expect(watcher.wait(20) { $0.changes.prefix(2) == ["disconnected", "failed"] })
        #expect(watcher.errors.contains { $0.cause == .unknownHost }, "\(watcher.errors)")
    }

    @Test func aBrokerThatRefusedVersion5IsAskedForItAgainAfterAnHour() {
        var brokers = BrokerRound([BrokerAddress(host: "a"), BrokerAddress(host: "b")])
        let now = MonotonicTime(nanoseconds: 0)
        let refusal = MQTTError(systemCall: "connect", ECONNREFUSED)
        #expect(brokers.version(at: now) == .v5)
        var isTold = brokers.fallBack(at: now)
        #expect(isTold && brokers.version(at: now) == .v311)
        var failed = brokers.failed(refusal)
        #expect(failed == (isNew: true, isRoundOver: false))
        #expect(brokers.version(at: now) == .v5)
        failed = brokers.failed(refusal)
        #expect(failed == (isNew: true, isRoundOver: true))
        #expect(brokers.version(at: now.advanced(bySeconds: 3599)) == .v311)
        #expect(brokers.version(at: now.advanced(bySeconds: 3600)) == .v5)
        isTold = brokers.fallBack(at: now.advanced(bySeconds: 3600))
        #expect(!isTold, "it is told once")
    }

    @Test func pausesGrowToAMinuteAndAreDrawnFromTheWholeOfIt() {
        var backoff = Backoff()
        var generator = SeededGenerator(seed: 7)
        var pauses: [Double] = []
        var ceilings: [Double] = []
        for _ in 0..<200 {
            ceilings.append(backoff.ceiling)
            pauses.append(backoff.next(using: &generator))
        }
        #expect(ceilings.prefix(9) == [0.5, 1, 2, 4, 8, 16, 32, 60, 60])
        #expect(zip(pauses, ceilings).allSatisfy { (0...$1).contains($0) })
        let late = pauses.dropFirst(8)
        #expect(late.contains { $0 < 6 } && late.contains { $0 > 54 })
    }
}
