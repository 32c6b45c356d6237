internal import Bytes
internal import Web
internal import WireProtocol

/// The body of a request as a command of the fuser: its keys, and those of the path, are read as MQTT's are.
enum CommandBody {
    /// Reads the body of a call into a command of this name.
    ///
    /// - Parameters:
    ///   - keys: the keys that the body may have.
    ///   - fixed: keys with the values that the path, or the operation itself, gives them.
    static func action(
        _ name: String, _ call: Call, keys: Set<String>, fixed: [String: String] = [:], isStart: Bool = false
    ) throws(Problem) -> FuserCommand.Action {
        var json = JSONWriter()
        json.beginObject()
        json.field("action", name)
        if isStart { json.field("start", true) }
        for (key, value) in fixed.sorted(by: { $0.key < $1.key }) { json.field(key, value) }
        for (key, value) in try values(call.request.body.span, keys: keys).sorted(by: { $0.key < $1.key }) {
            switch value {
            case .text(let text): json.field(key, text)
            case .number(let number): json.field(key, number, decimals: 6)
            }
        }
        json.endObject()
        do throws(CommandRefusal) {
            return try FuserCommand(payload: json.bytes.span).action
        } catch {
            throw Problem(422, "\(error.fault)")
        }
    }

    private enum Value {
        case text(String)
        case number(Double)
    }

    /// The values of an object. A key that isn't known is refused, since its sender expects something of it.
    private static func values(_ body: Span<UInt8>, keys: Set<String>) throws(Problem) -> [String: Value] {
        var values: [String: Value] = [:]
        var unknown: String?
        do throws(JSONFault) {
            var reader = JSONReader(body)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                if !keys.contains(key) { unknown = unknown ?? key }
                if reader.null() { continue }
                values[key] = reader.isString ? .text(try reader.string()) : .number(try reader.number())
            }
            try reader.end()
        } catch {
            throw Problem(400, "The body is not the expected JSON: \(error).")
        }
        guard let unknown else { return values }
        let known = keys.sorted().joined(separator: ", ")
        throw Problem(422, "The body has an unknown key '\(unknown.prefix(40))'; known are \(known).")
    }
}
