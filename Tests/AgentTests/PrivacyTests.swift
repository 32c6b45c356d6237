import Bytes
import Foundation
import Support
import System
import Testing

@testable import Agent

/// Claims of docs/privacy.md about a gateway: each title is a line of that page.
@Suite struct PrivacyTests {
    @Test("With `--record FILE` a gateway keeps at most 64 MiB of all that it hears, in `FILE` and `FILE.1`.")
    func recording() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("kitchen.btsnoop")
        let recorder = try EventRecorder(to: path, log: Log(level: .error, style: .plain, descriptor: 2))
        let event = [UInt8](repeating: 0x3E, count: 60_000)
        for index in 0..<2000 { recorder.record(event.span, at: Timestamp(microseconds: Int64(index))) }
        let sizes = try ["", ".1"].map { end in
            try FileManager.default.attributesOfItem(atPath: path + end)[.size] as? Int ?? 0
        }
        let half = 32 << 20
        #expect(sizes[0] <= half && sizes[1] <= half && sizes[1] > half - 100_000, "\(sizes)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
}
