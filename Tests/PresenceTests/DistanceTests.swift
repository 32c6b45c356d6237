import Presence
import WireProtocol
import Testing

@Suite struct DistanceTests {
    private func metres(_ level: Double, _ power: Int) -> Double {
        PathLoss.distance(level: level, power: power, deviation: nil, count: 1).metres
    }

    @Test("At the measured power a beacon is a metre away, and farther where it is weaker")
    func law() {
        #expect(metres(-59, -59) == 1)
        #expect(abs(metres(-84, -59) - 10) < 1e-9)
        #expect(metres(-40, -59) < 1)
    }

    @Test("A mistyped power (such as −3) puts no beacon kilometres away", arguments: [-3, 0, 127, .max])
    func sillyPowers(_ power: Int) {
        #expect(metres(-67, power) == metres(-67, -30))
        #expect(metres(-67, -128) == metres(-67, -90))
        #expect(metres(-127, power) <= 1000)
        let distance = PathLoss.distance(level: -127, power: power, deviation: 40, count: 1)
        #expect(distance.low <= distance.metres && distance.metres <= distance.high && distance.high <= 1000)
    }

    @Test("The interval holds the estimate and narrows with more packets")
    func interval() {
        let one = PathLoss.distance(level: -70, power: -59, deviation: 6, count: 2)
        let many = PathLoss.distance(level: -70, power: -59, deviation: 6, count: 50)
        #expect(one.low < many.low && many.low < many.metres && many.metres < many.high && many.high < one.high)
        #expect(PathLoss.distance(level: -70, power: -59, deviation: 6, count: 0).high.isFinite)
    }

    @Test("A level at a border doesn't make proximity flap")
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

    @Test("A beacon that tells no power has no distance, and keeps it known once told")
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
