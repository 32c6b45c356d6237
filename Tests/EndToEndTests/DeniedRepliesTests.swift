import Support
import Testing
import WireProtocol

extension Live {
    /// Commands with rights that don't reach to answers of their own, as those of a gateway.
    @Suite struct DeniedReplies {
        @Test("A list is read as far as it goes; an export and a question say what they lack")
        func replies() async throws {
            let broker = try Broker()
            let relay = try DenyingRelay(to: broker.port)
            relay.deny { $0.hasPrefix("whereabouts/replies/") }
            let deployment = try Deployment(broker)
            let fuser = try deployment.startFuser()
            #expect(try await until(20) { fuser.logged("connected to") == 1 }, "\(fuser.errors)")
            let url = "mqtt://127.0.0.1:\(relay.port)"
            let list = try RunningProgram("whereabouts", ["items", "list", "--broker", url])
            #expect(try await list.status(within: 40) == 0, "\(list.errors)")
            #expect(!list.errors.contains("denied"), "\(list.errors)")
            #expect(list.errors.contains("the list may lack entries"), "\(list.errors)")
            // What is written, or kept, must be whole.
            let export = try RunningProgram("whereabouts", ["items", "export", "--broker", url])
            #expect(try await export.status(within: 40) == 1, "\(export.errors)")
            #expect(export.errors.contains("denied reading whereabouts/replies/"), "\(export.errors)")
            #expect(relay.denials.keys.contains { $0.hasPrefix("whereabouts/replies/") })
            let why = try RunningProgram("whereabouts", ["why", "keys", "--fuser", "main", "--broker", url])
            #expect(try await why.status(within: 60) == 1, "\(why.errors)")
            #expect(why.errors.contains("denied reading whereabouts/replies/"), "\(why.errors)")
        }
    }
}
