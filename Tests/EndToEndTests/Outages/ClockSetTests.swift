import Bytes
import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// Programs whose wall clock is set while they run, as NTP does with a gateway that has no clock of its own.
    @Suite(.enabled(if: SetClock.compiler != nil, "no C compiler to make a clock that can be set"))
    struct ClocksThatAreSet {
        private let topics = Topics()

        private func scans(_ recorder: Recorder) -> [Scan] {
            recorder.messages.filter { $0.topic == topics.scan("kitchen") }
                .compactMap { try? Scan(payload: $0.payload.span) }
        }

        private func start(
            _ source: String, _ clock: SetClock, _ deployment: Deployment, _ more: [String] = []
        ) throws -> RunningProgram {
            let file = try deployment.agent(
                "kitchen", source: source,
                [
                    "state: kitchen.sqlite", "regions:", "  - {id: keys, item: keys, exit_after: 600s}",
                    "  - {id: cat, item: cat, exit_after: 600s}",
                ])
            return try RunningProgram("whereabouts-agent", ["--config", file] + more, environment: clock.variables)
        }

        @Test(
            "Continue a replay over a change of the clock, and publish the clock it is on",
            arguments: [86_400, -86_400] as [Int64])
        func replay(_ step: Int64) async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let clock = try SetClock()
            let capture = deployment.folder.file("household.btsnoop")
            try HouseholdCapture.write(to: capture)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let agent = try start("replay:\(capture)", clock, deployment, ["--speed", "8"])
            #expect(try await recorder.wait(20) { scans($0).count >= 4 }, "\(agent.errors)")
            let before = try #require(scans(recorder).last?.clock)
            try clock.set(step)
            #expect(try await agent.status(within: 30) == 0, "\(agent.errors)")
            #expect(
                agent.logged("the wall clock was set \(step < 0 ? "back" : "forward") by 86400.0 s") == 1,
                "\(agent.errors)")
            #expect(try await recorder.wait(20) { $0.text(topics.nodeStatus("kitchen")) == "offline" })
            let all = scans(recorder)
            #expect(all.count == 30 || all.count == 31)
            #expect(all.allSatisfy { $0.gapMilliseconds == 0 })
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.to == $1.from && $0.seq + 1 == $1.seq })
            let after = try #require(all.last?.clock)
            #expect(abs(after.origin.seconds(since: before.origin) - Double(step)) < 1)
            let events = recorder.messages.filter { $0.topic == topics.nodeEvents("kitchen") }
            #expect(try events.allSatisfy { try NodeEvent(payload: $0.payload.span).kind == .determined })
        }

        @Test(
            "Follow the wall clock with a simulated house, without departures", arguments: [3000, -3000] as [Int64])
        func simulation(_ step: Int64) async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let clock = try SetClock()
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let agent = try start("simulate:\(Deployment.flat)", clock, deployment)
            #expect(try await recorder.wait(20) { scans($0).count >= 3 }, "\(agent.errors)")
            let before = try #require(scans(recorder).last)
            try clock.set(step)
            let isThere = try await recorder.wait(20) {
                scans($0).last.map { abs($0.to.seconds(since: before.to) - Double(step)) < 60 } ?? false
            }
            #expect(isThere, "\(agent.errors)")
            // An hour at once is more than a second takes: intervals are samples, and dropped ones are counted.
            let all = scans(recorder)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.seq < $1.seq } && all.first?.seq == 1)
            let last = try #require(all.last)
            #expect(last.dropped >= last.seq - UInt64(all.count))
            let events = recorder.messages.filter { $0.topic == topics.nodeEvents("kitchen") }
            #expect(try events.allSatisfy { try NodeEvent(payload: $0.payload.span).kind != .exit })
            #expect(agent.isRunning)
        }
    }
}
