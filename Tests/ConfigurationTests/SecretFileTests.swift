@testable import Configuration
import Testing

@Suite struct SecretFileTests {
    @Test(
        "Accept a container's secret of any mode, and reject secrets elsewhere that others may read",
        arguments: [
            ("/run/secrets/key", 0o444, false), ("/run/secrets/key", 0o400, false), ("/run/secrets/key", 0o666, true),
            ("/run/secrets/../../home/key", 0o444, true), ("/run/secrets/more/key", 0o444, true),
            ("/etc/whereabouts/key", 0o444, true), ("/etc/whereabouts/key", 0o600, false),
            ("/run/secretskey", 0o444, true),
        ] as [(String, UInt32, Bool)])
    func container(_ path: String, _ mode: UInt32, _ isExposed: Bool) {
        #expect(SecretFile.isExposed(path: path, mode: mode, isRoots: true) == isExposed)
    }

    @Test("Accept root's files that its group may read, and no more")
    func group() {
        #expect(!SecretFile.isExposed(path: "/etc/key", mode: 0o640, isRoots: true))
        #expect(SecretFile.isExposed(path: "/etc/key", mode: 0o640, isRoots: false))
    }
}
