import Foundation
import Glibc
import WireProtocol
import Support
import System
import Testing

extension Live {
    /// A fuser whose state cannot be stored, or is damaged: it continues, and reports that.
    @Suite struct FuserStates {
        /// A house that goes on beside a fuser, and a subscriber of its events.
        private final class Scene {
            var house = BusyHouse(seed: 4, origin: WallClock.now(), speed: 8)
            let recorder: Recorder
            var book = EventBook()

            init(_ broker: Broker) throws { recorder = try Recorder(broker, qos: .atLeastOnce) }

            var count: Int { book.events.values.reduce(0) { $0 + $1.count } }

            func live(_ seconds: Double, until condition: () throws -> Bool) async throws -> Bool {
                try await until(seconds) {
                    while house.due <= WallClock.now() { for message in house.tell() { recorder.publish(message) } }
                    recorder.poll()
                    try book.take(recorder)
                    return try condition()
                }
            }
        }

        @Test("Continue a fuser on a full disk in an epoch of its own, report it once, and write once there is room")
        func fullDisk() async throws {
            guard let disk = try Live.States.smallDisk() else {
                print("fullDisk: skipped, no file system can be mounted here")
                return
            }
            defer { _ = try? Execution.run(Execution.find("umount") ?? "umount", [disk.path]) }
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let file = try deployment.file("full.yaml", ["name: main", "state: \(disk.file("fuser.sqlite"))"])
            let scene = try Scene(broker)
            #expect(try await scene.recorder.ready())
            for message in scene.house.introductions() { scene.recorder.publish(message) }
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(try await scene.live(30) { scene.count >= 3 }, "\(fuser.errors)")
            let isFull = try await scene.live(30) {
                // Shortening the log makes room for some more writes.
                try disk.fillDisk()
                return fuser.logged("going on in memory") == 1
            }
            #expect(isFull, "\(fuser.errors)")
            #expect(try await scene.live(30) { scene.book.events.count == 2 }, "\(fuser.errors)")
            let before = scene.count
            #expect(try await scene.live(30) { scene.count >= before + 3 }, "\(fuser.errors)")
            #expect(fuser.logged("going on in memory") == 1 && fuser.logged("make room on the disk of") >= 1)
            disk.emptyDisk()
            #expect(try await scene.live(30) { fuser.logged("is written to the disk again") == 1 }, "\(fuser.errors)")
            let after = scene.count
            #expect(try await scene.live(30) { scene.count >= after + 3 })
            fuser.process.terminate()
            #expect(try await fuser.status(within: 10) == 0, "\(fuser.errors)")
            #expect(scene.book.faults == [] && scene.book.events.count == 2)
            for epoch in scene.book.events.keys { #expect(!scene.book.hasGap(epoch)) }
        }

        @Test("Set a corrupt state aside and report it, and determine present items without an arrival")
        func corrupt() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let file = try deployment.file("corrupt.yaml", ["name: main", "state: fuser.sqlite"])
            let scene = try Scene(broker)
            scene.house.isStill = true
            #expect(try await scene.recorder.ready())
            for message in scene.house.introductions() { scene.recorder.publish(message) }
            for life in 1...2 {
                let fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
                let start = scene.recorder.messages.count
                let isTold = try await scene.live(20) {
                    scene.recorder.messages[start...].contains { $0.topic == Topics().room("item-0") && !$0.retained }
                }
                #expect(isTold, "\(fuser.errors)")
                _ = try await scene.live(4) { false }
                #expect(fuser.logged("the state was corrupt and is set aside as") == life - 1, "\(fuser.errors)")
                #expect(fuser.isRunning)
                fuser.process.send(SIGKILL)
                _ = fuser.process.wait()
                for name in ["fuser.sqlite", "fuser.sqlite-wal"] {
                    let path = deployment.folder.file(name)
                    guard let bytes = try? Data(contentsOf: URL(filePath: path)), !bytes.isEmpty else { continue }
                    try Data(repeating: 0xA5, count: bytes.count).write(to: URL(filePath: path))
                }
            }
            let kinds = scene.book.events.values.flatMap { $0.values.map(\.event.kind) }
            #expect(!kinds.contains(.arrived) && !kinds.contains(.left))
        }
    }
}
