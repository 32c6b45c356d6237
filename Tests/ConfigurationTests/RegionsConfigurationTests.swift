import Bytes
import Configuration
import Identity
import Testing

@Suite struct RegionsConfigurationTests {
    private func regions(_ text: String) throws -> [Region] {
        let file = "node: n\nmqtt: {url: mqtt://b}\nregions:\n" + text
        return try AgentConfiguration.load(text: file, file: "/tmp/agent.yaml").regions
    }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try regions(text)
            return []
        } catch let faults as ConfigurationFaults {
            return faults.faults.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("Read a region of a tag, a web address or its beginning, without notices of a crossing")
    func kinds() throws {
        let regions = try regions(
            """
              - {id: pets, tag: pet, notify_on_entry: false}
              - {id: sign, eddystone_url: {url: "https://example.com/a"}, notify_on_exit: false}
              - {id: signs, eddystone_url: {prefix: "https://example.com/"}, exit_after: 30s}
            """)
        #expect(
            regions.map(\.members) == [
                .tag("pet"), .url(URLPattern("https://example.com/a")),
                .url(URLPattern("https://example.com/", isPrefix: true)),
            ])
        #expect(regions.map(\.notifyOnEntry) == [false, true, true])
        #expect(regions.map(\.notifyOnExit) == [true, false, true])
        #expect(regions[2].exitAfter == .seconds(30))
    }

    @Test("Report each invalid region with its position")
    func faultsAreTold() {
        #expect(
            faults(
                """
                  - {id: a, tag: pet, item: cat}
                  - {id: b, eddystone_url: {url: "ftp://x"}}
                  - {id: c, eddystone_url: {url: "https://a", prefix: "https://b"}}
                  - {id: d, eddystone_url: {}}
                  - {id: e}
                """) == [
                    "/tmp/agent.yaml:4:5: a region has one of ibeacon, altbeacon, eddystone_uid, address, item, tag, "
                        + "eddystone_url; found item and tag",
                    "/tmp/agent.yaml:5:28: an Eddystone-URL begins with http:// or https:// and has at most 114 bytes",
                    "/tmp/agent.yaml:6:28: an Eddystone-URL is either a 'url' or a 'prefix'",
                    "/tmp/agent.yaml:7:28: an Eddystone-URL is either a 'url' or a 'prefix'",
                    "/tmp/agent.yaml:8:5: a region has one of ibeacon, altbeacon, eddystone_uid, address, item, tag, "
                        + "eddystone_url; found none",
                ])
    }
}
