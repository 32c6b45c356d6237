import MQTT
import WireProtocol
import Support
import Testing

@testable import BrokerSession
import Configuration

/// Much traffic through TLS arrives whole and in order.
@Suite(
    .inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)),
    .enabled(if: TestAuthority.canBeMade, Comment(rawValue: TestAuthority.missing)))
struct SecuredTrafficTests {
    @Test func manyMessagesAndLargeOnesComeBackInOrder() throws {
        let house = try TLSHouse()
        let peer = try house.guest()
        #expect(peer.connects(1))
        try peer.session.subscribe([Subscription("t", qos: .atLeastOnce)])
        let payloads = (0..<300).map { number in
            [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 50 == 0 ? 300_000 : number)
        }
        var sent = 0
        let isComplete = waitUntil(30) {
            // The queue of what waits holds but a few of the large ones.
            while sent < payloads.count, peer.session.unsent < 4 {
                guard peer.session.publish(Message(topic: "t", payload: payloads[sent], qos: .atLeastOnce)) else {
                    break
                }
                sent += 1
            }
            peer.receive()
            return peer.messages.count >= payloads.count
        }
        #expect(isComplete)
        #expect(peer.messages.map(\.payload) == payloads)
        #expect(peer.connections == 1)
    }

    @Test func aBrokerIsToldTheHostOfTheURLAndNotTheAddressThatItHas() throws {
        let listener = try Listener()
        let peer = try TLSPeer(port: listener.port, host: "localhost")
        let hello = listener.takeFirstBytes(within: 10)
        let text = String(decoding: hello, as: UTF8.self)
        #expect(text.contains("localhost") && !text.contains("127.0.0.1"))
        withExtendedLifetime(peer) {}
    }

    @Test func ofSeveralBrokersEachIsProvedByItsOwnHost() throws {
        let house = try TLSHouse(hosts: "DNS:localhost")
        let secured = try BrokerURL("mqtts://localhost:\(house.broker.port)")
        let wrongHost = try BrokerURL("mqtts://127.0.0.1:\(house.broker.port)")
        let nobody = try BrokerURL("mqtt://127.0.0.1:\(try Broker.freePort())")
        for first in [nobody, wrongHost] {
            let peer = try TLSPeer(port: house.broker.port, of: house) {
                ($0.url, $0.others) = (first, [secured])
                $0.tls.authoritiesFile = house.authority.certificate
            }
            #expect(peer.connects(1))
        }
    }
}
