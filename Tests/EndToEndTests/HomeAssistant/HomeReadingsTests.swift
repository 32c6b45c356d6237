import BeaconFrames
import Integrations
import WireProtocol
import Support
import Testing

extension Live.Home {
    /// The readings of sensors.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Readings {
        /// A number or flag as the nodes publish it, and its display in Home Assistant.
        private struct Reading {
            var key: String
            var isFlag: Bool
            var uniqueKey: String { isFlag ? "flag_\(key)" : key }
            var json: String { "\"\(key)\":\(isFlag ? "true" : "12.5")" }
        }

        private static let all = Dictionary(
            BTHomeKind.ids.compactMap { BTHomeKind($0) }.filter { DiscoveryDocument.isReading($0.key) }.map { kind in
                (kind.key, Reading(key: kind.key, isFlag: kind.form == .flag))
            } + ["battery_mv", "movements", "temperature_c_2"].map { ($0, Reading(key: $0, isFlag: false)) }
        ) { first, _ in first }.values.sorted { $0.key < $1.key }

        @Test("Accept every number and flag of a beacon in Home Assistant, without a line in its log")
        func everyReading() async throws {
            let parts = stride(from: 0, to: Self.all.count, by: DiscoveryDocument.readingBound).map { first in
                Array(Self.all[first..<min(first + DiscoveryDocument.readingBound, Self.all.count)])
            }
            let house = try await ServedHouse()
            try await house.core.start()
            let recorder = try Recorder(house.broker, ["test/ready"])
            #expect(try await recorder.ready())
            for (index, readings) in parts.enumerated() {
                try house.items(
                    "add", "sensor\(index)", "--name", "Sensor \(index)", "--ibeacon",
                    "48534442-4c45-4144-80c0-1800fffffff0,400,\(index)")
                let payload = "{\"v\":1,\(readings.map(\.json).joined(separator: ",")),\"at\":1,\"node\":\"hall\"}"
                recorder.publish(
                    Message(
                        topic: Live.Home.topics.itemTelemetry("sensor\(index)"), text: payload, qos: .atLeastOnce,
                        retained: true))
            }
            try house.startFuser()
            let (report, came) = try await house.core.wait(60) { report in
                parts.enumerated().allSatisfy { index, readings in
                    readings.allSatisfy { reading in
                        let state = report.state("whereabouts_item_sensor\(index)_\(reading.uniqueKey)")
                        return reading.isFlag ? state == "on" : state.flatMap { Double($0) } == 12.5
                    }
                }
            }
            let states = parts.enumerated().flatMap { index, readings in
                readings.map {
                    "\($0.key): \(report.state("whereabouts_item_sensor\(index)_\($0.uniqueKey)") ?? "none")"
                }
            }
            #expect(came, "\(states)")
            #expect(Self.all.count > 60)
            house.expectNoProblems(report, "all readings")
        }
    }
}
