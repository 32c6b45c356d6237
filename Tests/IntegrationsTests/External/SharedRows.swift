import Foundation
import Support

/// The rows of a file of vectors that lies beside the repository; none where it doesn't.
enum SharedRows {
    /// A file that is there and holds less than it did proves nothing.
    struct TooFew: Error {
        var rows: Int
        var file: String
    }

    /// - Parameter count: how many rows it has at least, where it is there.
    static func read(_ name: String, atLeast count: Int) throws -> [[String: Any]] {
        guard let path = SharedMaterial.path("vectors/\(name)") else { return [] }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let rows = try lines.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        guard rows.count >= count, rows.count == lines.count else { throw TooFew(rows: rows.count, file: path) }
        return rows
    }

    static func bytes(_ payload: Any) -> [UInt8] {
        ((try? JSONSerialization.data(withJSONObject: payload)).map { [UInt8]($0) }) ?? []
    }

    static func object(_ bytes: [UInt8]) -> NSDictionary? {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? NSDictionary
    }
}
