import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// Claims of docs/privacy.md that a running fuser proves: each title is a line of that page.
    @Suite struct Privacy {
        private func say(_ broker: Broker, _ words: [String]) throws -> Execution.Outcome {
            try Execution.run(Execution.path(of: "whereabouts"), words + ["--broker", broker.url])
        }

        /// A fuser with a state, and an item that was registered while it ran.
        private func house(_ body: (Broker, Recorder) async throws -> Void) async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let fuser = try RunningProgram(
                "whereabouts-fuser",
                ["--config", deployment.file("fuser.yaml", ["name: main", "state: fuser.sqlite"])])
            defer { fuser.process.terminate() }
            let isThere = try await recorder.wait(20) { $0.text(Topics().fuserStatus("main")) == "online" }
            #expect(isThere, "\(fuser.errors)")
            let add = try say(broker, ["items", "add", "mug", "--name", "Annas mug", "--address", "aa:bb:cc:dd:ee:ff"])
            #expect(add.status == 0, "\(add.error)")
            #expect(
                try await until(10) { try say(broker, ["audit", "--subject", "mug", "--json"]).lines.count == 1 })
            try await body(broker, recorder)
        }

        @Test("A page of several sites has what it reads of the others in memory alone.")
        func sites() async throws {
            let (here, there) = (try Broker(), try Broker())
            let deployment = try Deployment(here)
            let text = "- {id: north, mqtt: {url: \"\(there.url)\"}}\n"
            _ = try deployment.folder.write(Array(text.utf8), to: "sites.yaml")
            let page = try ServedPage(deployment, state: "fuser.sqlite", sites: "sites.yaml")
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", page.configuration])
            #expect(try await page.answers(within: Live.promised(20)), "\(fuser.errors)")
            #expect(
                try say(there, ["items", "add", "mug", "--name", "Zenobias mug", "--address", "aa:bb:cc:dd:ee:ff"])
                    .status == 0)
            let (cookie, _) = try page.signIn(ServedPage.viewer)
            let isFound = try await until(Live.promised(20)) {
                try page.send("GET", "/api/sites/items?find=zenobias", [cookie]).body.contains("Zenobias mug")
            }
            #expect(isFound, "\(fuser.errors)")
            fuser.process.terminate()
            #expect(try await fuser.status(within: 20) == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: deployment.folder.path)
            #expect(files.contains("fuser.sqlite"))
            for name in files {
                let bytes = try Data(contentsOf: URL(filePath: deployment.folder.file(name)))
                #expect(bytes.range(of: Data("Zenobia".utf8)) == nil, "\(name)")
            }
        }

        @Test("A purge stands in the audit itself, with user and time, and without content.")
        func purges() async throws {
            try await house { broker, _ in
                let before = try say(broker, ["audit", "--json"])
                #expect(String(decoding: before.output, as: UTF8.self).contains("Annas mug"))
                #expect(try say(broker, ["purge", "mug", "--yes"]).status == 0)
                let after = try say(broker, ["audit", "--json"])
                #expect(!String(decoding: after.output, as: UTF8.self).contains("Annas mug"))
                let line = try #require(after.lines.last)
                let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(row["action"] as? String == "purge" && row["subject"] as? String == "mug")
                #expect((row["user"] as? String)?.isEmpty == false && row["at"] is Double)
                #expect(row["before"] == nil && row["after"] == nil)
            }
        }

        @Test("A purge names the fusers that are offline: repeat it when they are back.")
        func offline() async throws {
            try await house { broker, recorder in
                recorder.publish(
                    Message(
                        topic: Topics().fuserStatus("cellar"), payload: Array("offline".utf8), qos: .atLeastOnce,
                        retained: true))
                let isThere = try await recorder.wait(10) { $0.text(Topics().fuserStatus("cellar")) == "offline" }
                #expect(isThere)
                let purge = try say(broker, ["purge", "mug", "--yes"])
                #expect(purge.error.contains("not asked, since offline: cellar"), "\(purge.error)")
            }
        }

        @Test(
            "What is retained of a rollout stays until it, or the next after an interrupted one, ends with nothing left to give back.",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func rollout() async throws {
            let house = try await FleetHouse(["bath"])
            let topic = Topics().rollout
            func isRetained() -> Bool {
                house.recorder.poll()
                return house.recorder.latest[topic].map { !$0.payload.isEmpty } ?? false
            }
            let file = try house.settings("all: {exit_after: 20s}\n", "exits.yaml")
            let words = ["--baseline", "5s", "--wait", "5s"]
            let first = try house.apply(file, words)
            #expect(try await until(20) { isRetained() }, "\(first.errors)")
            #expect(try await first.status(within: 60) == 0, "\(first.errors)")
            #expect(try await until(5) { !isRetained() })

            let other = try house.settings("all: {exit_after: 25s}\n", "other.yaml")
            let killed = try house.apply(other, words)
            #expect(try await until(20) { isRetained() })
            killed.process.send(SIGKILL)
            _ = try await killed.status(within: 10)
            let isInterrupted = try await until(90) {
                try house.run("status", other).lines.contains { $0.contains("was interrupted") }
            }
            #expect(isInterrupted && isRetained())
            let next = try house.apply(other, words)
            #expect(try await next.status(within: 120) == 0, "\(next.errors)")
            #expect(try await until(5) { !isRetained() })
        }

        @Test("A purge leaves the item's entry in the registry.")
        func entry() async throws {
            try await house { broker, recorder in
                #expect(try say(broker, ["purge", "mug", "--yes"]).status == 0)
                _ = try await recorder.wait(1)
                #expect(recorder.text(Topics().itemConfig("mug"))?.contains("Annas mug") == true)
                #expect(try say(broker, ["items", "remove", "mug"]).status == 0)
                let isGone = try await recorder.wait(10) {
                    $0.text(Topics().itemConfig("mug"))?.contains("Annas mug") == false
                }
                #expect(isGone)
            }
        }
    }
}
