@testable import Configuration
import Testing

@Suite struct SecretFileTests {
    @Test(
        "A secret of a container may show any mode, since nobody else lives there; elsewhere others may not read it",
        arguments: [
            ("/run/secrets/key", 0o444, false), ("/run/secrets/key", 0o400, false), ("/run/secrets/key", 0o666, true),
            ("/run/secrets/../../home/key", 0o444, true), ("/run/secrets/more/key", 0o444, true),
            ("/etc/whereabouts/key", 0o444, true), ("/etc/whereabouts/key", 0o600, false),
            ("/run/secretskey", 0o444, true),
        ] as [(String, UInt32, Bool)])
    func container(_ path: String, _ mode: UInt32, _ isExposed: Bool) {
        #expect(SecretFile.isExposed(path: path, mode: mode, isRoots: true) == isExposed)
    }

    @Test("What belongs to root may be its group's to read, and nothing else")
    func group() {
        #expect(!SecretFile.isExposed(path: "/etc/key", mode: 0o640, isRoots: true))
        #expect(SecretFile.isExposed(path: "/etc/key", mode: 0o640, isRoots: false))
    }
}
