import Foundation
import Support
import Testing

/// A manifest that names a folder which isn't there can't be loaded, and so nothing of it be built.
@Suite struct ImageTests {
    @Test("The container's build has each folder that the manifest names")
    func folders() throws {
        func lines(_ path: String) throws -> [Substring] {
            try String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8).split(separator: "\n")
        }
        let manifest = try lines("Package.swift").joined(separator: "\n")
        let folders = manifest.matches(of: /path: "([^"\\]+)/).map { String($0.output.1) }
        #expect(folders.contains { $0.hasPrefix("etc/") } && folders.contains { $0.hasPrefix("Tests/") })
        let copied = try lines("docker/Dockerfile").filter { $0.hasPrefix("COPY ") }.map { $0.split(separator: " ")[1] }
        let sent = try lines(".dockerignore").filter { $0.hasPrefix("!") }.map { $0.dropFirst() }
        let packed = try lines("docker/home-assistant/pack").filter { $0.hasPrefix("cp ") }
            .flatMap { $0.split(separator: " ") }
        for folder in folders {
            for (places, file) in [(copied, "docker/Dockerfile"), (sent, ".dockerignore"), (packed, "pack")] {
                #expect(places.contains { (folder + "/").hasPrefix($0 + "/") }, "\(file) lacks \(folder)")
            }
        }
    }
}
