import Foundation

/// A way to corrupt a payload. The result need not be invalid: a key may be one that nobody reads.
public struct HostilePayload: Sendable, CustomStringConvertible {
    /// A description of the change.
    public let description: String
    /// True if no reader of JSON objects accepts it, whatever it was before.
    public let isNoObject: Bool
    private let spoil: @Sendable (Fields, _ key: Int) -> [UInt8]

    /// The corrupted payload; a way that concerns one key uses that of this number.
    public func payload(of honest: [UInt8], key: Int) -> [UInt8] { spoil(Fields(honest), key) }

    /// Keys that a payload has; at least 1.
    public static func keys(of honest: [UInt8]) -> Int { max(1, Fields(honest).all.count) }

    /// Numbers at the ends of what types hold, and next to nothing. The difference of the first two overflows.
    private static let extremeNumbers = ["9223372036854775807", "-1", "9007199254740992", "1e-300"]

    /// The payload with one of its numbers, nested ones included, replaced by each extreme in turn; a list per number.
    public static func extremes(of honest: [UInt8]) -> [[[UInt8]]] {
        numbers(in: honest).map { range in
            extremeNumbers.map { number in
                var payload = honest
                payload.replaceSubrange(range, with: Array(number.utf8))
                return payload
            }
        }
    }

    /// The places of the numbers in JSON, which stand outside of strings.
    private static func numbers(in json: [UInt8]) -> [Range<Int>] {
        var numbers: [Range<Int>] = []
        var place = 0
        while place < json.count {
            let begin = place
            switch json[place] {
            case UInt8(ascii: "\""):
                place += 1
                while place < json.count, json[place] != UInt8(ascii: "\"") {
                    place += json[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                place += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while place < json.count, !",]}".utf8.contains(json[place]) { place += 1 }
                numbers.append(begin..<place)
            default: place += 1
            }
        }
        return numbers
    }

    /// All ways.
    public static let all = shapes + waysOfKeys
    /// The ways that concern one key.
    private static let waysOfKeys =
        values.map { name, json in
            HostilePayload("\(name) as a value") { fields, key in fields.replacing(key, json) }
        } + keys

    /// Each way with each corrupted payload that it makes: one of the whole payload, or one for each of its keys.
    public static func payloads(of honest: [UInt8]) -> [(kind: HostilePayload, payload: [UInt8])] {
        let fields = Fields(honest)
        var payloads: [(kind: HostilePayload, payload: [UInt8])] = shapes.map { ($0, $0.spoil(fields, 0)) }
        for way in waysOfKeys {
            for key in 0..<max(1, fields.all.count) { payloads.append((way, way.spoil(fields, key))) }
        }
        return payloads
    }

    init(_ name: String, isNoObject: Bool = false, _ spoil: @escaping @Sendable (Fields, Int) -> [UInt8]) {
        (description, self.isNoObject, self.spoil) = (name, isNoObject, spoil)
    }

    init(_ name: String, bytes: [UInt8]) { self.init(name, isNoObject: true) { _, _ in bytes } }
    init(_ name: String, text: String) { self.init(name, bytes: Array(text.utf8)) }

    private static let shapes: [HostilePayload] = [
        .init("a space", text: " "), .init("a word", text: "online?"), .init("null", text: "null"),
        .init("true", text: "true"), .init("a number", text: "-1e308"), .init("a string", text: "\"x\""),
        .init("bytes that are no UTF-8", bytes: [0xC3, 0x28, 0xFF, 0x00]),
        .init("a thousand zeros", bytes: [UInt8](repeating: 0, count: 1000)),
        .init("64 Ki brackets", text: String(repeating: "[", count: 65_536)),
        .init("a megabyte of letters", text: String(repeating: "a", count: 1_000_000)),
        .init("a list of it", isNoObject: true) { fields, _ in Array("[".utf8) + fields.bytes + Array("]".utf8) },
        .init("half of it", isNoObject: true) { fields, _ in Array(fields.bytes.prefix(fields.bytes.count / 2)) + [0x7B]
        },
        .init("all but its end", isNoObject: true) { fields, _ in fields.bytes.dropLast() },
        .init("it twice", isNoObject: true) { fields, _ in fields.bytes + fields.bytes },
        .init("a byte order mark before it", isNoObject: true) { fields, _ in [0xEF, 0xBB, 0xBF] + fields.bytes },
        .init("a zero behind it", isNoObject: true) { fields, _ in fields.bytes + [0] },
        .init("a comma too many", isNoObject: true) { fields, _ in fields.bytes.dropLast() + Array(",}".utf8) },
        .init("a comment in it", isNoObject: true) { fields, _ in Array("{/* */".utf8) + fields.bytes.dropFirst() },
        .init("an open string in it", isNoObject: true) { fields, _ in fields.bytes.dropLast() + Array(",\"x".utf8) },
        .init("an empty object") { _, _ in Array("{}".utf8) },
        .init("a key that nobody reads, of a megabyte") { fields, _ in
            fields.adding("more", "\"\(String(repeating: "b", count: 1_000_000))\"")
        },
        .init("a deep key that nobody reads") { fields, _ in
            fields.adding("more", String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5000))
        },
        .init("ten thousand keys that nobody reads") { fields, _ in
            fields.adding("more", "1" + (0..<10_000).map { ",\"k\($0)\":\($0)" }.joined())
        },
    ]

    private static let values: [(String, String)] = [
        ("null", "null"), ("true", "true"), ("the empty text", "\"\""), ("a text", "\"text\""),
        ("a number in a text", "\"412\""), ("a reserved word", "\"away\""), ("a path", "\"../../etc/passwd\""),
        ("wildcards", "\"+/#\""), ("a topic", "\"whereabouts/nodes/kitchen/command\""),
        ("a zero byte", "\"a\\u0000b\""),
        ("half a surrogate pair", "\"\\ud800\""), ("a line end", "\"a\\nb\""),
        ("letters of all kinds", "\"Küche 🛋️ كـ\""),
        ("a text of 5,000 letters", "\"\(String(repeating: "c", count: 5000))\""), ("minus one", "-1"), ("zero", "0"),
        ("a half", "0.5"), ("the largest number", "1e308"), ("the lowest number", "-1e308"),
        ("more than a number holds", "1e999"), ("next to nothing", "1e-320"), ("two to the 64", "18446744073709551616"),
        ("a number of 400 digits", String(repeating: "9", count: 400)), ("ten years from now", "2126000000.5"),
        ("milliseconds", "1795248000123"), ("the empty list", "[]"), ("a list", "[1,\"x\",null,[]]"),
        ("a thousand numbers", "[\((0..<1000).map { "\($0)" }.joined(separator: ","))]"),
        ("the empty object", "{}"), ("an object", "{\"mean\":\"x\",\"keys\":1}"),
        ("a number that is none", "NaN"), ("a number with a plus", "+1"), ("a number with a zero before it", "01"),
    ]

    private static let keys: [HostilePayload] = [
        .init("without a key") { fields, key in fields.replacing(key, nil) },
        .init("with a key twice") { fields, key in fields.doubling(key) },
        .init("with a key in capitals") { fields, key in fields.shouting(key) },
    ]
}

/// The top level of an object, key by key, as texts.
struct Fields {
    let all: [(key: String, json: String)]

    init(_ payload: [UInt8]) {
        let object = (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any] ?? [:]
        all = object.sorted { $0.key < $1.key }.map { key, value in
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            return (key, data.map { String(decoding: $0, as: UTF8.self) } ?? "null")
        }
    }

    private init(_ all: [(key: String, json: String)]) { self.all = all }

    var bytes: [UInt8] { Array("{\(all.map { "\"\($0.key)\":\($0.json)" }.joined(separator: ","))}".utf8) }

    func replacing(_ key: Int, _ json: String?) -> [UInt8] {
        var fields = all
        guard !fields.isEmpty else { return Array("{\"x\":\(json ?? "1")}".utf8) }
        let index = key % fields.count
        if let json { fields[index].json = json } else { fields.remove(at: index) }
        return Fields(fields).bytes
    }

    func doubling(_ key: Int) -> [UInt8] {
        all.isEmpty ? Array("{\"x\":1,\"x\":2}".utf8) : Fields(all + [all[key % all.count]]).bytes
    }

    func shouting(_ key: Int) -> [UInt8] {
        guard !all.isEmpty else { return Array("{\"X\":1}".utf8) }
        var fields = all
        fields[key % fields.count].key = fields[key % fields.count].key.uppercased()
        return Fields(fields).bytes
    }

    func adding(_ key: String, _ json: String) -> [UInt8] { Fields(all + [(key, json)]).bytes }
}
