import Support
import Testing

extension Live {
    /// A watch that nobody answers.
    @Suite struct UnansweredWatch {
        @Test("A watch without an answer ends with 1 after its time, not after a minute")
        func unanswered() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let file = try deployment.file("fuser.yaml", [])
            let watch = try RunningProgram("whereabouts", ["watch", "--config", file, "--for", "1s"])
            #expect(try await watch.status(within: 50) == 1, "\(watch.errors)")
            #expect(watch.errors.contains("within 20 s"), "\(watch.errors)")
        }
    }
}
