import Glibc
import Support
import Synchronization
import Testing
import Web

/// A server beside a client that others wrote.
@Suite(.inTurn, .enabled(if: Execution.find("curl") != nil, "curl is not installed"))
struct CurlTests {
    private static func curl(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let outcome = try Execution.run(Execution.find("curl") ?? "curl", ["-s", "-S", "-m", "10", "-i"] + arguments)
        return (outcome.status, String(decoding: outcome.output, as: UTF8.self) + outcome.error)
    }

    private static func bytes(of file: String) -> [UInt8] { Array((readFile(file) ?? "").utf8) }

    @Test func answersCurl() throws {
        let server = try HTTPServer(host: "127.0.0.1", port: 0, handler: TestHandler())
        let address = "http://127.0.0.1:\(server.port)"
        #expect(try Self.curl([address + "/a"]).output.contains("GET [\"a\"]"))
        #expect(try Self.curl(["-X", "DELETE", address + "/a"]).output.contains("DELETE [\"a\"]"))
        #expect(try Self.curl(["-d", "hello", address + "/a"]).output.contains("127.0.0.1 5"))
        #expect(try Self.curl(["--path-as-is", address + "/a/../b"]).output.contains(" 400 "))
        let large = try Self.curl(["-o", "/dev/null", "-w", "%{size_download}", address + "/large"])
        #expect(large.output == "8388608")
        #expect(try Self.curl(["--http1.0", address + "/later"]).output.hasSuffix("later"))
    }

    @Test(.enabled(if: TestAuthority.canBeMade, "openssl is not installed"))
    func speaksTLS() throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority("house", in: folder.path)
        let certificate = ServerCertificate(
            chain: try Self.bytes(of: authority.issue("page")), key: Self.bytes(of: folder.file("page.key")))
        let handler = TestHandler()
        let server = try HTTPServer(host: "127.0.0.1", port: 0, certificate: certificate, handler: handler)
        let address = "https://127.0.0.1:\(server.port)"
        let first = try Self.curl(["--cacert", authority.certificate, address + "/a"])
        #expect(first.output.contains("GET [\"a\"]"), "\(first)")
        #expect(try Self.curl(["--cacert", authority.certificate, address + "/later"]).output.hasSuffix("later"))
        #expect(try Self.curl([address + "/a"]).status == 60)
        // Neither plain HTTP nor a half-open handshake disturbs the others.
        let plain = try RawClient(port: server.port)
        plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let half = try RawClient(port: server.port)
        half.send([0x16, 0x03, 0x01])
        handler.source.add("secret")
        handler.source.state.withLock { $0.isOver = false }
        let stream = try Self.curl(["-N", "-m", "2", "--cacert", authority.certificate, address + "/stream"])
        #expect(stream.output.contains("data: secret"))
    }

    @Test(.enabled(if: TestAuthority.canBeMade, "openssl is not installed"))
    func refusesAWrongKey() throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority("house", in: folder.path)
        let chain = try Self.bytes(of: authority.issue("page"))
        try authority.issue("other")
        let certificate = ServerCertificate(chain: chain, key: Self.bytes(of: folder.file("other.key")))
        #expect(throws: WebError.self) {
            try HTTPServer(host: "127.0.0.1", port: 0, certificate: certificate, handler: TestHandler())
        }
    }
}
