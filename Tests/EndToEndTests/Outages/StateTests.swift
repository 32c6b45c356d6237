import Bytes
import Foundation
import Glibc
import WireProtocol
import Support
import Testing

extension Live {
    /// A node whose state cannot be stored, or is damaged: it continues, and reports that.
    @Suite struct States {
        /// The events of a node, epoch by epoch in the order of their first events, without gaps.
        private func told(_ books: Bookkeeper) -> [NodeEvent] {
            let epochs = books.events.values.map { epoch in epoch.sorted { $0.key < $1.key }.map(\.value) }
            for epoch in epochs { #expect(epoch.last?.seq == UInt64(epoch.count)) }
            return epochs.sorted { ($0.first?.at.microseconds ?? 0) < ($1.first?.at.microseconds ?? 0) }.flatMap(\.self)
        }

        /// A folder on a file system of eight megabytes; nil if none can be mounted.
        static func smallDisk() throws -> TemporaryFolder? {
            let folder = try TemporaryFolder()
            guard getuid() == 0, let mount = Execution.find("mount"),
                try Execution.run(mount, ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder.path]).status == 0
            else { return nil }
            return folder
        }

        @Test(
            "Continue a node on a full disk in an epoch of its own, report it, and write once there is room again"
        )
        func fullDisk() async throws {
            guard let disk = try Self.smallDisk() else {
                print("fullDisk: skipped, no file system can be mounted here")
                return
            }
            defer { _ = try? Execution.run(Execution.find("umount") ?? "umount", [disk.path]) }
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let pipe = try PacketPipe(deployment.folder.file("hci"))
            let file = try HallNode.configure(deployment, pipe, state: disk.file("kitchen.sqlite"))
            let books = try Bookkeeper(broker, node: "kitchen")
            #expect(try await books.recorder.ready())
            var hall = BusyHall(seed: 5)
            var encoder = HallEncoder()
            let agent = try RunningProgram("whereabouts-agent", ["--config", file])
            var heard: [BusyHall.Packet] = []
            /// Sends a minute of packets, and waits for what `isTold` looks for.
            func minute(_ isTold: @escaping () throws -> Bool) async throws -> Bool {
                let packets = hall.hear(microseconds: 60_000_000)
                heard += packets
                #expect(pipe.write(encoder.bytes(packets, hall.transmitters), while: { agent.isRunning }))
                return try await until(20) {
                    _ = try books.step()
                    return try isTold()
                }
            }
            #expect(try await minute { books.events.count == 1 }, "\(agent.errors)")
            // The log on the disk still has room for some writes, and shortening it makes more.
            var isFull = false
            for _ in 0..<10 where !isFull {
                isFull = try await minute {
                    try disk.fillDisk()
                    return agent.logged("going on in memory") == 1
                }
            }
            #expect(isFull, "\(agent.errors)")
            disk.emptyDisk()
            #expect(try await minute { agent.logged("is written to the disk again") == 1 }, "\(agent.errors)")
            pipe.end()
            #expect(try await agent.status(within: 20) == 0, "\(agent.errors)")
            #expect(
                try await until(10) {
                    try books.step() && books.recorder.text("whereabouts/nodes/kitchen/status") == "offline"
                })
            #expect(books.faults == [] && books.events.count == 2)
            #expect(agent.logged("make room on the disk of") >= 1, "\(agent.errors)")
            var node = PureNode(HallNode.registry, at: heard[0].time)
            node.hear(heard, hall.transmitters)
            #expect(told(books).map(\.line) == node.events.map(\.line))
        }

        @Test("Set a corrupt state aside, report it, and begin anew without arrivals")
        func corrupt() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let pipe = try PacketPipe(deployment.folder.file("hci"))
            let file = try HallNode.configure(deployment, pipe)
            let books = try Bookkeeper(broker, node: "kitchen")
            #expect(try await books.recorder.ready())
            var hall = BusyHall(seed: 6)
            var encoder = HallEncoder()
            var epochs: [String] = []
            for life in 1...2 {
                let agent = try RunningProgram("whereabouts-agent", ["--config", file])
                let packets = hall.hear(microseconds: 20_000_000)
                #expect(pipe.write(encoder.bytes(packets, hall.transmitters), while: { agent.isRunning }))
                #expect(
                    try await until(20) { try books.step() && books.events.count == life }, "\(agent.errors)")
                #expect(agent.logged("the state was corrupt and is set aside as") == life - 1, "\(agent.errors)")
                agent.process.send(SIGKILL)
                _ = agent.process.wait()
                epochs = Array(books.events.keys)
                for name in ["kitchen.sqlite", "kitchen.sqlite-wal"] {
                    let path = deployment.folder.file(name)
                    guard let bytes = try? Data(contentsOf: URL(filePath: path)), !bytes.isEmpty else { continue }
                    try Data(repeating: 0xA5, count: bytes.count).write(to: URL(filePath: path))
                }
            }
            #expect(epochs.count == 2 && books.faults == [])
            // An item that was there during the unknown time is determined.
            #expect(told(books).allSatisfy { $0.kind != .enter || $0.notBefore > told(books)[0].at })
            let aside = try FileManager.default.contentsOfDirectory(atPath: deployment.folder.path)
                .filter { $0.contains("kitchen.sqlite") && $0.contains("corrupt") }
            #expect(!aside.isEmpty)
        }
    }
}
