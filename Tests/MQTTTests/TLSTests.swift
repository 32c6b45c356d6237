import Sightings
import Support
import Testing

@testable import MQTT

@Suite(
    .serialized, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)),
    .enabled(if: Certificates.canBeMade, "openssl is not installed"))
struct TLSTests {
    private func broker() throws -> Broker {
        let broker = try Broker(
            ["cafile %d/ca.pem", "certfile %d/server.pem", "keyfile %d/server.key"], started: false)
        try Certificates.make(in: broker.folder)
        try broker.start()
        return broker
    }

    private func secure(_ configuration: inout MQTTConfiguration, _ file: String) {
        configuration.address.scheme = .mqtts
        configuration.trust = .file(path: file)
    }

    @Test func aTrustedBrokerIsSpokenToThroughTLS() throws {
        let broker = try broker()
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)]) {
            secure(&$0, "\(broker.folder)/ca.pem")
        }
        #expect(watcher.waitConnected())
        for number in 0..<300 { watcher.client.publish(Message(topic: "t", text: "\(number)", qos: .atLeastOnce)) }
        #expect(watcher.wait { $0.messages.count == 300 })
        #expect(watcher.texts("t") == (0..<300).map { "\($0)" })
        #expect(watcher.changes == ["connected"])
        broker.kill()
        #expect(watcher.wait { $0.changes.contains("disconnected") })
        try broker.start()
        #expect(watcher.waitConnected())
        #expect(watcher.waitRoundTrip("t"))
    }

    @Test func aStrangersCertificateIsRefusedInWords() throws {
        let broker = try broker()
        let watcher = try Watcher(broker, id: "a") { secure(&$0, "\(broker.folder)/stranger.pem") }
        #expect(watcher.wait { $0.changes == ["failed"] })
        #expect(watcher.errors.first?.words.contains("certificate verify failed") == true)
        let system = try Watcher(broker, id: "b") {
            secure(&$0, "")
            $0.trust = .systemStore
        }
        #expect(system.wait { $0.changes == ["failed"] })
        #expect(system.errors.first?.words.contains("certificate verify failed") == true)
    }

    @Test func anotherHostsCertificateIsRefused() throws {
        let broker = try broker()
        // The certificate is for 127.0.0.1 alone.
        let watcher = try Watcher(broker, id: "a") {
            secure(&$0, "\(broker.folder)/ca.pem")
            $0.address.host = "localhost"
        }
        #expect(watcher.wait { $0.changes == ["failed"] })
        #expect(watcher.client.statistics.connections == 0)
        #expect(watcher.errors.first?.words.contains("certificate verify failed") == true)
    }

    @Test func aMissingCertificateFileIsNamed() throws {
        let broker = try broker()
        let watcher = try Watcher(broker, id: "a") { secure(&$0, "/nowhere/ca.pem") }
        #expect(watcher.wait { $0.changes == ["failed"] })
        #expect(
            watcher.errors.first?.description == "certificate file /nowhere/ca.pem: No such file or directory (2)")
    }

    @Test func aBrokerWithoutTLSIsNotTakenForOne() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "a") {
            $0.address.scheme = .mqtts
            $0.connectTimeout = 2
        }
        #expect(watcher.wait { $0.changes == ["failed"] })
        #expect(watcher.client.statistics.wakeups < 100)
    }
}

/// Certificates for the tests, made by `openssl` for the day.
enum Certificates {
    static let canBeMade = (try? ChildProcess("openssl", ["version"]).wait()) == 0

    static func make(in folder: String) throws {
        for name in ["ca", "stranger"] {
            try openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=\(name)", "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem")
        }
        try write("subjectAltName=IP:127.0.0.1\n", to: "\(folder)/server.ext")
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=broker", "-keyout",
            "\(folder)/server.key", "-out", "\(folder)/server.csr")
        try openssl(
            "x509", "-req", "-in", "\(folder)/server.csr", "-CA", "\(folder)/ca.pem", "-CAkey", "\(folder)/ca.key",
            "-set_serial", "1", "-days", "2", "-extfile", "\(folder)/server.ext", "-out", "\(folder)/server.pem")
    }

    private static func openssl(_ arguments: String...) throws {
        guard try ChildProcess("openssl", arguments).wait() == 0 else { throw SystemError(code: 22) }
    }
}
