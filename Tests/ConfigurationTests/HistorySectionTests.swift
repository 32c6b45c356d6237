import Configuration
import Support
import System
import Testing

/// The section `history` of a fuser.
struct HistorySectionTests {
    private static func load(
        _ section: String, state: String = "state: fuser.sqlite\n", environment: [String: String] = [:]
    ) throws -> FuserConfiguration {
        let folder = try TemporaryFolder()
        _ = try setMode(0o600, of: folder.write(Array("quiet-otter\n".utf8), to: "password"))
        let text = "mqtt: {url: \"mqtt://127.0.0.1\"}\n\(state)\(section.isEmpty ? "" : "history: \(section)\n")"
        return try FuserConfiguration.load(text: text, file: folder.file("fuser.yaml"), environment: environment)
    }

    private static func faults(_ section: String, state: String = "state: fuser.sqlite\n") -> String {
        do {
            return try load(section, state: state).warnings.map(\.description).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test func readsADurationAndAMap() throws {
        let none = try Self.load("")
        #expect(none.history == .seconds(30 * 86400) && none.postgres == nil)
        #expect(try Self.load("60d").history == .seconds(60 * 86400))
        #expect(try Self.load("{keep: 2h}").history == .seconds(7200))
        let least = try Self.load("{postgres: {connection: host=db.lan dbname=house}}")
        #expect(least.history == .seconds(30 * 86400) && least.postgres?.password == nil)
        #expect(
            least.postgres?.connection == "host=db.lan dbname=house" && least.postgres?.keep == .seconds(400 * 86400))
        let whole = try Self.load(
            "{keep: 7d, postgres: {connection: \"postgresql://fuser@db.lan/house?sslmode=verify-full\", password_file: "
                + "password, keep: 3650d}}")
        #expect(whole.history == .seconds(7 * 86400) && whole.postgres?.keep == .seconds(3650 * 86400))
        #expect(whole.postgres?.password?.path.hasSuffix("/password") == true && !"\(whole)".contains("quiet-otter"))
    }

    @Test func takesTheEnvironment() throws {
        let set = try Self.load(
            "",
            environment: [
                "WHEREABOUTS_HISTORY_KEEP": "9d", "WHEREABOUTS_HISTORY_POSTGRES_CONNECTION": "host=db.lan",
                "WHEREABOUTS_HISTORY_POSTGRES_KEEP": "99d",
            ])
        #expect(set.history == .seconds(9 * 86400) && set.postgres?.connection == "host=db.lan")
        #expect(set.postgres?.keep == .seconds(99 * 86400) && set.warnings.isEmpty)
    }

    @Test("Apply the environment to a history that is a duration alone, in the file or in the environment")
    func expandsADuration() throws {
        let connection = ["WHEREABOUTS_HISTORY_POSTGRES_CONNECTION": "host=db.lan"]
        for (section, variables) in [
            ("60d", [:]), ("60d", ["WHEREABOUTS_HISTORY_KEEP": "60d"]), ("", ["WHEREABOUTS_HISTORY": "60d"]),
            ("7d", ["WHEREABOUTS_HISTORY": "60d"]),
        ] as [(String, [String: String])] {
            let set = try Self.load(section, environment: connection.merging(variables) { $1 })
            #expect(set.history == .seconds(60 * 86400) && set.postgres?.connection == "host=db.lan", "\(section)")
        }
        // The rest of a map stays.
        let map = try Self.load("{postgres: {connection: host=db.lan}}", environment: ["WHEREABOUTS_HISTORY": "9d"])
        #expect(map.history == .seconds(9 * 86400) && map.postgres?.connection == "host=db.lan")
        let fault = #expect(throws: ConfigurationFaults.self) {
            try Self.load("7d", environment: ["WHEREABOUTS_HISTORY": "soon"])
        }
        #expect("\(try #require(fault))".contains("WHEREABOUTS_HISTORY: expected a duration from 1h"))
    }

    @Test(arguments: [
        ("{keep: 1s}", "expected a duration from 1h to 3650d"), ("soon", "expected a duration from 1h"),
        ("{postgres: {keep: 30d}}", "'connection' is missing"),
        ("{postgres: {connection: 5}}", "expected a connection such as \"host=db.lan"),
        ("{postgres: {connection: {host: db.lan}}}", "expected a connection such as"),
        ("{postgres: {connection: host=db.lan, keep: 1h}}", "expected a duration from 1d to 3650d"),
        ("{postgres: {connection: host=db.lan, pasword_file: x}}", "did you mean 'password_file'?"),
        ("{postgres: {connection: host=db.lan, password_file: missing}}", "does not exist"),
        ("{postgres: host=db.lan}", "expected a map"),
    ])
    func saysWhatIsWrong(_ section: String, _ words: String) {
        let faults = Self.faults(section)
        #expect(faults.contains(words) && faults.contains("fuser.yaml:3:"), "\(faults)")
    }

    @Test(arguments: [
        "host=db.lan password=quiet-otter", "postgresql://fuser:quiet-otter@db.lan/house",
        "postgresql://db.lan/house?password=quiet-otter",
    ])
    func neverRepeatsAPassword(_ connection: String) {
        let faults = Self.faults("{postgres: {connection: \"\(connection)\"}}")
        #expect(faults.contains("'connection' has a password: write it into a file, and name that in 'password_file'"))
        #expect(!faults.contains("quiet-otter"))
    }

    @Test func needsAState() {
        #expect(Self.faults("{postgres: {connection: host=db.lan}}", state: "").contains("'postgres' needs 'state'"))
        #expect(Self.faults("{postgres: {connection: host=db.lan}}").isEmpty)
    }
}
