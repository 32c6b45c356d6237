import Configuration
import Support
import Testing

@testable import Sites

/// The file of sites: what it may say, and every fault with its line.
@Suite struct SitesFileTests {
    private static func faults(_ text: String) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try SitesFile.load(text: text, file: "sites.yaml")
            return []
        } catch {
            return error.faults.map { "\($0.position.line): \($0.message)" }
        }
    }

    @Test("Read the sites in their order, with the defaults of what is not said")
    func good() throws {
        let sites = try SitesFile.load(
            text: """
                - id: north
                  name: North clinic
                  mqtt: {url: mqtts://north.example, username: sites, client_id: x}
                  topic_prefix: clinics/north
                  page: https://north.example/whereabouts/
                  limit: {items: 200, messages_per_second: 50}
                - {id: south, mqtt: {url: mqtt://127.0.0.1}}
                """, file: "sites.yaml")
        #expect(sites.map(\.id) == ["north", "south"] && sites.map(\.name) == ["North clinic", "south"])
        #expect(sites.map(\.topicPrefix) == ["clinics/north", "whereabouts"])
        #expect(sites.map(\.page) == ["https://north.example/whereabouts/", nil])
        #expect(sites.map(\.limit.items) == [200, 5000] && sites.map(\.limit.messagesPerSecond) == [50, 500])
        // The tool and the page connect at once.
        #expect(sites[0].mqtt.username == "sites" && sites[0].mqtt.clientID == nil)
    }

    @Test("Report all faults at once, each with its line, and accept no secret in the file")
    func faulty() throws {
        let found = Self.faults(
            """
            - {id: north, mqtt: {url: mqtt://a, password: secret}}
            - {id: North, mqtt: {url: mqtt://a}}
            - {id: north, mqtt: {url: "mqtt://user:secret@a"}}
            - {id: east, page: https://east.example}
            - {id: west, mqtt: {url: mqtt://a}, page: "javascript:alert(1)", limit: {items: 0, message: 4}}
            - {id: up, mqtt: {url: mqtt://a}, page: "https://user:secret@up.example", topic_prefix: a/+}
            """)
        #expect(
            found.map { $0.prefix { $0 != ":" } } == ["1", "2", "3", "3", "4", "5", "5", "5", "6", "6"], "\(found)")
        for words in [
            "unknown key 'password'", "the site 'north' is given twice, first in line 1", "'mqtt' is missing",
            "expected the address of a page", "a whole number from 1 to", "unknown key 'message'",
            "name and password don't belong into the address", "a topic prefix",
        ] {
            #expect(found.contains { $0.contains(words) }, "\(words): \(found)")
        }
        #expect(!found.contains { $0.contains("secret") })
    }

    @Test(
        "Refuse a file that names no site, no list, or more items than a program can hold",
        arguments: [
            ("[]", "1: the file names no site"), ("sites: []", "1: expected a list"),
            (
                "- {id: a, mqtt: {url: mqtt://a}, limit: {items: 60000}}\n"
                    + "- {id: b, mqtt: {url: mqtt://a}, limit: {items: 60000}}\n",
                "1: the 'items' of all limits are 120000 together"
            ),
        ])
    func empty(text: String, fault: String) {
        let found = Self.faults(text)
        #expect(found.count == 1 && found[0].hasPrefix(fault), "\(found)")
    }

    @Test("Name a file that is not there")
    func missing() throws {
        #expect(throws: ConfigurationFaults.self) {
            try SitesFile.load(path: "/nowhere/sites.yaml", environment: [:])
        }
    }
}
