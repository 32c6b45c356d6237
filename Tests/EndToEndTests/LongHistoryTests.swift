import Foundation
import WireProtocol
import Support
import System
import Testing

extension Live {
    /// The long history of the built fuser, in a real PostgreSQL.
    @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.missing)")) struct LongHistories {
        private static func lines(_ server: PostgresServer) -> [String] {
            (try? server.rows(
                "SELECT epoch || ' ' || seq || ' ' || item || ' ' || kind || ' ' || (payload->>'id') FROM whereabouts.events "
                    + "WHERE payload->>'epoch' = epoch AND (payload->>'seq')::bigint = seq ORDER BY 1")) ?? []
        }

        private static func lines(_ book: EventBook) -> [String] {
            book.events.values.flatMap(\.values).map { entry in
                let event = entry.event
                return "\(event.epoch) \(event.seq) \(entry.item) \(event.kind.rawValue) \(event.id)"
            }.sorted()
        }

        @Test(
            "Have each published event in PostgreSQL over kills of both, say why where it has none, and purge there too"
        )
        func history() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let server = try PostgresServer()
            let deployment = try Deployment(broker)
            let secret = try deployment.folder.write(Array("\(PostgresServer.password)\n".utf8), to: "password")
            try setMode(0o600, of: secret)
            let file = try deployment.file(
                "fuser.yaml",
                [
                    "name: main", "state: fuser.sqlite",
                    "history: {keep: 7d, postgres: {connection: \(server.remoteConnection), password_file: password}}",
                ])
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            var house = BusyHouse(seed: 5, origin: WallClock.now(), speed: 12)
            for message in house.introductions() { recorder.publish(message) }
            var book = EventBook()
            func live(_ seconds: Double, until condition: () throws -> Bool = { false }) async throws -> Bool {
                try await until(seconds) {
                    while house.due <= WallClock.now() { for message in house.tell() { recorder.publish(message) } }
                    recorder.poll()
                    try book.take(recorder)
                    return try condition()
                }
            }
            var count: Int { book.events.values.reduce(0) { $0 + $1.count } }

            var fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(try await live(90) { count >= 3 && Self.lines(server).count >= 3 }, "\(fuser.errors)")
            fuser.process.send(SIGKILL)
            _ = try await fuser.status(within: 10)
            server.kill()
            fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
            let before = count
            #expect(try await live(90) { count >= before + 3 }, "\(fuser.errors)")
            // A password that has changed is said at once, and is in no log.
            try server.start()
            try server.execute("ALTER ROLE fuser PASSWORD 'another'")
            try server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'fuser'")
            #expect(
                try await live(60) {
                    // Before that the server may have refused connections because it was starting.
                    recorder.text(Topics().fuserClaim("main"))?.contains("long history: connect: ") == true
                        && fuser.errors.contains("password authentication failed")
                }, "\(fuser.errors)")
            #expect(!fuser.errors.contains(PostgresServer.password))
            let doctor = try RunningProgram("whereabouts", ["doctor", "--config", file])
            _ = try await live(60) { !doctor.isRunning }
            #expect(doctor.output.contains("long history: connect: "), "\(doctor.output)")
            try server.execute("ALTER ROLE fuser PASSWORD '\(PostgresServer.password)'")
            house.isStill = true
            // A row may be in PostgreSQL before its event has come.
            #expect(try await live(90) { count > 0 && Self.lines(server) == Self.lines(book) }, "\(fuser.errors)")
            #expect(book.faults.isEmpty)

            let item = try #require(book.events.values.flatMap(\.values).first?.item)
            let last = try server.rows("SELECT max(at) FROM whereabouts.events WHERE item = '\(item)'").first ?? ""
            let purge = try RunningProgram("whereabouts", ["purge", item, "--yes", "--broker", broker.url])
            _ = try await live(30) { !purge.isRunning }
            #expect(purge.output.contains("PostgreSQL deletes its rows next"), "\(purge.output) \(purge.errors)")
            let rest = "SELECT count(*) FROM whereabouts.events WHERE item = '\(item)' AND at <= '\(last)'"
            #expect(try await live(30) { try server.number(rest) == 0 })
            #expect(try await live(10) { fuser.errors.contains("the purge of '\(item)' is done in PostgreSQL too") })
            fuser.process.terminate()
            #expect(try await fuser.status(within: 10) == 0)
        }
    }
}
