import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// Two simulated houses, each with its broker, its agents and its fuser, seen from one tool and one page.
    @Suite struct Sites {
        private struct Row: Decodable {
            var id: String
            var status: String
            var problem: String?
            var since: Double
            var items: Int
            var items_present: Int
            var nodes_online: Int
            var fusers_online: Int
            var last_message: Double?
        }

        private struct Found: Decodable {
            var site: String
            var id: String
            var room: String?
        }

        @Test("One tool and one page show two houses, name the one whose broker is gone, and show it again")
        func twoHouses() async throws {
            let north = try SiteHouse("north"), south = try SiteHouse("south")
            defer { [north, south].forEach { $0.stop() } }
            let deployment = north.deployment
            let text = [north, south].map {
                "- {id: \($0.id), mqtt: {url: \"\($0.broker.url)\"}, page: \"https://\($0.id).example/\"}\n"
            }
            let file = try deployment.folder.write(Array(text.joined().utf8), to: "sites.yaml")
            let page = try ServedPage(deployment, sites: "sites.yaml")
            try north.start(page.configuration)
            try south.start(south.deployment.fuser())
            #expect(try await page.answers(within: Live.promised(20)), "\(north.errors)")
            let (cookie, _) = try page.signIn(ServedPage.viewer)

            func list() throws -> (status: Int32, rows: [Row]) {
                let outcome = try CommandLineTests.run("whereabouts", ["sites", "--json", "--sites", file])
                return (
                    outcome.status, try outcome.lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
                )
            }
            func shown() throws -> [Row] {
                struct Answer: Decodable { var sites: [Row] }
                let body = try page.send("GET", "/api/sites", [cookie]).body
                return try JSONDecoder().decode(Answer.self, from: Data(body.utf8)).sites
            }
            func areWell(_ rows: [Row]) -> Bool {
                rows.map(\.id) == ["north", "south"]
                    && rows.allSatisfy { row in
                        row.status == "online" && row.items_present >= 2 && row.nodes_online == 3
                            && row.fusers_online == 1 && row.last_message != nil
                    }
            }
            #expect(try await until(Live.promised(60)) { areWell(try shown()) }, "\(south.errors)")
            let both = try list()
            #expect(both.status == 0 && areWell(both.rows), "\(both)")

            // A search over both, and a command at one of them.
            let found = try CommandLineTests.run("whereabouts", ["sites", "find", "KEY", "--json", "--sites", file])
            let keys = try found.lines.map { try JSONDecoder().decode(Found.self, from: Data($0.utf8)) }
            #expect(found.status == 0 && keys.map(\.site) == ["north", "south"] && keys.allSatisfy { $0.id == "keys" })
            let items = try page.send("GET", "/api/sites/items?find=keys", [cookie]).body
            for site in ["north", "south"] { #expect(items.contains(#""site":"\#(site)""#), "\(items)") }
            let nothing = try CommandLineTests.run("whereabouts", ["sites", "find", "elephant", "--sites", file])
            #expect(nothing.status == 1 && nothing.error.contains("no site has 'elephant'"))
            let synced = try CommandLineTests.run(
                "whereabouts",
                ["watch", "--site", "south", "--sites", file, "--changes", "1", "--for", "30s", "--json"])
            #expect(synced.status == 0, "\(synced.error)")

            // The broker of one house is gone: its row says so, and the other one is as before.
            south.broker.kill()
            let began = Date()
            let lost = try list()
            #expect(Date().timeIntervalSince(began) < Live.promised(10))
            #expect(lost.status == 1 && lost.rows.map(\.status) == ["online", "unreachable"], "\(lost)")
            #expect(lost.rows[1].problem != nil)
            #expect(try await until(Live.promised(20)) { try shown()[1].status == "unreachable" })
            let kept = try shown()
            // The figures that were known stay.
            #expect(kept[0].status == "online" && kept[1].items == both.rows[1].items, "\(kept)")
            let partial = try CommandLineTests.run("whereabouts", ["sites", "find", "keys", "--sites", file])
            #expect(partial.status == 1 && partial.lines.count == 2 && partial.error.contains("south is not searched"))
            // The page finds what it knew of that house, and says that it may be old.
            let old = try page.send("GET", "/api/sites/items?find=keys", [cookie]).body
            #expect(old.contains(#""site":"south""#) && old.contains(#""incomplete":["south"]"#), "\(old)")

            try south.broker.start()
            #expect(try await until(Live.promised(60)) { areWell(try shown()) }, "\(south.errors)")
            let back = try list()
            #expect(back.status == 0 && areWell(back.rows), "\(back)")
        }

        @Test("A search names each site that it did not search wholly, and denies only for the others")
        func incomplete() async throws {
            let north = try SiteHouse("north")
            defer { north.stop() }
            try north.start(north.deployment.fuser())
            let recorder = try Recorder(north.broker)
            #expect(try await recorder.ready())
            recorder.publish(
                Message(topic: "rubbish/items/mug/config", text: "{{{", qos: .atLeastOnce, retained: true))
            #expect(try await recorder.wait(20) { $0.latest["rubbish/items/mug/config"] != nil })
            let entries = [
                ("north", "topic_prefix: whereabouts"), ("mistyped", "topic_prefix: whereabout"),
                ("full", "limit: {items: 1}"), ("rubbish", "topic_prefix: rubbish"),
            ].map { id, key in "- {id: \(id), mqtt: {url: \"\(north.broker.url)\"}, \(key)}\n" }
            func find(_ word: String, _ entries: ArraySlice<String>) throws -> Execution.Outcome {
                let file = try north.deployment.folder.write(Array(entries.joined().utf8), to: "sites.yaml")
                return try CommandLineTests.run("whereabouts", ["sites", "find", word, "--sites", file])
            }
            let isThere = try await until(Live.promised(60)) { try find("keys", entries[...0]).status == 0 }
            #expect(isThere, "\(north.errors)")

            let found = try find("keys", entries[...])
            #expect(found.status == 1 && found.lines.count >= 2 && !found.error.contains("north is"), "\(found)")
            for words in [
                "mistyped is silent, and not wholly searched: nothing of a house is there: check topic_prefix",
                "full is not wholly searched: left out: ", "items beyond the limit",
                "rubbish is silent, and not wholly searched: ", "left out: 1 unreadable messages",
            ] {
                #expect(found.error.contains(words), "\(words): \(found.error)")
            }
            let some = try find("elephant", entries[...])
            #expect(some.status == 1 && some.error.contains("no site that was wholly searched has 'elephant'"))
            let none = try find("elephant", entries[1...])
            #expect(none.status == 1 && none.lines.isEmpty && !none.error.contains("elephant"), "\(none)")
        }

        @Test("The bridge of docs/sites.md brings a house to the broker of another")
        func bridge() async throws {
            let document = try String(contentsOfFile: Repository.root + "/docs/sites.md", encoding: .utf8)
            let block = try #require(
                document.components(separatedBy: "```").first { $0.contains("connection head-office") })
            let office = try Broker()
            // The office's broker has no TLS here.
            let lines = block.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("bridge_cafile ") }.map {
                $0.hasPrefix("address ") ? "address 127.0.0.1:\(office.port)" : $0
            }
            let north = try SiteHouse("north", bridge: lines)
            defer { north.stop() }
            try north.start(north.deployment.fuser())
            let folder = try TemporaryFolder()
            let entry = "- {id: north, mqtt: {url: \"\(office.url)\"}, topic_prefix: north}\n"
            let file = try folder.write(Array(entry.utf8), to: "sites.yaml")
            func row() throws -> Row? {
                let outcome = try CommandLineTests.run("whereabouts", ["sites", "--json", "--sites", file])
                return try outcome.lines.first.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
            }
            let isThere = try await until(Live.promised(60)) {
                guard let row = try row() else { return false }
                return row.status == "online" && row.items_present >= 2 && row.nodes_online == 3
                    && row.fusers_online == 1
            }
            let last = try row()
            #expect(isThere, "\(last.map { "\($0)" } ?? "no row") \(north.errors)")
            let found = try CommandLineTests.run("whereabouts", ["sites", "find", "keys", "--json", "--sites", file])
            #expect(found.status == 0 && found.lines.count == 1, "\(found)")
        }

        @Test("A site that floods and sends rubbish is bounded and counted, and delays no room of this house")
        func hostile() async throws {
            let north = try SiteHouse("north")
            defer { north.stop() }
            let hostile = try Broker()
            let text =
                "- {id: hostile, mqtt: {url: \"\(hostile.url)\"}, limit: {items: 10, messages_per_second: 20}}\n"
            _ = try north.deployment.folder.write(Array(text.utf8), to: "sites.yaml")
            let page = try ServedPage(north.deployment, sites: "sites.yaml")
            try north.start(page.configuration)
            #expect(try await page.answers(within: Live.promised(20)), "\(north.errors)")
            let (cookie, _) = try page.signIn(ServedPage.viewer)
            #expect(
                try await until(Live.promised(10)) {
                    try page.send("GET", "/api/sites", [cookie]).body.contains(#""status":"online""#)
                })
            let recorder = try Recorder(hostile)
            #expect(try await recorder.ready())
            let name = String(repeating: "x", count: 500)
            let answer =
                #"{"v":1,"fuser":"m","person":true,"name":"\#(name)","state":"present","room":"a","confidence":1,"#
                + #""since":1,"at":1}"#
            for number in 0..<5000 {
                recorder.publish(
                    Message(topic: "whereabouts/items/i\(number % 100)/location", text: answer, qos: .atLeastOnce))
                recorder.publish(
                    Message(topic: "whereabouts/items/i\(number % 100)/config", text: "{{{", qos: .atLeastOnce))
            }
            let isBounded = try await until(Live.promised(30)) {
                let body = try page.send("GET", "/api/sites", [cookie]).body
                return body.contains(#""persons":10,"#) && body.contains(#""left_out":{"items":90,"names":10"#)
                    && !body.contains(#""messages":0"#) && !body.contains(#""unreadable":0"#)
            }
            let shown = try page.send("GET", "/api/sites", [cookie]).body
            #expect(isBounded, "\(shown)")
            // This house goes on.
            let watch = try CommandLineTests.run(
                "whereabouts", ["watch", "--broker", north.broker.url, "--changes", "1", "--for", "30s", "--json"])
            #expect(watch.status == 0, "\(watch.error)")
        }
    }
}

/// A simulated flat with its broker.
private final class SiteHouse {
    let id: String
    let broker: Broker
    let deployment: Deployment
    private var programs: [RunningProgram] = []

    init(_ id: String, bridge: [String] = []) throws {
        self.id = id
        broker = try Broker(bridge)
        deployment = try Deployment(broker)
    }

    /// Starts its agents, and a fuser of this configuration.
    func start(_ configuration: String) throws {
        programs = try deployment.startAgents()
        programs.append(try RunningProgram("whereabouts-fuser", ["--config", configuration]))
    }

    var errors: String { programs.map(\.errors).joined(separator: "\n") }

    func stop() {
        for program in programs { program.process.terminate() }
    }
}
