internal import Certificates
internal import Configuration
internal import System
internal import WireProtocol

/// The author of what a command publishes: the user that the broker knows, and this machine.
struct Author {
    /// The author as the messages name it.
    let signature: Signature
    /// The user as a level of a topic.
    var level: String { Self.level(of: signature.user) }

    /// The author by the settings of the connection: the user name there, or that of its certificate or shared key; at a
    /// broker without users that of the machine.
    init(of mqtt: MQTTSettings, environment: [String: String]) {
        let user =
            mqtt.username ?? Self.certificateName(mqtt.tls) ?? mqtt.tls.sharedKeyIdentity
            ?? Self.machineUser(environment)
        signature = Signature(user: user, host: ProcessEnvironment.hostName)
    }

    /// A user's name as a level of a topic: what may not be in one is `_`.
    static func level(of user: String) -> String {
        let level = String(
            String.UnicodeScalarView(
                user.unicodeScalars.prefix(Topics.userLimit).map { scalar in
                    Topics.isUser(String(scalar)) ? scalar : "_"
                }))
        return level.isEmpty ? "_" : level
    }

    /// The user of this machine who runs a command, also by sudo.
    static func machineUser(_ environment: [String: String]) -> String {
        environment["SUDO_USER"] ?? ProcessEnvironment.userName
    }

    /// The common name of this client's certificate, which a broker takes for the user with `use_identity_as_username`.
    private static func certificateName(_ tls: TLSSettings) -> String? {
        guard let path = tls.certificateFile, let bytes = try? SecretFile(path: path, isStrict: false).read(),
            let certificate = (try? Certificate.read(PEMText(name: path, bytes: bytes)))?.first
        else { return nil }
        let names = certificate.subject.split(separator: ",").map { $0.drop { $0 == " " } }
        return names.first { $0.hasPrefix("CN=") }.map { String($0.dropFirst(3)) }
    }
}
