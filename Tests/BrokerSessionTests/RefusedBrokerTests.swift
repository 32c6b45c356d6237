import Configuration
import Crypto
import MQTT
import Support
import Testing

/// Brokers that aren't what they should be: each is refused with a sentence of its own and the mend.
@Suite(
    .inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)),
    .enabled(if: TestAuthority.canBeMade, Comment(rawValue: TestAuthority.missing)))
struct RefusedBrokerTests {
    @Test func anotherHostsCertificateTellsItsHosts() throws {
        let house = try TLSHouse(hosts: "DNS:broker.lan,IP:10.0.0.7")
        #expect(
            try house.guest().outcome() == """
                the broker's certificate is for broker.lan, 10.0.0.7, not for 127.0.0.1 | write one of its names into \
                mqtt.url, or have a certificate made for 127.0.0.1
                """)
        #expect(try house.guest(host: "localhost").outcome().contains("not for localhost"))
    }

    @Test func oneThatIsOffIsSaidToBeOff() throws {
        let house = try TLSHouse(started: false)
        for host in ["127.0.0.1", "localhost"] {
            let outcome = try house.guest(host: host).outcome()
            #expect(outcome.contains("Connection refused"), "\(outcome)")
        }
    }

    @Test func anExpiredOneTellsWhenAndTheClock() throws {
        let house = try TLSHouse(days: -30 ... -1)
        let outcome = try house.guest().outcome()
        #expect(outcome.hasPrefix("the broker's certificate (CN=server) expired at 20"))
        #expect(outcome.contains("and this machine's clock says 20"))
        #expect(outcome.hasSuffix("| renew it, or set this machine's clock"))
    }

    @Test func oneOfTomorrowTellsTheClockToo() throws {
        let house = try TLSHouse(days: 1...30)
        let outcome = try house.guest().outcome()
        #expect(outcome.hasPrefix("the broker's certificate (CN=server) begins at 20"))
        #expect(outcome.hasSuffix("| set this machine's clock, or wait"))
    }

    @Test func anUnknownAuthorityIsNamed() throws {
        let house = try TLSHouse()
        let stranger = try TestAuthority("stranger", in: house.folder)
        let namesake = try TestAuthority("namesake", subject: "authority", in: house.folder)
        for other in [stranger, namesake] {
            #expect(
                try house.guest { $0.authoritiesFile = other.certificate }.outcome() == """
                    the broker's certificate is signed by CN=authority, which isn't in ca_file | name the file with that \
                    authority's certificate in mqtt.ca_file
                    """)
        }
        #expect(
            try house.guest { $0.authoritiesFile = nil }.outcome()
                .contains("CN=authority, which this system doesn't trust"))
    }

    @Test func aRevokedOneIsRefusedAndAnotherByTheSameAuthorityIsNot() throws {
        let house = try TLSHouse()
        try house.authority.revoke(nil)
        let list = house.authority.revocationList
        #expect(try house.guest { $0.revocationFile = list }.outcome() == "connected")
        try house.authority.revoke("\(house.folder)/server.pem")
        #expect(
            try house.guest { $0.revocationFile = list }.outcome()
                == "the broker's certificate (CN=server) is revoked | give the broker a new certificate")
        let stranger = try TestAuthority("stranger", in: house.folder)
        try stranger.revoke(nil)
        #expect(
            try house.guest { $0.revocationFile = stranger.revocationList }.outcome()
                .hasPrefix("crl_file holds no list of CN=authority"))
    }

    @Test func aSelfSignedOneTellsHowToPinIt() throws {
        let house = try TLSHouse(started: false)
        try TestAuthority.selfSigned("server", in: house.folder)
        try house.broker.start()
        let outcome = try house.guest().outcome()
        #expect(outcome.hasPrefix("the broker's certificate is signed by itself alone | "))
        // The remedy in the message is sufficient.
        let pin = try #require(
            outcome.split(separator: " ").compactMap { Fingerprint(String($0.prefix { $0 != ";" })) }.first)
        let pinned = try house.guest {
            $0.authoritiesFile = nil
            $0.fingerprints = [pin]
        }
        #expect(pinned.outcome() == "connected")
    }

    @Test func aWrongPinTellsTheOneSeen() throws {
        let house = try TLSHouse()
        let wrong = try #require(Fingerprint("sha256:" + String(repeating: "ab", count: 32)))
        let outcome = try house.guest { ($0.authoritiesFile, $0.fingerprints) = (nil, [wrong]) }.outcome()
        #expect(outcome.hasPrefix("the broker's certificate isn't the pinned one: its pin is sha256:"))
        let seen = try #require(outcome.split(separator: " ").compactMap { Fingerprint(String($0)) }.first)
        #expect(
            try house.guest { ($0.authoritiesFile, $0.fingerprints) = (nil, [wrong, seen]) }.outcome() == "connected")
        // A pin stands for the whole proof: the host's name doesn't matter then.
        let other = try house.guest(host: "localhost") { ($0.authoritiesFile, $0.fingerprints) = (nil, [seen]) }
        #expect(other.outcome() == "connected")
    }

    @Test(arguments: ["-tls1", "-tls1_1"]) func anOldProtocolIsRefused(_ protocolOption: String) throws {
        let house = try TLSHouse(started: false)
        let port = try Broker.freePort()
        let peer = try ChildProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", protocolOption, "-cipher", "ALL@SECLEVEL=0", "-cert",
                "\(house.folder)/server.pem", "-key", "\(house.folder)/server.key", "-quiet",
            ])
        defer { peer.terminate() }
        let listens = waitUntil(10) { Broker.listens(on: port) }
        #expect(listens)
        let guest = try TLSPeer(port: port) { $0.tls.authoritiesFile = house.authority.certificate }
        #expect(
            guest.outcome() == """
                the broker speaks no TLS newer than 1.1, which isn't secure | update the broker, or let it speak TLS 1.2 \
                or newer
                """)
    }

    @Test func aPortWithoutTLSIsToldFromOneWithIt() throws {
        let plain = try Broker()
        let secured = try TLSPeer(port: plain.port).outcome()
        #expect(
            secured == """
                the connection was closed before a word of TLS came | check the port in mqtt.url: this one seems to want \
                mqtt:// instead of mqtts://
                """)
        let house = try TLSHouse()
        let open = try TLSPeer(port: house.broker.port, scheme: "mqtt", of: house).outcome()
        #expect(open == "the connection was closed without an answer | silent")
    }
}
