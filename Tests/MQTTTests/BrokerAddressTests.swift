import Support
import Testing

@testable import MQTT

struct BrokerAddressTests {
    @Test(arguments: [
        ("mqtt://broker.lan", BrokerAddress(host: "broker.lan", port: 1883)),
        ("mqtts://broker.lan/", BrokerAddress(scheme: .mqtts, host: "broker.lan", port: 8883)),
        ("MQTT://127.0.0.1:1", BrokerAddress(host: "127.0.0.1", port: 1)),
        ("mqtts://[::1]:65535", BrokerAddress(scheme: .mqtts, host: "::1", port: 65535)),
        ("mqtt://[fe80::1%eth0]", BrokerAddress(host: "fe80::1%eth0", port: 1883)),
    ])
    func urlsAreRead(url: String, address: BrokerAddress) throws {
        #expect(try BrokerAddress(url: url) == address)
        #expect(try BrokerAddress(url: address.description) == address)
    }

    @Test(arguments: [
        ("", BrokerAddressFault.scheme), ("broker.lan:1883", .scheme), ("http://broker", .scheme),
        ("mqtt:/broker", .scheme),
        ("mqtt://", .host), ("mqtt://:1883", .host), ("mqtt://[::1", .host), ("mqtt://[]", .host),
        ("mqtt://bröker", .host),
        ("mqtt://a b", .host), ("mqtt://[broker]", .host),
        ("mqtt://a:", .port), ("mqtt://a:0", .port), ("mqtt://a:65536", .port), ("mqtt://a:1x", .port),
        ("mqtt://[::1]1", .port),
        ("mqtt://a:+1", .port), ("mqtt://a/b", .path), ("mqtt://a?b", .path), ("mqtt://u:p@a", .credentials),
    ])
    func brokenURLsAreNamed(url: String, fault: BrokerAddressFault) {
        #expect(throws: fault) { try BrokerAddress(url: url) }
    }

    @Test func pausesGrowToTheirMaximumAndBeginAnew() {
        var generator = SeededGenerator(seed: 7)
        var backoff = Backoff(first: 0.5, maximum: 30)
        var ceilings: [Double] = []
        for _ in 0..<100 {
            let ceiling = backoff.ceiling
            ceilings.append(ceiling)
            #expect((0...ceiling).contains(backoff.next(using: &generator)))
        }
        #expect(ceilings[..<8] == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(ceilings.last == 30)
        backoff.recordEnd(afterSeconds: 6)
        #expect(backoff.ceiling == 30)
        backoff.recordEnd(afterSeconds: 31)
        #expect(backoff.ceiling == 0.5)
    }
}
