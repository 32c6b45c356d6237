internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// The values that are set; those that are nil stay as they are in the file.
struct SetupAnswers {
    /// A password of the user at the broker.
    enum Password {
        /// The path of a file that holds it.
        case file(String)
        /// The password itself, to be kept in a file of its own.
        case typed(Secret)
    }

    var node: String?
    var room: String?
    var broker: BrokerURL?
    /// The path of the file with the broker's authority; empty for the system's.
    var authorities: String?
    /// The user at the broker; empty for none.
    var username: String?
    var password: Password?

    /// The values of the options; throws if one can't be such a value. Reads a password from standard input if that is
    /// asked for.
    init(_ arguments: Arguments) throws {
        node = arguments.text("--node")
        room = arguments.text("--room")
        if let text = arguments.text("--broker") {
            do throws(BrokerURL.Fault) {
                broker = try Self.broker(text)
            } catch {
                throw UsageError(command: SetupCommand.command.name, faults: ["--broker: \(error.message)"])
            }
        }
        authorities = arguments.text("--ca-file").map(Self.absolute)
        username = arguments.text("--username")
        switch arguments.text("--password-file") {
        case nil: break
        case "-"?: password = .typed(try Self.readPassword())
        case let path?: password = .file(Self.absolute(path))
        }
    }

    /// The faults of a call that asks nothing: what neither an option nor the file names.
    func missing(besides file: SetupFile) -> [String] {
        var faults: [String] = []
        if node ?? file.node == nil { faults.append("--node ID is missing, and the file names no node") }
        if broker == nil, file.brokerText == nil {
            faults.append("--broker URL is missing, and the file names no broker")
        }
        if password != nil, username ?? file.username == nil {
            faults.append("--username NAME is missing, whose password that is")
        }
        return faults
    }

    /// Reads the URL of a broker; a host without a scheme is reached without TLS.
    static func broker(_ text: String) throws(BrokerURL.Fault) -> BrokerURL {
        let hasScheme = text.utf8.contains(UInt8(ascii: "/"))
        return try BrokerURL(hasScheme ? text : "mqtt://\(text)")
    }

    /// The form that an id needs; nil if `text` is one.
    static func complaint(_ text: String) -> String? {
        guard ItemReader.complaint(id: text) != nil else { return nil }
        return "an id of small letters, digits, '-' and '_', at most \(Identifier.maximumLength), "
            + "other than \(Identifier.reserved.sorted().joined(separator: " and "))"
    }

    /// A path that is the same from every folder.
    static func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : PrivateFiles.resolved(path) }

    private static func readPassword() throws -> Secret {
        var bytes: [UInt8] = []
        while let more = StandardInput.read(), !more.isEmpty, bytes.count < 4096 { bytes += more }
        let text = String(
            decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard !text.isEmpty else {
            throw UsageError(
                command: SetupCommand.command.name,
                faults: ["--password-file -: standard input holds no password; give it in one line"])
        }
        return Secret(text)
    }
}
