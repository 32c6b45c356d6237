import Bytes
@testable import System
import Support
import Testing

@Suite struct ClockWatchTests {
    /// A machine whose clocks a test moves.
    private struct Machine {
        var reading = ClockReading(
            wall: Timestamp(microseconds: 1_795_248_000_000_000), sinceStart: .second(5), awake: .second(5))

        mutating func pass(_ seconds: Double, rate: Double = 1) {
            reading.wall = reading.wall.advanced(bySeconds: seconds * rate)
            reading.sinceStart = reading.sinceStart + .seconds(seconds)
            reading.awake = reading.awake + .seconds(seconds)
        }

        mutating func sleep(_ seconds: Double) {
            reading.wall = reading.wall.advanced(bySeconds: seconds)
            reading.sinceStart = reading.sinceStart + .seconds(seconds)
        }

        mutating func set(_ seconds: Double) { reading.wall = reading.wall.advanced(bySeconds: seconds) }
    }

    @Test("Report no change for elapsed time at any rate of slewing")
    func slewed() {
        var machine = Machine()
        var watch = ClockWatch(machine.reading)
        var changes = 0
        // As fast as chrony slews at most, 8.3 %, and more than an hour in all.
        for rate in [1, 0.917, 1.083] {
            for _ in 0..<50_000 {
                machine.pass(1, rate: rate)
                if watch.evaluateReading(machine.reading) != ClockWatch.Change() { changes += 1 }
            }
        }
        #expect(changes == 0)
    }

    @Test("Report the step of a set clock once", arguments: [3600.0, -3600, 0.5, -0.5, 1.6e9, -1.6e9])
    func set(_ step: Double) {
        var machine = Machine()
        var watch = ClockWatch(machine.reading)
        machine.pass(0.3)
        machine.set(step)
        machine.pass(0.7)
        #expect(watch.evaluateReading(machine.reading) == ClockWatch.Change(step: .milliseconds(Int(step * 1000))))
        machine.pass(1)
        #expect(watch.evaluateReading(machine.reading) == ClockWatch.Change())
    }

    @Test("Report the duration of a sleep once, without a step of the clock")
    func slept() {
        var machine = Machine()
        var watch = ClockWatch(machine.reading)
        machine.pass(0.3)
        machine.sleep(28_800)
        #expect(watch.evaluateReading(machine.reading) == ClockWatch.Change(slept: .hours(8)))
        #expect(watch.evaluateReading(machine.reading) == ClockWatch.Change())
        // One without a battery for its clock wakes with the time at which it fell asleep, until it is set.
        machine.sleep(100)
        machine.set(-100)
        #expect(watch.evaluateReading(machine.reading) == ClockWatch.Change(step: .seconds(-100), slept: .seconds(100)))
        // Naps of an instant add up.
        var slept = Duration.zero
        for _ in 0..<20 {
            machine.sleep(0.03)
            slept += watch.evaluateReading(machine.reading).slept
        }
        #expect(slept == .milliseconds(480) || slept == .milliseconds(600))
    }
}
