import Bytes
import Support
import Testing

@testable import BrokerSession
import Configuration

/// Renewed files count at the next connection, without a restart; and what expires is told before.
@Suite(
    .inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)),
    .enabled(if: TestAuthority.canBeMade, Comment(rawValue: TestAuthority.missing)))
struct RenewalTests {
    @Test func aNewAuthorityAndClientCertificateAreUsedByTheNextConnection() throws {
        let house = try TLSHouse(["cafile %d/authority.pem", "require_certificate true"])
        try house.authority.issue("guest", hosts: nil)
        let peer = try house.guest {
            $0.certificateFile = "\(house.folder)/guest.pem"
            $0.keyFile = SecretFile(path: "\(house.folder)/guest.key")
        }
        #expect(peer.connects(1), "\(peer.outcome(within: 0))")
        house.broker.stop()
        let renewed = try TestAuthority("authority", in: house.folder)
        try renewed.issue("server")
        try renewed.issue("guest", hosts: nil)
        try house.broker.start()
        #expect(peer.connects(2), "\(peer.outcome(within: 0))")
    }

    @Test func filesThatWereWrongAreReadAgain() throws {
        let house = try TLSHouse()
        let key = "\(house.folder)/late.pem"
        let peer = try house.guest { $0.authoritiesFile = key }
        #expect(peer.outcome().contains("does not exist"))
        try write(try #require(readFile(house.authority.certificate)), to: key)
        #expect(peer.connects(1), "\(peer.outcome(within: 0))")
    }

    @Test func aNewPasswordIsUsedByTheNextConnection() throws {
        let broker = try Broker(["allow_anonymous false", "password_file %d/users"], started: false)
        func setPassword(_ password: String) throws {
            try write("guest:\(password)\n", to: "\(broker.folder)/users")
            #expect(try ChildProcess("mosquitto_passwd", ["-U", "\(broker.folder)/users"]).wait() == 0)
            try write(password, to: "\(broker.folder)/password")
        }
        try setPassword("one")
        try broker.start()
        let peer = try TLSPeer(port: broker.port, scheme: "mqtt") {
            ($0.username, $0.password) = ("guest", SecretFile(path: "\(broker.folder)/password", isStrict: false))
        }
        #expect(peer.connects(1), "\(peer.outcome(within: 0))")
        broker.stop()
        try setPassword("two")
        try broker.start()
        #expect(peer.connects(2), "\(peer.outcome(within: 0))")
    }

    @Test func whatExpiresSoonIsToldOnceItIsConnected() throws {
        let house = try TLSHouse(days: -80...10)
        try house.authority.issue("guest", hosts: nil, days: -80...13)
        let peer = try house.guest {
            $0.certificateFile = "\(house.folder)/guest.pem"
            $0.keyFile = SecretFile(path: "\(house.folder)/guest.key")
        }
        #expect(peer.connects(1), "\(peer.outcome(within: 0))")
        #expect(
            peer.session.problems.map { $0.prefix { $0 != "2" } } == [
                "this client's certificate (CN=guest) expires at ", "the broker's certificate (CN=server) expires at ",
            ])
    }

    @Test func whatIsMadeForDaysIsToldInItsLastThirdAlone() throws {
        let young = try TLSHouse(days: -1...8).guest()
        #expect(young.connects(1), "\(young.outcome(within: 0))")
        #expect(young.session.problems.isEmpty)
        let old = try TLSHouse(days: -7...2).guest()
        #expect(old.connects(1), "\(old.outcome(within: 0))")
        #expect(old.session.problems.count == 1)
    }

    @Test func aRenewedFileThatIsBrokenIsToldWhileTheConnectionStands() throws {
        let house = try TLSHouse()
        try house.authority.issue("guest", hosts: nil)
        let peer = try house.guest {
            $0.certificateFile = "\(house.folder)/guest.pem"
            $0.keyFile = SecretFile(path: "\(house.folder)/guest.key")
        }
        #expect(peer.connects(1), "\(peer.outcome(within: 0))")
        #expect(peer.session.problems.isEmpty)
        try write(try #require(readFile("\(house.folder)/server.key")), to: "\(house.folder)/guest.key")
        // An hour later.
        peer.session.looksAt = .start
        peer.receive()
        #expect(
            peer.session.problems == [
                """
                the key in '\(house.folder)/guest.key' doesn't belong to the certificate in '\(house.folder)/guest.pem'; \
                check that mqtt.certificate_file and mqtt.key_file were made together
                """
            ])
        #expect(peer.connections == 1 && peer.session.isConnected)
    }
}
