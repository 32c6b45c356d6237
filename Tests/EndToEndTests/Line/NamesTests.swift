import Foundation
import Support
import Testing

extension Live {
    /// A broker whose name changes to another address.
    @Suite struct Names {
        /// True if a program may be given a table of hosts of its own.
        private static let canPretend: Bool = {
            guard let unshare = Execution.find("unshare"), let folder = try? TemporaryFolder(),
                let file = try? folder.write([], to: "hosts")
            else { return false }
            return (try? Execution.run(unshare, ["-m", "mount", "--bind", file, "/etc/hosts"]).status) == 0
        }()

        @Test(
            "Look a name up anew at each attempt",
            .enabled(if: canPretend, "a program's own /etc/hosts needs unshare and its right"))
        func moves() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let hosts = try deployment.folder.write(Array("127.0.0.1 localhost\n".utf8), to: "hosts")
            let file = try deployment.file("fuser.yaml", ["name: main"], url: "mqtt://broker.test:\(broker.port)")
            let errors = deployment.folder.file("errors")
            let process = try ChildProcess(
                Execution.find("unshare") ?? "",
                [
                    "-m", "sh", "-c", "mount --bind \(hosts) /etc/hosts && exec \"$@\"", "sh",
                    Execution.path(of: "whereabouts-fuser"), "--config", file,
                ], output: deployment.folder.file("output"), errors: errors)
            defer { process.send(SIGKILL) }
            func logged(_ words: String) -> Bool { readFile(errors)?.contains(words) == true }
            #expect(try await until(20) { logged("no connection to mqtt://broker.test") }, "\(readFile(errors) ?? "")")
            // Written in place: the file that is mounted stays the same one.
            try Data("127.0.0.1 localhost broker.test\n".utf8).write(to: URL(filePath: hosts))
            #expect(try await until(90) { logged("connected to mqtt://broker.test") }, "\(readFile(errors) ?? "")")
            process.terminate()
            #expect(try await until(10) { !process.isRunning })
        }
    }
}
