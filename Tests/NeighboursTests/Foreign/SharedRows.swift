import Foundation
import Support

/// The rows of a file of vectors that lies beside the repository; none where it doesn't.
enum SharedRows {
    static func read(_ name: String) -> [[String: Any]] {
        guard let path = SharedMaterial.path("vectors/\(name)"),
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    static func bytes(_ payload: Any) -> [UInt8] {
        ((try? JSONSerialization.data(withJSONObject: payload)).map { [UInt8]($0) }) ?? []
    }

    static func object(_ bytes: [UInt8]) -> NSDictionary? {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? NSDictionary
    }
}
