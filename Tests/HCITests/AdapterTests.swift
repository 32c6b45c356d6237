import Advertising
import Foundation
import Support
import Testing

@testable import HCI

@Suite struct AdapterTests {
    private static func adapter(_ index: UInt16, _ address: UInt64, le: Bool? = true, blocked: Bool? = nil) -> Adapter {
        var adapter = Adapter(index: index, address: DeviceAddress(address, .public), isUp: true)
        adapter.hasLE = le
        adapter.isBlocked = blocked
        return adapter
    }

    @Test("Read the names of adapters, and reject any other text")
    func names() {
        #expect(AdapterChoice("auto") == .auto && AdapterChoice("hci0") == .index(0))
        #expect(AdapterChoice("hci12")?.description == "hci12")
        let address = AdapterChoice("AA:bb:cc:DD:ee:FF")
        #expect(address == .address(DeviceAddress(0xAABB_CCDD_EEFF, .public)))
        #expect(address?.description == "aa:bb:cc:dd:ee:ff")
        for text in ["", "hci", "hci-1", "hci00", "hci65536", "HCI0", "aabbccddeeff", "aa:bb:cc:dd:ee", "kitchen"] {
            #expect(AdapterChoice(text) == nil, "\(text)")
        }
    }

    @Test("Choose for auto the first adapter with LE that isn't blocked, and find an address under any number")
    func chosen() throws {
        let all = [
            Self.adapter(3, 4), Self.adapter(0, 1, le: false), Self.adapter(1, 2, blocked: true), Self.adapter(2, 3),
        ]
        #expect(try AdapterChoice.auto.adapter(among: all).index == 2)
        #expect(try AdapterChoice.address(DeviceAddress(4, .public)).adapter(among: all).index == 3)
        #expect(try AdapterChoice.index(3).adapter(among: all).address?.bits == 4)
        #expect(throws: RadioFault.noLE("hci0")) { try AdapterChoice.index(0).adapter(among: all) }
        #expect(throws: RadioFault.blocked("hci1", isHard: false)) { try AdapterChoice.index(1).adapter(among: all) }
        #expect(throws: RadioFault.noAdapter(.auto)) { try AdapterChoice.auto.adapter(among: []) }
        #expect(throws: RadioFault.noLE("hci0")) { try AdapterChoice.auto.adapter(among: [all[1]]) }
        var held = all[0]
        held.isHeld = true
        #expect(throws: RadioFault.held("hci3")) { try AdapterChoice.index(3).adapter(among: [held]) }
        #expect(try AdapterChoice.auto.adapter(among: [held, Self.adapter(5, 6)]).index == 5)
    }

    @Test("Keep the adapter of an earlier run for auto, under any number, while it is usable")
    func remembered() throws {
        let address = DeviceAddress(9, .public)
        let others = [Self.adapter(0, 1), Self.adapter(1, 2)]
        var chooser = AdapterChooser(.auto, remembering: address)
        #expect(try chooser.choose(among: others + [Self.adapter(5, 9)], at: .at(0)).index == 5)

        // It is waited for, as one that goes away while it is used.
        chooser = AdapterChooser(.auto, remembering: address)
        #expect(throws: RadioFault.noAdapter(.address(address))) { try chooser.choose(among: others, at: .at(0)) }
        #expect(throws: RadioFault.noAdapter(.auto)) { try chooser.choose(among: [], at: .at(5)) }
        #expect(throws: RadioFault.self) { try chooser.choose(among: others, at: .at(9.9)) }
        let another = try chooser.choose(among: others, at: .at(10))
        #expect(another.index == 0)
        chooser.use(another)
        #expect(chooser.remembered == another.address)
        #expect(try chooser.choose(among: others + [Self.adapter(5, 9)], at: .at(20)).index == 0, "the new one stays")

        // One that is there and of no use isn't waited for longer.
        let blocked = Self.adapter(5, 9, blocked: true)
        chooser = AdapterChooser(.auto, remembering: address)
        #expect(throws: RadioFault.blocked("hci5", isHard: false)) {
            try chooser.choose(among: others + [blocked], at: .at(0))
        }
        #expect(try chooser.choose(among: others + [blocked], at: .at(10)).index == 0)
        #expect(AdapterChooser(.index(0), remembering: address).remembered == nil)
    }

    @Test("Every fault has a name of its own and a remedy")
    func faults() {
        let faults: [RadioFault] = [
            .noAdapter(.auto), .blocked("hci0", isHard: true), .down("hci0"), .noLE("hci0"), .notPermitted("open hci0"),
            .held("hci0"), .silent("hci0"), .mute("hci0"), .refused("hci0", opcode: 0x200C, status: 0x0C),
            .system(call: "open hci0", code: 5),
        ]
        #expect(Set(faults.map(\.name)).count == faults.count)
        for fault in faults { #expect(!fault.mend.isEmpty && !fault.description.isEmpty) }
        #expect("\(faults[8])" == "hci0 refuses command 0x200c with status 0x0c")
        #expect(ErrorNumber.fault(16, of: "open", on: "hci0", .auto) == .held("hci0"))
        #expect(ErrorNumber.fault(1, of: "open", on: "hci0", .auto) == .notPermitted("open hci0"))
        #expect(ErrorNumber.fault(132, of: "take up", on: "hci0", .auto) == .blocked("hci0", isHard: false))
        #expect(ErrorNumber.fault(19, of: "open", on: "hci0", .index(0)) == .noAdapter(.index(0)))
    }

    // MARK: sysfs, by a folder that looks like it

    /// A USB adapter with its rfkill switch.
    private static func tree(_ folder: TemporaryFolder) throws -> SystemTree {
        let device = folder.path + "/devices/usb1/1-2"
        let radio = device + "/1-2:1.0/bluetooth/hci0"
        let files = FileManager.default
        try files.createDirectory(atPath: radio + "/rfkill3", withIntermediateDirectories: true)
        try files.createDirectory(atPath: folder.path + "/class/bluetooth", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: radio + "/device", withDestinationPath: "../../../1-2:1.0")
        try files.createSymbolicLink(atPath: folder.path + "/class/bluetooth/hci0", withDestinationPath: radio)
        for (path, text) in [
            (device + "/idVendor", "0a12\n"), (device + "/authorized", "1\n"), (device + "/1-2:1.0/authorized", "1\n"),
            (radio + "/rfkill3/soft", "0\n"), (radio + "/rfkill3/hard", "0\n"),
        ] { try text.write(toFile: path, atomically: false, encoding: .utf8) }
        return SystemTree(root: folder.path)
    }

    @Test("Detect a switch that blocks an adapter")
    func blocking() throws {
        let folder = try TemporaryFolder()
        let tree = try Self.tree(folder)
        #expect(tree.blocking(of: "hci0").map { $0.soft || $0.hard } == false)
        let switchFolder = folder.path + "/class/bluetooth/hci0/rfkill3"
        try "1\n".write(toFile: switchFolder + "/hard", atomically: false, encoding: .utf8)
        #expect(tree.blocking(of: "hci0").map { $0.hard && !$0.soft } == true)
        #expect(tree.blocking(of: "hci1") == nil)
    }

    @Test("Turn a USB adapter's device off and on, not one of its interfaces; use its rfkill switch second")
    func bus() throws {
        let folder = try TemporaryFolder()
        let tree = try Self.tree(folder)
        let switches = tree.switches(of: "hci0")
        #expect(
            switches.map { $0.path.split(separator: "/").suffix(2).joined(separator: "/") } == [
                "1-2/authorized", "rfkill3/soft",
            ])
        #expect(switches.map(\.off) == ["0", "1"] && switches.map(\.on) == ["1", "0"])
        var lift = AdapterLift(adapter: 0, channel: .shared, switches: switches)
        #expect(lift.runLift(.bus) == 0)
        #expect(try String(contentsOfFile: switches[0].path, encoding: .utf8).hasPrefix("1"))
        try FileManager.default.removeItem(atPath: switches[0].path)
        #expect(lift.runLift(.bus) == 0, "the other way")
        #expect(try String(contentsOfFile: switches[1].path, encoding: .utf8).hasPrefix("0"))
        lift = AdapterLift(adapter: 0, channel: .shared, switches: [])
        #expect(ErrorNumber.isLackOfMeans(lift.runLift(.bus)))
        #expect(tree.switches(of: "hci7").isEmpty)
    }

    @Test("Turn off before on, with a pause that a device notices")
    func turnedOffFirst() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("authorized")
        try #require(mkfifo(path, 0o600) == 0)
        // Both ends: neither a writer nor this waits for the other.
        let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let start = ContinuousClock.now
        #expect(SystemTree.Switch(path: path, off: "0", on: "1").toggle() == 0)
        #expect(ContinuousClock.now - start >= .microseconds(Int(SystemTree.pause)))
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "01")
    }

    @Test("Skip a switch that this process may not write, and go on to the next rung")
    func forbidden() throws {
        let missing = SystemTree.Switch(path: "/sys/no/such/authorized", off: "0", on: "1")
        let lift = AdapterLift(adapter: 0, channel: .shared, switches: [missing])
        #expect(ErrorNumber.isLackOfMeans(lift.runLift(.bus)))
    }
}
