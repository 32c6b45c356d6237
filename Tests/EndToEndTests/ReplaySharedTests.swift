import WireProtocol
import Support
import Testing

extension Live {
    /// Real captures that are not ours to store: the repository holds their counts and the digests of their
    /// publications.
    @Suite(.enabled(if: SharedMaterial.path("captures") != nil, "the shared captures are not here"))
    struct ReplayShared {
        struct Capture: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var iBeacons: Int
            var digest: String
        }

        static let captures = [
            Capture(
                testDescription: "epfl-crowd-01.btsnoop", iBeacons: 350,
                digest: "256ec4f94764e8a211851fd20a3e73fca418c1358b65fed7c6b4af96a32ae286"),
            Capture(
                testDescription: "epfl-crowd-15.btsnoop", iBeacons: 1901,
                digest: "22cfec4e9285cd85dc8c52e9918187b05287c78450400d2b81868656d6045bec"),
            Capture(
                testDescription: "epfl-crowd-18.btsnoop", iBeacons: 2850,
                digest: "a3990046a5efeb5f92527a5632d9ee8da03942f696fef9160bb16bb44f00267d"),
        ]

        @Test("Publish every window once in a replay at full speed, and end by itself", arguments: captures)
        func windows(capture: Capture) async throws {
            let path = try #require(SharedMaterial.path("captures/\(capture.testDescription)"))
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let configuration = try deployment.agent("replayed", source: "replay:\(path)", ["publish: all"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", configuration, "--speed", "max"])
            #expect(try await agent.status(within: 60) == 0, "\(agent.errors)")
            let topics = Topics()
            #expect(
                try await recorder.wait(20) { $0.text(topics.nodeStatus("replayed")) == "offline" })
            #expect(!recorder.hasLost)

            let report = try ReplayReport(recorder.messages)
            #expect(report.faults == [])
            #expect(report.iBeaconCount == capture.iBeacons)
            let published = recorder.messages.filter { $0.topic.hasSuffix("/scan") || $0.topic.contains("/windows/") }
            #expect(CanonicalOutput.digest(published) == capture.digest)
        }
    }
}

/// The properties that a recorder must find in one replay.
struct ReplayReport {
    var faults: [String] = []
    var iBeaconCount = 0
    var windows = 0
    var scans = 0

    /// Checks messages in the order in which they arrived from one node.
    init(_ messages: [Message]) throws {
        var seen: [String] = []
        var next: UInt64 = 1
        for message in messages {
            switch Topics().kind(of: message.topic) {
            case .window(let beacon, _):
                let window = try Window(payload: message.payload.span)
                windows += 1
                if window.seq != next { faults.append("window of seq \(window.seq) before the scan of \(next)") }
                if seen.contains(window.id) { faults.append("\(window.id) twice in seq \(window.seq)") }
                if beacon != window.item ?? window.id { faults.append("\(window.id) on the topic of \(beacon)") }
                seen.append(window.id)
                if window.id.hasPrefix("iBeacon:") { iBeaconCount += window.count }
            case .scan:
                let scan = try Scan(payload: message.payload.span)
                scans += 1
                if scan.seq != next { faults.append("scan \(scan.seq) in place of \(next)") }
                if scan.windows != seen.count {
                    faults.append("scan \(scan.seq) tells \(scan.windows) windows, \(seen.count) came")
                }
                if scan.dropped != 0 { faults.append("scan \(scan.seq) tells \(scan.dropped) dropped") }
                seen = []
                next = scan.seq + 1
            default: break
            }
        }
        if !seen.isEmpty { faults.append("\(seen.count) windows without a scan") }
        if scans == 0 { faults.append("no scan") }
    }
}
