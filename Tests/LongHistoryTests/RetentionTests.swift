import Bytes
import Support
import Testing

@testable import LongHistory

/// Deletions that take longer than the server allows for a statement.
@Suite(.oneByOne, .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.missing)"))
struct RetentionTests {
    private static let old = HistoryClient.start.advanced(bySeconds: -86400 * 10)
    /// Enough rows for many pages.
    private static let count = 1000
    private static let rows = "SELECT site || ' ' || count(*) FROM whereabouts.events GROUP BY site ORDER BY site"

    /// A server with old rows of two houses, of which one keeps them.
    private func makeServer() throws -> PostgresServer {
        let server = try PostgresServer()
        for site in ["long", "short"] {
            let client = try HistoryClient(server.connection, site: site)
            let number = try #require(client.connected()).number
            #expect(client.maintained())
            client.history.write(
                HistoryClient.events(0, UInt64(Self.count), connection: number, start: Self.old))
            #expect(client.written() == UInt64(Self.count))
            client.history.stop()
        }
        try delayDeletions(server, by: 0)
        try server.execute(
            "CREATE TRIGGER delay BEFORE DELETE ON whereabouts.events FOR EACH ROW EXECUTE FUNCTION whereabouts.delay()"
        )
        return server
    }

    /// Makes each deletion of an event take a time in seconds.
    private func delayDeletions(_ server: PostgresServer, by seconds: Double) throws {
        try server.execute(
            """
            CREATE OR REPLACE FUNCTION whereabouts.delay() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(\(seconds)); RETURN OLD; END $$
            """)
    }

    private func connect(to server: PostgresServer) throws -> HistoryClient {
        try HistoryClient(server.connection, site: "short", keep: .seconds(86400 * 5), timeout: .seconds(1))
    }

    @Test("Delete old rows of which all at once take longer than the server allows")
    func slices() throws {
        let server = try makeServer()
        // Two seconds for all of them.
        try delayDeletions(server, by: 0.002)
        let client = try connect(to: server)
        #expect(client.maintained())
        #expect(try server.rows(Self.rows) == ["long \(Self.count)"])
    }

    @Test("Write rows although none of the old ones can be deleted, and delete those later")
    func export() throws {
        let server = try makeServer()
        try delayDeletions(server, by: 3600)
        let client = try connect(to: server)
        let number = try #require(client.connected()).number
        let outcome = client.wait { report -> HistoryError? in
            switch report {
            case .warning(let error), .failed(let error): error
            default: nil
            }
        }
        let error = try #require(outcome)
        #expect(error.kind == .statement && error.purpose == "delete old rows" && error.words.hasSuffix("(57014)"))
        let next = UInt64(Self.count)
        client.history.write(HistoryClient.events(next, next + 10, connection: number))
        #expect(client.written() == next + 10)
        #expect(try server.rows(Self.rows) == ["long \(Self.count)", "short \(Self.count + 10)"])
        client.history.stop()

        try delayDeletions(server, by: 0)
        let second = try connect(to: server)
        #expect(second.maintained())
        #expect(try server.rows(Self.rows) == ["long \(Self.count)", "short 10"])
    }

    @Test("Purge an item whose rows all at once take longer than the server allows")
    func purge() throws {
        let server = try makeServer()
        try delayDeletions(server, by: 0.002)
        let client = try HistoryClient(server.connection, site: "short", timeout: .seconds(1))
        #expect(client.connected() != nil)
        let purge = HistoryPurge(item: "keys", before: HistoryClient.start, isWhole: false)
        client.history.purge(purge)
        let outcome = client.wait { report -> String? in
            switch report {
            case .purged(purge, let rows): "\(rows) rows"
            case .failed(let error): "\(error)"
            default: nil
            }
        }
        #expect(outcome == "\(Self.count) rows")
        #expect(try server.rows(Self.rows) == ["long \(Self.count)"])
    }

    @Test("Tell a statement that was ended from a server that ends")
    func states() {
        for (state, kind) in [
            ("57014", HistoryError.Kind.statement), ("57P01", .unreachable), ("57P03", .unreachable),
            ("55P03", .statement), ("08006", .unreachable),
        ] {
            #expect(HistoryError(state: state, purpose: "test", words: "").kind == kind, "\(state)")
        }
    }
}
