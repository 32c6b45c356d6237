import Support
import Testing

@testable import Agent
import HCI
import Store
import System

@Suite("The adapter of hci:auto over a restart")
struct AdapterMemoryTests {
    private let log = Log(level: .warning, style: .plain)

    @Test("Store the adapter in the first run and use it in the next, and likewise its replacement")
    func kept() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        for (before, now) in [
            (nil, "00:aa:ee:00:00:01"), ("00:aa:ee:00:00:01", "00:aa:ee:00:00:01"),
            ("00:aa:ee:00:00:01", "00:aa:ee:00:00:02"), ("00:aa:ee:00:00:02", "00:aa:ee:00:00:02"),
        ] {
            let memory = try NodeMemory(path: path, node: "kitchen", at: Node.time(0), log: log)
            #expect(memory.adapter() == before)
            let written = memory.store.statistics.transactions
            memory.persist(adapter: now, at: Node.time(1))
            memory.persist(adapter: now, at: Node.time(2))
            // A card is worn by writes.
            #expect(memory.store.statistics.transactions - written == (before == now ? 0 : 1))
            memory.close(at: Node.time(3))
        }
    }

    @Test("Remember an adapter for hci:auto only, and only after it was found")
    func others() throws {
        let auto = try Source.adapter(.auto).open(remembering: "00:aa:ee:00:00:01", log: log)
        #expect(auto.chosenAdapter == "00:aa:ee:00:00:01")
        #expect(try Source.adapter(.auto).open(log: log).chosenAdapter == nil)
        #expect(try Source.adapter(.auto).open(remembering: "hci0", log: log).chosenAdapter == nil)
        #expect(try Source.adapter(.index(7)).open(remembering: "00:aa:ee:00:00:01", log: log).chosenAdapter == nil)
        #expect(try Source.pipe("-").open(remembering: "00:aa:ee:00:00:01").chosenAdapter == nil)
    }
}
