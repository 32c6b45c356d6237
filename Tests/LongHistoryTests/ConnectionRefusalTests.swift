import Testing

@testable import LongHistory

@Suite("What libpq says of a connection that was not made")
struct ConnectionRefusalTests {
    private static let beginning = #"connection to server at "db" (10.0.0.2), port 5432 failed: "#

    @Test(
        "Try again, or at the next host, while a server starts, ends, or has no room, in any language",
        arguments: [
            "FATAL:  57P03: the database system is not yet accepting connections\nDETAIL:  Consistent recovery state has not been "
                + "yet reached.\nLOCATION:  ProcessStartupPacket, postmaster.c:2374\n",
            "FATAL:  57P03: das Datenbanksystem startet\nORT:  ProcessStartupPacket, postmaster.c:2370\n",
            "FATAL:  53300: sorry, too many clients already\nLOCATION:  InitProcess, proc.c:346\n",
            "FATAL:  57P01: terminating connection due to administrator command\nLOCATION:  ProcessInterrupts, postgres.c:3195\n",
        ])
    func unreachable(answer: String) {
        let error = HistoryError(refusal: Self.beginning + answer)
        #expect(error.kind == .unreachable)
        #expect(error.words.hasPrefix(Self.beginning) && !error.words.contains(".c:"), "\(error.words)")
    }

    @Test(
        "Name what an administrator must mend",
        arguments: [
            "FATAL:  28P01: password authentication failed for user \"anna\"\nLOCATION:  auth_failed, auth.c:335\n",
            "FATAL:  3D000: database \"house\" does not exist\nLOCATION:  InitPostgres, postinit.c:941\n",
            "FATAL:  42704: unrecognized configuration parameter \"a\"\nLOCATION:  find_option, guc.c:5647\n",
        ])
    func rejected(answer: String) {
        #expect(HistoryError(refusal: Self.beginning + answer).kind == .rejected)
    }

    @Test(
        "Take a text of libpq's own for no answer",
        arguments: [
            "could not translate host name \"db\" to address: Name or service not known\n",
            ConnectionRefusalTests.beginning
                + "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?\n",
            ConnectionRefusalTests.beginning + "session is read-only\n",
        ])
    func own(text: String) {
        #expect(HistoryError(refusal: text).kind == .unreachable)
    }
}
