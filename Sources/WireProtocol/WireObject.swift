internal import Bytes

/// A JSON object whose keys are described once, for writing and for reading.
protocol WireObject: WireValue {
    /// The value of an object without keys.
    static var blank: Self { get }
    /// Visits the keys in the order in which they are written.
    ///
    /// A writer visits once. A reader visits until it has read every key, then once more to find missing and invalid
    /// values.
    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault)
    /// Bounds and completes the values after reading; does nothing by default.
    mutating func normalize()
}

extension WireObject {
    mutating func normalize() {}

    func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Writes the object.
    func writeObject(to json: inout JSONWriter) {
        json.beginObject()
        writeFields(to: &json)
        json.endObject()
    }

    /// Writes the keys alone, into an object that is open.
    func writeFields(to json: inout JSONWriter) {
        var value = self
        // A writer has no fault.
        try? value.visitFields(&json)
    }

    /// Reads an object; nil if a required key is missing, or a value is out of range.
    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self? {
        let (value, fault) = try readObject(from: &json)
        return fault == nil ? value : nil
    }

    /// Reads a payload of at most `limit` bytes.
    init(payload: Span<UInt8>, limit: Int) throws(PayloadFault) {
        let (value, fault) = try readPayload(payload, limit: limit) { json throws(JSONFault) in
            try Self.readObject(from: &json)
        }
        if let fault { throw fault }
        self = value
    }

    /// Reads an object, and returns the first fault of its values beside it.
    @_lifetime(json: copy json)
    private static func readObject(from json: inout JSONReader) throws(JSONFault) -> (Self, PayloadFault?) {
        var value = blank
        var fields = WireReader(json)
        try fields.readObject { fields throws(JSONFault) in try value.visitFields(&fields) }
        value.normalize()
        json = fields.json
        return (value, fields.fault)
    }

    /// Reads the value of one key; returns false, with nothing consumed, if the key isn't part of the object.
    @_lifetime(json: copy json)
    mutating func read(_ key: String, from json: inout JSONReader) throws(JSONFault) -> Bool {
        var fields = WireReader(json, key: key)
        try visitFields(&fields)
        json = fields.json
        return fields.hasRead
    }
}
