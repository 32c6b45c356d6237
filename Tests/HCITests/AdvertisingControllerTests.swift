import Bytes
import Testing

@testable import HCI

@Suite struct AdvertisingControllerTests {
    static let data = Hex.bytes("0201061aff4c000215485344424c45414480c01800fffffff000640001c3") ?? []
    static let old: UInt32 = 0x1F07F

    static func sending(_ settings: AdvertisingSettings = AdvertisingSettings(data)) -> ScriptedKernel {
        var kernel = ScriptedKernel(settings)
        kernel.run(0.1)
        return kernel
    }

    // MARK: What is sent

    @Test("Pass on the exact bytes, neither connectable nor scannable, for 8 s at most")
    func bytes() {
        let kernel = Self.sending(AdvertisingSettings(Self.data, interval: .milliseconds(250)))
        #expect(kernel.air.count == 1 && kernel.air[1]?.data == Self.data)
        #expect(kernel.control.isOnAir && kernel.words == ["advertises on hci3"])
        // Instance, flags (timeout and intervals), duration, timeout, twice 400 of 0.625 ms, power.
        #expect(kernel.parameters == Hex.bytes("01" + "00600000" + "0000" + "0800" + "90010000" + "90010000" + "00"))
    }

    @Test("Renew an advertisement before it expires, during its lifetime, and never for more than 8 s")
    func lease() {
        var kernel = Self.sending()
        for _ in 0..<600 {
            kernel.run(0.5)
            #expect(kernel.air.count == 1, "at \(kernel.now)")
        }
        let latest = kernel.air.values.map { $0.end - kernel.now }.max() ?? 0
        #expect(latest <= 8 && latest > 3)
        #expect(kernel.words == ["advertises on hci3"])
    }

    @Test("End an advertisement on request, and report when it is off the air")
    func stop() {
        var kernel = Self.sending()
        kernel.stop()
        #expect(kernel.air.isEmpty && kernel.control.phase == .ended && kernel.control.failure == nil)
        var silent = Self.sending()
        silent.isSilent = true
        silent.stop()
        #expect(silent.control.phase != .ended)
        silent.run(11)
        #expect(silent.control.phase == .ended)
    }

    @Test("Leave others' instances alone: use the lowest free one")
    func places() {
        var kernel = ScriptedKernel(AdvertisingSettings(Self.data))
        kernel.features.instances = [1, 3]
        kernel.run(0.1)
        #expect(Array(kernel.air.keys) == [2])
    }

    // MARK: Waiting

    @Test("Switch on an adapter that is off, and log that; turn LE on if it is off")
    func powers() {
        var kernel = ScriptedKernel(AdvertisingSettings(Self.data))
        kernel.current = []
        kernel.run(0.1)
        #expect(kernel.control.isOnAir && kernel.words == ["hci3 is off; it is switched on", "advertises on hci3"])
        #expect(kernel.sent.contains(.setLowEnergy))
    }

    @Test("Wait for a blocked adapter, and be on the air within a second after its release")
    func blocked() {
        var kernel = ScriptedKernel(AdvertisingSettings(Self.data), .index(3))
        kernel.adapters[0].isBlocked = true
        kernel.current = [.lowEnergy]
        kernel.run(60)
        #expect(kernel.control.phase != .ended && kernel.words.count == 1)
        #expect(kernel.words.first?.contains("rfkill unblock") == true)
        kernel.adapters[0].isBlocked = false
        kernel.run(1)
        #expect(kernel.control.isOnAir)
    }

    @Test("Return two seconds after another program switched the adapter off, or at once when it is on again")
    func switchedOff() {
        var kernel = Self.sending()
        kernel.switchPower(false)
        #expect(!kernel.control.isOnAir)
        kernel.run(1.9)
        #expect(kernel.air.isEmpty)
        kernel.run(0.2)
        #expect(kernel.air.count == 1)
        kernel.switchPower(false)
        kernel.switchPower(true)
        #expect(kernel.air.count == 1 && kernel.control.isOnAir)
    }

    @Test("Continue after an adapter was unplugged and plugged in; fail if it was never present")
    func unplugged() {
        var kernel = Self.sending()
        let adapters = kernel.adapters
        kernel.adapters = []
        kernel.say(.gone(3))
        kernel.run(100)
        #expect(kernel.control.phase != .ended && !kernel.control.isOnAir)
        kernel.adapters = adapters
        kernel.say(.added(3))
        kernel.run(0.1)
        #expect(kernel.control.isOnAir)
        var none = ScriptedKernel(AdvertisingSettings(Self.data))
        none.adapters = []
        none.run(0.1)
        #expect(none.control.failure == .adapter(.noAdapter(.auto)))
    }

    @Test("Return after a removal by another program, but not a hundred times a second")
    func removed() {
        var kernel = Self.sending()
        for _ in 0..<1000 {
            kernel.removeAll()
            kernel.run(0.01)
        }
        #expect(kernel.sent.count { $0 == .setData } <= 10)
        kernel.run(5)
        #expect(kernel.control.isOnAir)
    }

    @Test("Wait for a full controller as long as a killed program's lease may last, and no longer")
    func full() {
        var kernel = ScriptedKernel(AdvertisingSettings(Self.data))
        kernel.features.instances = [1, 2, 3, 4]
        kernel.run(9)
        #expect(kernel.control.phase != .ended)
        kernel.features.instances = [1, 2, 4]
        kernel.run(1)
        #expect(Array(kernel.air.keys) == [3])
        var full = ScriptedKernel(AdvertisingSettings(Self.data))
        full.features.instances = [1, 2, 3, 4]
        full.run(12)
        #expect(full.control.failure == .taken("hci3", places: 4))
    }

    @Test("Ask a kernel that doesn't answer again")
    func silent() {
        var kernel = ScriptedKernel(AdvertisingSettings(Self.data))
        kernel.isSilent = true
        kernel.run(20)
        #expect(kernel.control.problem == .adapter(.silent("hci3")))
        kernel.isSilent = false
        kernel.run(12)
        #expect(kernel.control.isOnAir)
    }

    // MARK: What can't be

    @Test("Fail with a reason and a remedy for the impossible, and send nothing")
    func failures() {
        func failure(
            _ settings: AdvertisingSettings = AdvertisingSettings(Self.data), _ change: (inout ScriptedKernel) -> Void
        ) -> AdvertiserFault? {
            var kernel = ScriptedKernel(settings)
            change(&kernel)
            kernel.run(1)
            #expect(kernel.air.isEmpty && kernel.control.phase == .ended)
            return kernel.control.failure
        }
        let slow = AdvertisingSettings(Self.data, interval: .milliseconds(500))
        let loud = AdvertisingSettings(Self.data, power: 4)
        #expect(failure(slow) { $0.features.flags = Self.old } == .fixedInterval("hci3"))
        #expect(failure(loud) { $0.features.flags = Self.old } == .fixedPower("hci3"))
        #expect(failure(loud) { $0.power = 3 } == .otherPower("hci3", asked: 4, nearest: 3))
        #expect(failure(AdvertisingSettings([3, 0xFF, 1, 2])) { _ in } == .addsFlags("hci3"))
        #expect(failure(AdvertisingSettings([3, 0xFF, 1])) { _ in } == .malformed)
        #expect(failure(AdvertisingSettings([])) { _ in } == .malformed)
        #expect(failure { $0.refusals[.setParameters] = 1 } == .oldKernel)
        #expect(failure { $0.refusals[.readFeatures] = 0x14 } == .adapter(.notPermitted("advertise on hci3")))
        #expect(failure { $0.refusals[.readInfo] = 0x11 } == .adapter(.held("hci3")))
        #expect(failure { $0.supported = [] } == .adapter(.noLE("hci3")))
        #expect(
            failure {
                $0.features.flags = Self.old
                $0.refusals[.setData] = 3
            } == .scans("hci3"))
        let refused = failure { $0.refusals[.setData] = 0x0D }
        #expect(refused == .refused("hci3", step: "what to advertise", status: 0x0D))
        #expect(refused?.mend.isEmpty == false && refused?.description.hasSuffix("0x0d") == true)
    }

    @Test("Accept data without flags if the kernel adds none, and a power that the controller has")
    func possible() {
        var classic = ScriptedKernel(AdvertisingSettings([3, 0xFF, 1, 2], power: 4))
        classic.current.insert(.classic)
        classic.power = 4
        classic.run(0.1)
        #expect(classic.air[1]?.data == [3, 0xFF, 1, 2] && classic.parameters.last == 4)
    }

    @Test("Read the kernel's messages, truncated or not, and no others")
    func messages() {
        func message(_ hex: String) -> AdvertisingMessage? {
            let bytes = Hex.bytes(hex) ?? []
            return AdvertisingMessage(bytes.span)
        }
        #expect(
            message("010003000b00" + "3d0000" + "ffff0000" + "1f1f" + "0402" + "0103")
                == .features(3, .init(flags: 0xFFFF, places: 4, instances: [1, 3])))
        #expect(message("010003000700" + "540000" + "01fc1f1f") == .answer(3, .setParameters, status: 0, power: -4))
        #expect(message("020003000300" + "55000d") == .answer(3, .setData, status: 0x0D, power: nil))
        #expect(message("240003000100" + "02") == .removed(3, instance: 2))
        #expect(message("060003000400" + "01020000") == .settings(3, [.powered, .lowEnergy]))
        let info = "010003001b01" + "040000" + "010000eeaa00" + "0b" + "ffff" + "fffe0100" + "01020000"
        #expect(message(info) == .info(3, supported: .init(rawValue: 0x1FEFF), current: [.powered, .lowEnergy]))
        #expect(message(String(info.dropLast(2))) == nil && message("42000300") == nil && message("") == nil)
    }
}
