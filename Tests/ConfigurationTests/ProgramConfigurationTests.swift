import Configuration
import Support
import Testing

@Suite struct ProgramConfigurationTests {
    private static func faults(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = try folder.write("program.yaml", text)
        do {
            _ = try ProgramConfiguration.load(path: path, environment: [:])
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }

    @Test("Read a file with an agent's keys as an agent's, however many faults it has")
    func agent() throws {
        let faults = try Self.faults("node: n\nsource: nowhere\nwindow: x\nitems: none.yaml\nmqtt: {url: 'mqtt://h'}\n")
        #expect(faults.count >= 2 && !faults.contains { $0.contains("unknown key") }, "\(faults)")
    }

    @Test("Read a file with a fuser's keys as a fuser's, however many faults it has")
    func fuser() throws {
        let faults = try Self.faults(
            "name: f\nrooms: [{id: A}, {id: B}, {id: C}]\nnodes: 3\npersons: 4\nmqtt: {url: 'mqtt://h'}\n")
        #expect(faults.count >= 2 && !faults.contains { $0.contains("unknown key") }, "\(faults)")
    }
}
