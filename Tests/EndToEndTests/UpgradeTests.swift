import Bytes
import Foundation
import Store
import Support
import Testing

extension Live {
    /// States of other versions than the programs' own.
    @Suite struct Upgrades {
        @Test(
            "A program refuses the state of a newer version in words, ends, and leaves it as it is",
            arguments: ["whereabouts-agent", "whereabouts-fuser"])
        func newer(program: String) async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let state = deployment.folder.file("state.sqlite")
            let isAgent = program == "whereabouts-agent"
            let contents: StateStore.Contents = isAgent ? .node : .house
            let now = Timestamp(microseconds: 1_790_000_000_000_000)
            do { try StateStore(path: state, holding: contents, at: now).close(at: now) }
            let url = URL(filePath: state)
            let known = try Data(contentsOf: url)
            // The schema's version in the header (sqlite.org/fileformat.html section 1.3.15).
            var newer = known
            newer[63] = UInt8(contents.newestSchema + 1)
            try newer.write(to: url)
            let lines = ["state: \(state)"]
            let file =
                isAgent
                ? try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)", lines)
                : try deployment.file("fuser.yaml", ["name: main"] + lines)
            let refused = try RunningProgram(program, ["--config", file])
            #expect(try await refused.status(within: 20) == 2, "\(refused.errors)")
            let words =
                "its schema has version \(contents.newestSchema + 1), and this program knows \(contents.newestSchema)"
            #expect(refused.logged(words) == 1 && refused.logged("install the newer version") == 1, "\(refused.errors)")
            #expect(try Data(contentsOf: url) == newer)
            try known.write(to: url)
            let running = try RunningProgram(program, ["--config", file])
            #expect(try await until(20) { running.logged("connected") > 0 }, "\(running.errors)")
            #expect(running.logged("schema") == 0, "\(running.errors)")
        }
    }
}
