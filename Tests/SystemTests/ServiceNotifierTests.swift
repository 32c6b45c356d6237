import Bytes
import Glibc
import Support
import System
import Testing

@Suite struct ServiceNotifierTests {
    private let manager = ServiceManager()

    @Test func theServiceManagerHearsHowTheServiceDoes() {
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name])
        notifier.ready()
        notifier.status("4 rooms\n")
        notifier.stopping()
        #expect(manager.heard() == ["READY=1", "STATUS=4 rooms\\n", "STOPPING=1"])
    }

    @Test func aReloadBeginsAtAMomentAndEndsReady() {
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name])
        notifier.reloading(at: .second(7))
        notifier.ready()
        #expect(manager.heard() == ["RELOADING=1\nMONOTONIC_USEC=7000000", "READY=1"])
    }

    @Test func withoutAServiceManagerNothingHappens() {
        ServiceNotifier(environment: [:]).ready()
        ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).ready()
    }

    @Test func theWatchdogIsFedThreeTimesWithinItsPatience() {
        var notifier = ServiceNotifier(
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "17"],
            process: 17)
        for second in 0..<30 { notifier.alive(at: .second(second)) }
        #expect(manager.heard() == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
        #expect(notifier.nextDeadline == .second(30))
    }

    @Test func aLoopThatHangsFeedsNobody() {
        var notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "3000000"])
        notifier.alive(at: .start)
        notifier.alive(at: .second(0.9))
        #expect(manager.heard() == ["WATCHDOG=1"])
    }

    @Test func aContainerSeesTheLoopsSignsOfLifeInAFilesTime() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("alive")
        func age() -> time_t? {
            var information = stat()
            return stat(path, &information) == 0 ? information.st_mtim.tv_sec : nil
        }
        var notifier = ServiceNotifier(environment: ["WHEREABOUTS_ALIVE": path])
        #expect(age() == nil && notifier.nextDeadline == .distantPast)
        notifier.alive(at: .start)
        #expect(age() != nil && notifier.nextDeadline == .second(10))
        func grow() {
            _ = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)].withUnsafeBufferPointer {
                utimensat(AT_FDCWD, path, $0.baseAddress, 0)
            }
        }
        grow()
        notifier.alive(at: .second(9))
        #expect(age() == 5, "not at each turn")
        notifier.alive(at: .second(10))
        #expect(age() ?? 0 > 5)
        notifier.stopping()
        #expect(age() == nil)
        var lost = ServiceNotifier(environment: ["WHEREABOUTS_ALIVE": "/nowhere/at/all"])
        lost.alive(at: .start)
    }

    @Test(arguments: [
        ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "18"], ["WATCHDOG_USEC": "soon"], ["WATCHDOG_USEC": "-1"], [:],
    ])
    func aWatchdogOfAnotherProcessIsNotFed(_ variables: [String: String]) {
        let environment = variables.merging(["NOTIFY_SOCKET": manager.name]) { first, _ in first }
        var notifier = ServiceNotifier(environment: environment, process: 17)
        #expect(notifier.nextDeadline == nil)
        notifier.alive(at: .second(1))
        #expect(manager.heard() == [])
    }
}

/// A service manager's end of NOTIFY_SOCKET.
private final class ServiceManager: Sendable {
    /// The address, as the environment names it.
    let name: String
    private let server = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init() {
        let server = server
        // An address of the family alone lets the kernel choose a free abstract name (unix(7), autobind).
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        name = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                #expect(bind(server, generic, 2) == 0)
                #expect(getsockname(server, generic, &length) == 0)
            }
            return withUnsafeBytes(of: &pointer.pointee.sun_path) { bytes in
                "@" + String(decoding: bytes[1..<Int(length) - 2], as: UTF8.self)
            }
        }
    }

    deinit { close(server) }

    /// The messages since the last call.
    func heard() -> [String] {
        var heard: [String] = []
        while true {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = recv(server, &bytes, 100, Int32(MSG_DONTWAIT))
            guard count > 0 else { return heard }
            heard.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
    }
}
