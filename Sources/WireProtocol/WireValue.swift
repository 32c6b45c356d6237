internal import Bytes

/// A value of a key or of a list, in both directions.
protocol WireValue {
    /// Writes the value.
    func write(to json: inout JSONWriter)
    /// Reads a value; nil for one that is well formed but not known here, such as the state of a later version.
    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self?
}

extension String: WireValue {
    func write(to json: inout JSONWriter) { json.value(self) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> String? { try json.string() }
}

extension Bool: WireValue {
    func write(to json: inout JSONWriter) { json.value(self) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Bool? { try json.boolean() }
}

extension WireValue where Self: FixedWidthInteger {
    func write(to json: inout JSONWriter) { json.value(self) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self? { try json.integer(Self.self) }
}

extension Int: WireValue {}
extension UInt64: WireValue {}

extension Timestamp: WireValue {
    func write(to json: inout JSONWriter) { json.value(self) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Timestamp? { try json.time() }
}

/// An enumeration by its names.
extension WireValue where Self: RawRepresentable<String> {
    func write(to json: inout JSONWriter) { json.value(rawValue) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self? { Self(rawValue: try json.string()) }
}

/// A list; elements that are not known here are left out.
extension Array: WireValue where Element: WireValue {
    func write(to json: inout JSONWriter) {
        json.beginArray()
        for element in self { element.write(to: &json) }
        json.endArray()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> [Element]? {
        var elements: [Element] = []
        try json.beginArray()
        while try json.nextElement() {
            if let element = try Element.read(from: &json) { elements.append(element) }
        }
        return elements
    }
}

extension JSONWriter {
    /// Writes a key and a value.
    mutating func write(_ name: String, _ value: some WireValue) {
        key(name)
        value.write(to: &self)
    }
}
