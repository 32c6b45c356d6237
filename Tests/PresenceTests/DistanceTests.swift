import Presence
import WireProtocol
import Testing

@Suite struct DistanceTests {
    private func metres(_ level: Double, _ power: Int) -> Double {
        PathLoss.distance(level: level, power: power, deviation: nil, count: 1).metres
    }

    @Test("Estimate a metre at the measured power, and more at a weaker level")
    func law() {
        #expect(metres(-59, -59) == 1)
        #expect(abs(metres(-84, -59) - 10) < 1e-9)
        #expect(metres(-40, -59) < 1)
    }

    @Test("Clamp a mistyped power (such as −3) that would put a beacon kilometres away", arguments: [-3, 0, 127, .max])
    func sillyPowers(_ power: Int) {
        #expect(metres(-67, power) == metres(-67, -30))
        #expect(metres(-67, -128) == metres(-67, -90))
        #expect(metres(-127, power) <= 1000)
        let distance = PathLoss.distance(level: -127, power: power, deviation: 40, count: 1)
        #expect(distance.low <= distance.metres && distance.metres <= distance.high && distance.high <= 1000)
    }

    @Test("Include the estimate in the interval, and narrow it with more packets")
    func interval() {
        let one = PathLoss.distance(level: -70, power: -59, deviation: 6, count: 2)
        let many = PathLoss.distance(level: -70, power: -59, deviation: 6, count: 50)
        #expect(one.low < many.low && many.low < many.metres && many.metres < many.high && many.high < one.high)
        #expect(PathLoss.distance(level: -70, power: -59, deviation: 6, count: 0).high.isFinite)
    }

    @Test("Prevent proximity from flapping at a border")
    func hysteresis() {
        var proximity = Window.Proximity.unknown
        var told: [Window.Proximity] = []
        for metres in [0.45, 0.55, 0.45, 0.55, 0.65, 0.45, 0.55, 3.9, 4.1, 4.7, 4.9, 4.1, 3.9, 3.3, 3.1, 0.3] {
            proximity = PathLoss.proximity(metres: metres, before: proximity)
            told.append(proximity)
        }
        #expect(
            told == [
                .immediate, .immediate, .immediate, .immediate, .near, .near, .near, .near, .near, .near, .far, .far,
                .far, .far, .near, .immediate,
            ])
    }

    @Test("Leave out the distance of a beacon without power, and retain a power received once")
    func power() {
        var ear = Ear()
        ear.hear(0.5, rssi: -59)
        ear.hear(1.5, rssi: -59, power: -59)
        ear.hear(2.5, rssi: -59)
        ear.close()
        #expect(ear.windows.map { $0.distance?.metres } == [nil, 1, 1])
        #expect(ear.windows.map(\.power) == [nil, -59, -59])
        #expect(ear.windows.map(\.proximity) == [.unknown, .near, .near])
    }
}
