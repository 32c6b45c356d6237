internal import Bytes

/// A document that the broker retains, reduced to the parts that matter for the next one.
struct StandingDocument: Hashable, Sendable {
    /// The largest payload that is read, in bytes.
    static let bound = 262_144
    /// The longest name that is remembered, in bytes.
    static let nameBound = 256
    /// The most entities of a device that are remembered.
    static let capacity = 1024

    /// The digest that distinguishes payloads.
    var digest: UInt64
    /// The platforms of its entities, by key.
    var components: [String: String] = [:]
    /// The device's name for people; nil if it has none, or one over the bound.
    var name: String?
    /// The device's model.
    var model: String?

    /// A document to be published.
    init(_ document: DiscoveryDocument, digest: UInt64) {
        (self.digest, components, name, model) = (digest, document.platforms, document.name, document.model)
    }

    /// Reads a payload of any publisher; for an invalid one only the digest is known.
    init(_ payload: [UInt8]) {
        digest = Self.digest(payload)
        guard payload.count <= Self.bound else { return }
        var found = self
        var reader = JSONReader(payload.span)
        do throws(JSONFault) {
            try found.read(&reader)
            self = found
        } catch {
            // It can still be replaced, and cleared.
        }
    }

    /// The status topics of its publishers.
    @_lifetime(json: copy json)
    static func readAvailability(_ json: inout JSONReader) throws(JSONFault) -> [String] {
        var topics: [String] = []
        try json.beginObject()
        while let key = try json.nextKey() {
            guard key == "avty" else {
                try json.skip()
                continue
            }
            try json.beginArray()
            while try json.nextElement() {
                try json.beginObject()
                while let key = try json.nextKey() {
                    if key == "t" { topics.append(try json.string()) } else { try json.skip() }
                }
            }
        }
        return topics
    }

    /// FNV-1a of 64 bits.
    static func digest(_ payload: [UInt8]) -> UInt64 {
        payload.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @_lifetime(json: copy json)
    private mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "cmps", "components": try readComponents(&json)
            case "dev", "device": try readDevice(&json)
            default: try json.skip()
            }
        }
    }

    @_lifetime(json: copy json)
    private mutating func readDevice(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "name": name = try Self.short(json.string())
            case "mdl", "model": model = try Self.short(json.string())
            default: try json.skip()
            }
        }
    }

    @_lifetime(json: copy json)
    private mutating func readComponents(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let component = try json.nextKey() {
            var platform: String?
            try json.beginObject()
            while let key = try json.nextKey() {
                if key == "p" || key == "platform" { platform = try json.string() } else { try json.skip() }
            }
            guard let platform, components.count < Self.capacity, Self.isKey(component), Self.isKey(platform) else {
                continue
            }
            components[component] = platform
        }
    }

    private static func short(_ text: String) -> String? { text.utf8.count <= nameBound ? text : nil }

    /// True if a text is valid in a persisted row and in a document.
    static func isKey(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }
}
