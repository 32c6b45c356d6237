import Bytes
import Configuration
import Simulation

/// The expected output of `whereabouts simulate --truth`.
enum SimulatedTruth {
    static func text(of scenario: String, from: Double, for length: Double) throws -> String {
        let house = try SimulatedHouse(ScenarioFile.read(scenario))
        let start = Timestamp(microseconds: 0).advanced(bySeconds: from)
        let rows = house.truthChanges(from: start, until: start.advanced(bySeconds: length)).map(\.csvRow)
        return ([TruthInterval.csvHeader] + rows).map { $0 + "\n" }.joined()
    }
}
