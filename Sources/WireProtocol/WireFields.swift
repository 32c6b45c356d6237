internal import Bytes

/// The direction in which the keys of an object are visited: a `JSONWriter`, or a `WireReader`.
protocol WireFields: ~Escapable {
    /// The fault that ends a visit.
    associatedtype Fault: Error

    /// Visits a key in both directions. `read` returns nil for a value that is not known here, which changes nothing.
    @_lifetime(self: copy self)
    mutating func visitFields<Value>(
        _ key: String, _ value: inout Value,
        write: (Value, inout JSONWriter) -> Void, read: (inout JSONReader) throws(JSONFault) -> Value?
    ) throws(Fault)

    /// Visits the keys of a nested object, which is always written.
    @_lifetime(self: copy self)
    mutating func object(_ key: String, _ body: (inout Self) throws(Fault) -> Void) throws(Fault)

    /// Writes keys that are not read.
    @_lifetime(self: copy self)
    mutating func written(_ write: (inout JSONWriter) -> Void)

    /// Requires a key to have been read: `.missing` if it is absent, `unknown` if its value is not known here.
    @_lifetime(self: copy self)
    mutating func require(_ key: String, unknown: (String) -> PayloadFault)

    /// Requires a condition of a key's value after reading.
    @_lifetime(self: copy self)
    mutating func check(_ key: String, _ isValid: @autoclosure () -> Bool)

    /// Returns true after reading if a key had no value that is known here.
    func isMissing(_ key: String) -> Bool
}

extension WireFields where Self: ~Escapable {
    /// The version, which is not read.
    @_lifetime(self: copy self)
    mutating func version() {
        written { json in json.field("v", Window.version) }
    }

    /// A value that a reader requires.
    @_lifetime(self: copy self)
    mutating func required<Value: WireValue>(
        _ key: String, _ value: inout Value, unknown: (String) -> PayloadFault = PayloadFault.missing,
        where isValid: (Value) -> Bool = { _ in true }
    ) throws(Fault) {
        try field(key, &value, where: isValid)
        require(key, unknown: unknown)
    }

    /// A value that is always written, and that a reader leaves as it is if the key is absent.
    @_lifetime(self: copy self)
    mutating func field<Value: WireValue>(
        _ key: String, _ value: inout Value, where isValid: (Value) -> Bool = { _ in true }
    ) throws(Fault) {
        try visitFields(key, &value) {
            $1.write(key, $0)
        } read: { json throws(JSONFault) in
            try Value.read(from: &json)
        }
        check(key, isValid(value))
    }

    /// A value that is always written, and `fallback` if a reader misses it.
    @_lifetime(self: copy self)
    mutating func field<Value: WireValue>(_ key: String, _ value: inout Value, orElse fallback: Value) throws(Fault) {
        try field(key, &value)
        if isMissing(key) { value = fallback }
    }

    /// A value that is written unless it is the one of an absent key.
    @_lifetime(self: copy self)
    mutating func field<Value: WireValue & Equatable>(
        _ key: String, _ value: inout Value, unless absent: Value, where isValid: (Value) -> Bool = { _ in true }
    ) throws(Fault) {
        try visitFields(key, &value) {
            if $0 != absent { $1.write(key, $0) }
        } read: { json throws(JSONFault) in
            try Value.read(from: &json)
        }
        check(key, isValid(value))
    }

    /// A value that is written unless it is nil.
    @_lifetime(self: copy self)
    mutating func field<Value: WireValue>(
        _ key: String, _ value: inout Value?, where isValid: (Value) -> Bool = { _ in true }
    ) throws(Fault) {
        try visitFields(key, &value) {
            if let value = $0 { $1.write(key, value) }
        } read: { json throws(JSONFault) in
            .some(try Value.read(from: &json))
        }
        check(key, value.map(isValid) ?? true)
    }

    /// A number that is written with so many decimals. A reader takes one outside of `range` for a fault in the JSON.
    @_lifetime(self: copy self)
    mutating func number(
        _ key: String, _ value: inout Double, decimals: Int, in range: ClosedRange<Double>? = nil,
        where isValid: (Double) -> Bool = { _ in true }
    ) throws(Fault) {
        try visitFields(key, &value) {
            $1.field(key, $0, decimals: decimals)
        } read: { json throws(JSONFault) in
            try json.number(in: range)
        }
        check(key, isValid(value))
    }

    /// A number that is written unless it is nil.
    @_lifetime(self: copy self)
    mutating func number(
        _ key: String, _ value: inout Double?, decimals: Int, in range: ClosedRange<Double>? = nil,
        where isValid: (Double) -> Bool = { _ in true }
    ) throws(Fault) {
        try visitFields(key, &value) {
            $1.field(key, $0, decimals: decimals)
        } read: { json throws(JSONFault) in
            .some(try json.number(in: range))
        }
        check(key, value.map(isValid) ?? true)
    }
}

extension ClosedRange<Double> {
    /// A share or a probability.
    static var share: Self { 0...1 }
    /// A level in dBm, an `offset_db` included.
    static var level: Self { -200...100 }
    /// A duration in seconds: a lifetime at most.
    static var duration: Self { 0...4e9 }
}

/// The fault of a writer: none.
enum NoFault: Error {}

extension JSONWriter: WireFields {
    typealias Fault = NoFault

    mutating func visitFields<Value>(
        _ key: String, _ value: inout Value,
        write: (Value, inout JSONWriter) -> Void, read: (inout JSONReader) throws(JSONFault) -> Value?
    ) {
        write(value, &self)
    }

    mutating func object(_ key: String, _ body: (inout JSONWriter) throws(NoFault) -> Void) throws(NoFault) {
        beginObject(key)
        try body(&self)
        endObject()
    }

    mutating func written(_ write: (inout JSONWriter) -> Void) { write(&self) }
    mutating func require(_ key: String, unknown: (String) -> PayloadFault) {}
    mutating func check(_ key: String, _ isValid: @autoclosure () -> Bool) {}
    func isMissing(_ key: String) -> Bool { false }
}
