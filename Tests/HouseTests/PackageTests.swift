import Foundation
import Support
import Testing

/// A program that no package has can't be installed, and an image is made of packages.
@Suite struct PackageTests {
    func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8)
    }

    @Test("Each program of the manifest is built for packages and has its own")
    func programs() throws {
        let programs = try text("Package.swift").matches(of: /\.executable\(name: "([^"]+)"/).map { $0.output.1 }
        #expect(programs.count == 3)
        let built = try #require(try text("etc/packaging/prepare").firstMatch(of: /PROGRAMS=\(([^)]*)\)/)).output.1
        #expect(Set(built.split(separator: " ")) == Set(programs))
        let packages = try text("etc/packaging/debian/control")
            .matches(of: /(?m)^Package: (.+)$/).map { $0.output.1 }
        #expect(Set(packages) == Set(programs))
        for program in programs {
            #expect(try text("etc/packaging/debian/\(program).install").contains("programs/\(program) usr/bin\n"))
        }
    }

    @Test("The container's build is sent what it copies, and so is the add-on's")
    func image() throws {
        let copied = try text("docker/Dockerfile").matches(of: /(?m)^COPY (docker\/\S+)/).map { $0.output.1 }
        #expect(!copied.isEmpty)
        let sent = try text(".dockerignore")
        let packed = try text("docker/home-assistant/pack")
        for file in copied {
            #expect(sent.contains("!\(file)\n") && packed.contains("cp \(file) "), "\(file)")
        }
        #expect(try text("docker/Dockerfile").contains("ARG PACKAGES=.build/packaging/packages\n"))
        #expect(sent.contains("!.build/packaging/packages/"))
    }
}
