import Advertising
import Bytes
import Testing

@testable import HCI

@Suite struct ScanControllerTests {
    /// A radio that has listened for ten seconds to so many beacons.
    static func listening(_ beacons: Int = 50, _ settings: ScanSettings = ScanSettings()) -> ScriptedRadio {
        var radio = ScriptedRadio(.auto, settings)
        radio.beacons = beacons
        radio.run(10)
        return radio
    }

    static func gap(of radio: ScriptedRadio, from start: Double) -> Double {
        radio.gaps.filter { ($0.to ?? radio.time) > start }
            .reduce(0) { $0 + (($1.to ?? radio.time) - max($1.from, start)) }
    }

    // MARK: Beginning

    @Test("Send no unknown command to a controller without the extended commands")
    func legacy() {
        let radio = Self.listening()
        #expect(
            radio.sent == [
                .readLocalSupportedCommands, .leReadLocalSupportedFeatures, .leSetScanEnable, .leSetScanParameters,
                .leSetScanEnable,
            ])
        #expect(radio.control.report.state == .scanning && radio.control.report.features == [])
        #expect(radio.gaps.count == 1 && radio.gaps[0].to.map { $0 < 0.1 } == true)
        #expect(radio.heard > 2400)
    }

    @Test("Send only extended commands to a controller that has them, since it rejects a mixture")
    func extended() {
        var radio = ScriptedRadio()
        radio.isExtended = true
        radio.isCoded = true
        radio.run(1)
        #expect(
            Array(radio.sent.dropFirst(2)) == [
                .leSetExtendedScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            ])
        #expect(radio.control.report.features == ["extended", "coded"])
    }

    @Test("Set up a scan again on request, with its duration as the gap")
    func rescan() {
        var radio = Self.listening()
        let (before, from) = (radio.sent.count, radio.time)
        radio.control.rescan(at: .at(radio.now))
        radio.run(5)
        #expect(radio.sent.count > before && radio.isScanning && radio.control.report.state == .scanning)
        #expect(Self.gap(of: radio, from: from) < 0.2)
        var blocked = ScriptedRadio()
        blocked.adapters[0].isBlocked = true
        blocked.run(10)
        blocked.adapters[0].isBlocked = false
        blocked.control.rescan(at: .at(blocked.now))
        blocked.run(0.5)
        #expect(blocked.isScanning, "it is looked for at once")
    }

    @Test("Take an adapter up that is down, and down before exclusive use")
    func takenUp() {
        var down = ScriptedRadio()
        down.adapters[0].isUp = false
        down.run(1)
        #expect(down.lifts == [.up] && down.isScanning)
        var settings = ScanSettings()
        settings.channel = .user
        var own = ScriptedRadio(.auto, settings)
        own.run(1)
        #expect(own.lifts == [.down] && own.isScanning)
        #expect(Array(own.sent.prefix(1)) == [.reset] && own.sent.contains(.leSetEventMask))
    }

    @Test("Report a fault once by name with its remedy, try again, and report its end")
    func faults() {
        var blocked = ScriptedRadio()
        blocked.adapters[0].isBlocked = true
        blocked.run(60)
        #expect(blocked.control.report.problem == .blocked("hci0", isHard: false))
        #expect(blocked.notices.count == 1 && blocked.notices[0].text.contains("rfkill unblock bluetooth"))
        blocked.adapters[0].isBlocked = false
        blocked.run(3)
        #expect(blocked.isScanning && blocked.notices.count == 2 && blocked.control.report.problem == nil)

        var none = ScriptedRadio(.address(DeviceAddress(0x0102_0304_0506, .public)))
        none.run(30)
        #expect(none.notices.map(\.text).first?.contains("there is no adapter 01:02:03:04:05:06") == true)

        var old = ScriptedRadio()
        old.adapters[0].hasLE = false
        old.run(30)
        #expect(old.control.report.problem == .noLE("hci0"))

        var held = ScriptedRadio()
        held.isHeld = true
        held.run(30)
        #expect(held.control.report.problem == .held("hci0") && held.notices.count == 1)
        held.isHeld = false
        held.run(3)
        #expect(held.isScanning)

        var own = Self.listening()
        own.goDown()
        own.adapters[0].isUp = true
        own.adapters[0].isHeld = true
        own.run(10)
        #expect(own.control.report.problem == .held("hci0"), "it is another's now, and isn't disturbed")
        #expect(own.lifts.isEmpty && own.sent.count == 5)

        var weak = ScriptedRadio()
        weak.adapters[0].isUp = false
        weak.upError = 1
        weak.run(30)
        #expect(weak.control.report.problem == .notPermitted("take up hci0"))
        #expect(weak.notices[0].text.contains("CAP_NET_ADMIN"))
    }

    // MARK: Others

    @Test("Resume a scan that another program ended at once, with a gap for the time without it")
    func takenBack() {
        var radio = Self.listening()
        radio.another(.scanEnable(false, extended: false))
        radio.run(2)
        #expect(radio.isScanning && radio.control.report.takenBack == 1)
        #expect((0.15...0.3).contains(Self.gap(of: radio, from: 9)))
        #expect(radio.notices.count { $0.subject == "others" } == 1)
    }

    @Test("Set the event masks again after another program's reset")
    func anothersReset() {
        var radio = Self.listening()
        radio.another(.reset)
        radio.run(2)
        #expect(Array(radio.sent.suffix(5).prefix(2)) == [.setEventMask, .leSetEventMask] && radio.isScanning)
    }

    @Test("Resume a scan at most 20 times a minute against a program that never stops")
    func fight() {
        var radio = Self.listening()
        for _ in 0..<600 {
            radio.another(.scanEnable(false, extended: false))
            radio.run(0.5)
        }
        #expect((70...105).contains(radio.control.report.takenBack), "five minutes")
        #expect(radio.lifts.isEmpty && radio.control.report.tried.isEmpty, "nothing is reset for that")
    }

    @Test("Notice another program's change between two of our commands")
    func interference() {
        var radio = ScriptedRadio()
        radio.run(0.0025)
        radio.another(.scanEnable(true, extended: false))
        radio.run(5)
        #expect(radio.isScanning && radio.control.report.state == .scanning && radio.lifts.isEmpty)
    }

    // MARK: Adapters that come and go

    @Test("Leave an adapter that another program took down for two seconds, then take it up")
    func down() {
        var radio = Self.listening()
        radio.goDown()
        radio.run(1.9)
        #expect(radio.lifts.isEmpty && radio.control.report.problem == .down("hci0"))
        radio.run(1)
        #expect(radio.lifts == [.up] && radio.isScanning && radio.control.report.problem == nil)
        #expect((2...2.5).contains(Self.gap(of: radio, from: 9)))
    }

    @Test("Recognize an adapter that returns under another number")
    func renumbered() {
        var radio = Self.listening()
        var other = Adapter(index: 0, address: DeviceAddress(0x00AA_EE00_0002, .public), isUp: true)
        other.hasLE = true
        var same = radio.adapters[0]
        same.index = 3
        radio.adapters = [other]
        radio.breakSocket(32)
        radio.run(5)
        #expect(!radio.isScanning && radio.control.report.adapter == "hci0", "auto waits for the one it chose")
        radio.adapters = [other, same]
        radio.manage(.added(3))
        radio.run(0.5)
        #expect(radio.isScanning && radio.control.report.adapter == "hci3")
        #expect(radio.control.report.address == same.address)
    }

    @Test("Choose another adapter for auto if the first is missing for ten seconds")
    func another() {
        var radio = Self.listening()
        var other = Adapter(index: 1, address: DeviceAddress(0x00AA_EE00_0002, .public), isUp: true)
        other.hasLE = true
        radio.adapters = [other]
        radio.breakSocket(32)
        radio.run(13)
        #expect(radio.isScanning && radio.control.report.adapter == "hci1")
    }

    @Test("Use the adapter of an earlier run for auto, and after ten seconds without it another one permanently")
    func remembered() {
        var first = Adapter(index: 0, address: DeviceAddress(0x00AA_EE00_0001, .public), isUp: true)
        first.hasLE = true
        var second = first
        (second.index, second.address) = (1, DeviceAddress(0x00AA_EE00_0002, .public))
        var radio = ScriptedRadio(adapters: [first, second], remembering: second.address)
        radio.run(1)
        #expect(radio.isScanning && radio.control.report.adapter == "hci1")

        radio = ScriptedRadio(adapters: [first], remembering: second.address)
        radio.run(9.9)
        #expect(!radio.isScanning && radio.control.report.problem?.name == "no_adapter")
        radio.run(3)
        #expect(radio.isScanning && radio.control.report.adapter == "hci0" && radio.lifts.isEmpty)
        #expect(radio.control.chooser.remembered == first.address)
    }

    // MARK: Faults of the controller

    @Test("Climb the ladder for a deaf controller, with a gap from the beginning of its deafness")
    func deaf() throws {
        var radio = Self.listening()
        radio.faults = [.deaf]
        radio.mending = [.downUp]
        radio.run(20)
        #expect(radio.isScanning && radio.control.report.problem == nil)
        #expect(radio.control.report.tried == [.reenable: 1, .parameters: 1, .reset: 1, .downUp: 1])
        #expect(radio.control.report.helped == [.downUp: 1])
        let gap = try #require(radio.gaps.last)
        #expect((9.9...10.01).contains(gap.from) && gap.to.map { $0 < 18 } == true)
        // Told as it was: deaf since then, found a moment later, and what helped.
        #expect(radio.changes.count == 3)
        guard case .hears(after: nil, _) = radio.changes[0],
            case .failed(.mute("hci0"), let since, let found) = radio.changes[1],
            case .hears(after: .downUp, let end) = radio.changes[2]
        else { throw Unexpected("\(radio.changes)") }
        #expect(since.seconds - 1000 == gap.from && end.seconds - 1000 == gap.to && found > since)
    }

    private struct Unexpected: Error {
        let words: String
        init(_ words: String) { self.words = words }
    }

    @Test("Report one change for a repeated problem, and one more for its end")
    func changes() {
        var radio = Self.listening()
        radio.faults = [.hung]
        radio.run(3600)
        radio.faults = []
        radio.run(15 * 60)
        let words = radio.changes.map { change in
            if case .failed(let fault, _, _) = change { fault.name } else { "hears" }
        }
        #expect(words.first == "hears" && words.last == "hears" && words.count <= 5, "\(words)")
        #expect(words.dropFirst().dropLast().allSatisfy { $0 != "hears" })
    }

    @Test("Reset a hanging controller as soon as a command isn't answered")
    func hung() {
        var radio = Self.listening()
        radio.faults = [.hung]
        radio.mending = [.reset]
        radio.run(4)
        #expect(radio.isScanning && radio.control.report.tried == [.reenable: 1, .reset: 1])
        #expect(Array(radio.sent.suffix(5).prefix(2)) == [.setEventMask, .leSetEventMask])
        #expect(Self.gap(of: radio, from: 9) < 3.5)
    }

    @Test("Recover within three and a half seconds from a deafness that a reset cures")
    func cured() {
        var radio = Self.listening()
        radio.faults = [.deaf]
        radio.mending = [.reset]
        radio.run(5)
        #expect(radio.isScanning && Self.gap(of: radio, from: 9) < 3.5)
    }

    @Test("Power-cycle the bus of a vanished adapter after ten seconds, and receive again when it returns")
    func vanished() {
        var radio = Self.listening()
        let adapters = radio.adapters
        radio.adapters = []
        radio.mending = [.bus]
        radio.breakSocket(19)
        radio.run(9)
        #expect(!radio.lifts.contains(.bus), "whoever unplugs it may plug it in again")
        radio.run(4)
        #expect(radio.lifts == [.bus] && radio.control.report.tried == [.bus: 1])
        radio.adapters = adapters
        radio.manage(.added(0))
        radio.run(1)
        #expect(radio.isScanning && radio.control.report.problem == nil)
    }

    @Test("Complete or cancel a recovery step after a change of the adapter during it")
    func overtaken() {
        for step in stride(from: 0.1, to: 16, by: 0.13) {
            var radio = Self.listening()
            radio.faults = [.hung]
            radio.run(step)
            radio.goDown()
            radio.faults = []
            radio.run(20)
            #expect(radio.isScanning && radio.control.report.problem == nil, "down after \(step) s")
            let adapters = radio.adapters
            radio.faults = [.deaf]
            radio.run(step)
            radio.adapters = []
            radio.breakSocket(32)
            radio.faults = []
            radio.run(1)
            radio.adapters = adapters
            radio.run(20)
            #expect(radio.isScanning && radio.control.report.problem == nil, "gone after \(step) s")
        }
    }

    @Test("Cancel the ladder for an adapter that becomes blocked or is used by another program")
    func letGo() {
        for isBlocked in [true, false] {
            var radio = Self.listening()
            radio.faults = [.hung]
            radio.run(3)
            if isBlocked { radio.adapters[0].isBlocked = true } else { radio.adapters[0].isHeld = true }
            radio.breakSocket(100)
            radio.run(15)
            let lifts = radio.lifts
            radio.run(3600)
            #expect(radio.lifts == lifts && !lifts.contains(.bus), "nobody's switch is turned, nobody's device reset")
        }
    }

    @Test("Try for ever with a hopeless adapter, ever less often, with one log line")
    func hopeless() {
        var radio = Self.listening()
        radio.faults = [.hung]
        radio.run(3 * 3600)
        #expect(!radio.isScanning && radio.control.report.state == .recovering)
        #expect((8...40).contains(radio.control.report.tried[.downUp] ?? 0))
        #expect(radio.notices.count { $0.subject == "radio" } <= 3)
        radio.faults = []
        radio.run(15)
        #expect(radio.isScanning && radio.control.report.problem == nil, "and when it answers again it is heard")
    }

    @Test("End the ladder after many beacons left together, and report listening")
    func left() {
        var radio = Self.listening()
        radio.beacons = 0
        radio.run(60)
        #expect(radio.isScanning && radio.control.report.state == .scanning)
        #expect(radio.gaps.last?.to != nil)
    }

    @Test("Restart the scan in a quiet place once a minute, without a reset")
    func quiet() {
        var radio = ScriptedRadio()
        radio.run(600)
        #expect((9...10).contains(radio.sent.count { $0 == .leSetScanEnable } / 2 - 1))
        #expect(radio.sent.allSatisfy { $0 != .reset } && radio.lifts.isEmpty && radio.control.report.tried.isEmpty)
        #expect(Self.gap(of: radio, from: 1) < 0.1)
    }

    @Test("Set everything up again after a hardware error, with a gap")
    func hardwareError() {
        var radio = Self.listening()
        radio.say([0x10, 0x01, 0x42])
        radio.run(2)
        #expect(radio.isScanning && radio.notices.contains { $0.subject == "hardware" })
        #expect((0.1...0.3).contains(Self.gap(of: radio, from: 9)))
    }

    @Test("Never trap on a controller's data")
    func hostile() {
        var radio = Self.listening()
        for code in UInt8.min...UInt8.max {
            for length in 0..<8 { radio.say([code] + [UInt8](repeating: UInt8(length) &* 37, count: length)) }
            radio.run(0.1)
        }
        radio.run(60)
        #expect(radio.isScanning && radio.lifts.isEmpty)
    }
}
