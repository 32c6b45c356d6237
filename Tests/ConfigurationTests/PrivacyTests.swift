import Bytes
import Support
import Testing

@testable import Configuration

/// Claims of docs/privacy.md about defaults: each title is a line of that page.
@Suite struct PrivacyTests {
    private func load(_ lines: String) throws -> FuserConfiguration {
        let folder = try TemporaryFolder()
        let text = "name: main\nmqtt: {url: mqtt://broker.lan}\n\(lines)\n"
        return try FuserConfiguration.load(path: folder.write(Array(text.utf8), to: "fuser.yaml"), environment: [:])
    }

    @Test("Keep rows in PostgreSQL for 400 days, or as long as the file says")
    func postgres() throws {
        let state = "state: /var/lib/x.sqlite\nhistory: {postgres: {connection: dbname=house"
        #expect(try load(state + "}}").postgres?.keep == .days(400))
        #expect(try load(state + ", keep: 90d}}").postgres?.keep == .days(90))
    }

    @Test("Have the defaults that the page names, and refuse to keep the audit for less than 30 days")
    func defaults() throws {
        let plain = try load("")
        #expect(plain.history == .days(30) && plain.auditAge == .days(400))
        let other = try load("history: {keep: 7d, audit: 30d}")
        #expect(other.history == .days(7) && other.auditAge == .days(30))
        #expect(throws: ConfigurationFaults.self) { try load("history: {audit: 29d}") }
    }

    @Test("Count items in metrics only where the file says so")
    func metrics() throws {
        let web = "web: {listen: \"127.0.0.1:8099\", ingress: [127.0.0.1]"
        #expect(try load(web + "}").web?.countsItems == false)
        #expect(try load(web + ", metrics_items: true}").web?.countsItems == true)
    }
}
