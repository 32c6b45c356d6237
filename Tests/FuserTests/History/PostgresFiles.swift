import BrokerSession
import Bytes
import Foundation
import Store
import Support

@testable import Fuser

extension ExportingFuser {
    /// Writes rows of all kinds about an item, each with a name.
    func write(of item: String, named name: String) {
        let value = "{\"id\": \"m\", \"name\": \"\(name)\"}"
        memory.state.commitBatch(at: Self.time(1)) { batch in
            for second in 1...9 {
                let at = Self.time(Double(second))
                batch.append(EventDraft(at: at, kind: "moved", payload: Array("\(item)\n\(value)".utf8)))
                batch.set(.visit(VisitRecord(item: item, room: name, from: at, to: at, confidence: 1)))
                batch.set(.telemetry(TelemetryRecord(item: item, at: at, payload: Array(value.utf8))))
            }
        }
        var row = AuditRecord(
            number: 0, at: Self.time(1), user: "anna", role: "admin", peer: "desk", method: "MQTT",
            path: "items/\(item)/config", status: 200)
        (row.action, row.subject, row.after) = ("item", item, value)
        memory.record([row], at: Self.time(1))
    }
}

extension PostgresServer {
    /// The files of its tables that have a text, once the server has written what waits.
    func files(with text: String) throws -> [String] {
        try execute("CHECKPOINT")
        let base = folder + "/data/base"
        return try FileManager.default.subpathsOfDirectory(atPath: base).filter { path in
            FileManager.default.contents(atPath: "\(base)/\(path)")?.range(of: Data(text.utf8)) != nil
        }
    }
}
