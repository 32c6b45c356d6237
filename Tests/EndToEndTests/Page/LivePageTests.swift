import Foundation
import Support
import Testing

extension Live {
    /// The page of a fuser beside a broker and a simulated flat, as a browser would use it.
    @Suite struct LivePage {
        @Test("Show the flat to whoever signs in, and let nobody else change it")
        func house() async throws {
            let flat = try ServedFlat()
            defer { flat.stop() }
            let page = flat.page
            #expect(try await page.answers(within: Live.promised(20)), "\(flat.fuser.errors)")

            // Nothing is told to strangers.
            #expect(try page.send("GET", "/").status == 200)
            #expect(try page.send("GET", "/api/items").status == 401)
            let (cookie, csrf) = try page.signIn(ServedPage.viewer)

            // The state comes first, then what changes.
            let stream = try page.open("/events", cookie)
            let begin = stream.receive(until: "event: ready", seconds: 10)
            #expect(begin.contains("event: reset") && begin.contains(#"["house",{"name":"main""#))
            let moved = stream.receive(until: #"["events/"#, seconds: Live.promised(30))
            #expect(moved.contains(#"["items/"#) && moved.contains(#"["nodes/kitchen/scan","#))
            let last = try #require(ServedPage.lastID(in: begin + moved))

            // Another connection goes on there, without the snapshot.
            let second = try page.open("/events", cookie, ["Last-Event-ID: \(last)"])
            let rest = second.receive(until: #""nodes/"#, seconds: 10)
            #expect(rest.contains("event: changes") && !rest.contains("event: reset"))
            #expect(!rest.contains(#"["house","#))

            // Levels are made while somebody asks for them.
            let levels = try page.open("/events?topics=levels/keys", cookie)
            #expect(levels.receive(until: #""nodes":{""#, seconds: 10).contains(#"["levels/keys",{"at":"#))

            let items = try page.send("GET", "/api/items", [cookie]).body
            #expect(items.contains(#"{"id":"cat","config":{"#) && items.contains(#""location":{"#))
            let why = try page.send("GET", "/api/items/keys/why", [cookie])
            #expect(why.status == 200 && why.body.contains(#""why":{"#))
            #expect(try page.send("GET", "/api/items/nobody/why", [cookie]).status == 404)
            #expect(try page.send("GET", "/api/items/keys/history", [cookie]).body.contains(#""history":{"#))

            // A viewer changes nothing, with the right text either.
            let write = [cookie, csrf, ServedPage.json]
            let entry = #"{"v":1,"id":"mug","name":"Mug","address":"aa:bb:cc:dd:ee:ff"}"#
            #expect(try page.send("PUT", "/api/items/mug", write, body: entry).status == 403)
            #expect(try page.send("DELETE", "/api/items/cat", write).status == 403)

            let end = try page.send("DELETE", "/api/session", [cookie, csrf])
            #expect(end.status == 204)
            for stream in [stream, second, levels] {
                #expect(stream.receive(until: "0\r\n\r\n", seconds: 5).hasSuffix("0\r\n\r\n"))
            }
            #expect(try page.send("GET", "/api/items", [cookie]).status == 401)
        }

        @Test("Draw the plan by the page: it stands beside what the file says, and is there after a crash")
        func plan() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let page = try ServedPage(deployment)
            var fuser = try RunningProgram("whereabouts-fuser", ["--config", page.configuration])
            defer { fuser.process.terminate() }
            #expect(try await page.answers(within: Live.promised(20)), "\(fuser.errors)")
            let (cookie, csrf) = try page.signIn(ServedPage.admin)
            #expect(try page.send("GET", "/api/plan", [cookie]).head.contains("ETag: \"0\""))

            let plan = #"{"rev":0,"rooms":[{"id":"attic","name":"Attic","polygon":[[0,0],[4,0],[4,3]]}],"nodes":[]}"#
            let write = [cookie, csrf, ServedPage.json, "If-Match: \"0\""]
            #expect(try page.send("PUT", "/api/plan", write, body: plan).status == 200)
            #expect(try page.send("PUT", "/api/plan", write, body: plan).status == 412)
            let drawn = #"{"id":"attic","name":"Attic","polygon":[[0,0],[4,0],[4,3]],"next_to":[],"from":"plan"}"#
            #expect(
                try await until(10) { try page.send("GET", "/api/house", [cookie]).body.contains(drawn) })
            // It keeps no state: the next one has the plan from the broker.
            let recorder = try Recorder(broker, ["whereabouts/house/plan"])
            #expect(try await recorder.wait(10) { $0.text("whereabouts/house/plan") != nil })
            fuser.process.send(SIGKILL)
            _ = fuser.process.wait()
            fuser = try RunningProgram("whereabouts-fuser", ["--config", page.configuration])
            #expect(try await page.answers(within: Live.promised(20)), "\(fuser.errors)")
            let again = try page.signIn(ServedPage.admin).cookie
            #expect(
                try await until(10) { try page.send("GET", "/api/plan", [again]).head.contains("ETag: \"1\"") })
        }

        @Test("Set the offset of a node, see how it hears rooms, and ask the doctor")
        func nodes() async throws {
            let flat = try ServedFlat()
            defer { flat.stop() }
            let page = flat.page
            #expect(try await page.answers(within: Live.promised(20)), "\(flat.fuser.errors)")
            let (cookie, csrf) = try page.signIn(ServedPage.admin)
            func info(_ text: String) async throws -> Bool {
                try await until(10) {
                    (try? page.send("GET", "/api/nodes/kitchen", [cookie]).body.contains(text)) ?? false
                }
            }
            #expect(try await info(#""offset_db":0"#))
            let reception = try page.open("/events?topics=reception", cookie)
            #expect(reception.receive(until: #""rooms":{""#, seconds: Live.promised(20)).contains(#""nodes":{"#))

            let path = "/api/nodes/kitchen/offset"
            #expect(
                try page.send("PUT", path, [cookie, csrf, ServedPage.json], body: #"{"offset_db":-7}"#).status == 200)
            #expect(try await info(#""offset_db":-7,"overridden":["offset_db"]"#))
            #expect(try page.send("DELETE", path, [cookie, csrf]).status == 200)
            #expect(try await info(#""offset_db":0"#))

            let said = try page.send("GET", "/api/doctor", [cookie]).body
            #expect(said.contains(#"{"fuser":"main","check":"broker","verdict":"ok""#))
            #expect(said.contains(#"{"node":"kitchen","check":"agent","verdict":"ok""#))
            let changes = try page.send("GET", "/api/audit", [cookie]).body
            #expect(changes.contains(#""method":"PUT","path":"/api/nodes/kitchen/offset","status":200"#))
        }

        @Test("Register, silence, teach and remove by the page, as the commands do")
        func operate() async throws {
            let flat = try ServedFlat()
            defer { flat.stop() }
            let page = flat.page
            #expect(try await page.answers(within: Live.promised(20)), "\(flat.fuser.errors)")
            let (cookie, csrf) = try page.signIn(ServedPage.admin)
            let write = [cookie, csrf, ServedPage.json]
            func item(_ id: String, _ text: String) async throws -> Bool {
                try await until(10) {
                    (try? page.send("GET", "/api/items/\(id)", [cookie]).body.contains(text)) ?? false
                }
            }

            let entry = #"{"v":1,"id":"mug","name":"Mug","address":"aa:bb:cc:dd:ee:ff"}"#
            #expect(try page.send("PUT", "/api/items/mug", write, body: entry).status == 200)
            #expect(try await item("mug", #""config":{"v":1,"id":"mug","name":"Mug""#))
            let taken = try page.send(
                "PUT", "/api/items/cup", write, body: entry.replacingOccurrences(of: "mug", with: "cup"))
            #expect(taken.status == 409 && taken.body.contains("'mug' already"))
            let silences = try page.open("/events?topics=silences", cookie)
            #expect(silences.receive(until: "ready", seconds: 10).contains(#"["silences",{"items":{}}]"#))
            #expect(try page.send("POST", "/api/items/mug/silence", write, body: #"{"for":60}"#).status == 200)
            #expect(silences.receive(until: "mug", seconds: 10).contains(#"["silences",{"items":{"mug""#))
            #expect(try await item("keys", #""location":{"#))
            let lesson = try page.send(
                "POST", "/api/lessons", write, body: #"{"item":"keys","room":"kitchen","for":300}"#)
            #expect(lesson.status == 200 && lesson.body.contains(#""lesson":{"#), "\(lesson)")
            #expect(try page.send("GET", "/api/lessons/current/keys", [cookie]).status == 200)
            #expect(try page.send("DELETE", "/api/lessons/current/keys?discard=true", write).status == 200)
            #expect(try page.send("GET", "/api/lessons/current/cat", [cookie]).status == 404)
            #expect(try page.send("DELETE", "/api/items/mug", write).status == 200)
            #expect(try await item("mug", #""config":{"v":1,"id":"mug","removed":"#))
            #expect(try page.send("DELETE", "/api/items/mug", write).status == 404)

            // Who did all that stands in the audit, the newest first.
            let audit = try page.send("GET", "/api/audit", [cookie]).body
            #expect(audit.hasPrefix(#"{"changes":[{"number":7,"#), "\(audit)")
            #expect(
                audit.contains(
                    #""role":"admin","address":"127.0.0.1","method":"PUT","path":"/api/items/mug","status":200"#))
            #expect(audit.contains(#""path":"/api/items/cup","status":409"#))
        }

        @Test("Keep sessions over a restart, and keep those ended that were")
        func restart() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let page = try ServedPage(deployment, state: "fuser.db")
            func start() async throws -> RunningProgram {
                let fuser = try RunningProgram("whereabouts-fuser", ["--config", page.configuration])
                #expect(try await page.answers(within: Live.promised(20)), "\(fuser.errors)")
                return fuser
            }
            var fuser = try await start()
            defer { fuser.process.terminate() }
            let (cookie, csrf) = try page.signIn(ServedPage.viewer)
            let (ended, csrfOfEnded) = try page.signIn(ServedPage.viewer)
            #expect(try page.send("DELETE", "/api/session", [ended, csrfOfEnded]).status == 204)
            fuser.process.terminate()
            #expect(try await fuser.status(within: 10) == 0)
            fuser = try await start()
            let again = try page.send("GET", "/api/session", [cookie])
            #expect(again.status == 200 && again.body.contains(csrf.dropFirst("X-CSRF-Token: ".count)))
            #expect(try page.send("GET", "/api/session", [ended]).status == 401)
            // Other tokens end what was signed by the former ones.
            try page.writeTokens("viewer:another-\(ServedPage.viewer)\n")
            fuser.process.terminate()
            #expect(try await fuser.status(within: 10) == 0)
            fuser = try await start()
            #expect(try page.send("GET", "/api/session", [cookie]).status == 401)
        }
    }
}
