internal import Foundation

/// An authority of a test's own, made by `openssl`, with certificates for any hosts and dates; all keys are elliptic.
public final class TestAuthority {
    /// True if `openssl` is installed.
    public static let canBeMade = Execution.find("openssl") != nil
    /// The message of a skipped test.
    public static let missing = "openssl is not installed"

    /// Its name, and its files': `NAME.pem` and `NAME.key`.
    public let name: String
    private let folder: String

    /// The file with its own certificate.
    public var certificate: String { "\(folder)/\(name).pem" }
    /// The file with its list of revoked certificates, once `revoke` was called.
    public var revocationList: String { "\(folder)/\(name).crl" }

    /// A new authority in a folder; those of one folder need names of their own. Further names may share its subject.
    public init(_ name: String, subject: String? = nil, in folder: String) throws {
        self.name = name
        self.folder = folder
        try Self.openssl(
            ["req", "-x509"] + Self.newKey + [
                "-days", "3650", "-subj", "/CN=\(subject ?? name)", "-keyout", "\(folder)/\(name).key", "-out",
                "\(folder)/\(name).pem",
            ])
        try write("", to: "\(folder)/\(name).index")
        try write("1000", to: "\(folder)/\(name).serial")
        try write(
            """
            [ca]
            default_ca = house
            [house]
            database = \(folder)/\(name).index
            serial = \(folder)/\(name).serial
            new_certs_dir = \(folder)
            certificate = \(folder)/\(name).pem
            private_key = \(folder)/\(name).key
            default_md = sha256
            default_crl_days = 365
            policy = any
            unique_subject = no
            [any]
            commonName = supplied
            """, to: "\(folder)/\(name).conf")
    }

    /// A key `FILE.key` of mode 600 and a certificate `FILE.pem` by this authority; returns the certificate's path.
    ///
    /// - Parameters:
    ///   - hosts: as in the extension, such as `DNS:localhost,IP:127.0.0.1`; a client's has none.
    ///   - days: begin and end of its validity, in days from now.
    @discardableResult
    public func issue(
        _ file: String, hosts: String? = "IP:127.0.0.1", days: ClosedRange<Double> = -1...365
    ) throws -> String {
        let path = "\(folder)/\(file)"
        try Self.openssl(
            ["req"] + Self.newKey + ["-subj", "/CN=\(file)", "-keyout", path + ".key", "-out", path + ".csr"])
        try write(hosts.map { "subjectAltName=\($0)\n" } ?? "keyUsage=digitalSignature\n", to: path + ".ext")
        try Self.openssl([
            "ca", "-batch", "-notext", "-config", "\(folder)/\(name).conf", "-in", path + ".csr", "-out",
            path + ".pem", "-extfile", path + ".ext", "-startdate", Self.date(days.lowerBound), "-enddate",
            Self.date(days.upperBound),
        ])
        return path + ".pem"
    }

    /// Adds a certificate to the list of revoked ones, and writes the list anew; nil writes the list alone.
    public func revoke(_ certificate: String?) throws {
        let configuration = ["ca", "-config", "\(folder)/\(name).conf"]
        if let certificate { try Self.openssl(configuration + ["-revoke", certificate]) }
        try Self.openssl(configuration + ["-gencrl", "-out", revocationList])
    }

    /// A certificate `FILE.pem` that bears its own signature alone, with `FILE.key`; returns its path.
    @discardableResult
    public static func selfSigned(_ file: String, hosts: String = "IP:127.0.0.1", in folder: String) throws -> String {
        let path = "\(folder)/\(file)"
        try openssl(
            ["req", "-x509"] + newKey + [
                "-days", "365", "-subj", "/CN=\(file)", "-addext", "subjectAltName=\(hosts)", "-keyout",
                path + ".key", "-out", path + ".pem",
            ])
        return path + ".pem"
    }

    /// Runs `openssl`; throws its error output.
    public static func openssl(_ arguments: [String]) throws {
        let outcome = try Execution.run(Execution.find("openssl") ?? "openssl", arguments)
        if outcome.status != 0 { throw BrokerFault(description: "openssl \(arguments): \(outcome.error)") }
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    private static func date(_ days: Double) -> String {
        let format = DateFormatter()
        format.timeZone = TimeZone(identifier: "UTC")
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "yyyyMMddHHmmss'Z'"
        return format.string(from: Date(timeIntervalSinceNow: days * 86_400))
    }
}
