internal import Bytes

/// Reads the keys of an object in their order in the text. Unknown keys are skipped; a repeated key has its last value.
///
/// A visit reads as many keys as stand in the order of the description, so that an object is read in few visits. The
/// last visit, at the end of the object, reads nothing: it requires and checks.
struct WireReader: ~Escapable {
    /// The text, from the next value on.
    private(set) var json: JSONReader
    /// A Boolean value that is true if this visit has read a value.
    private(set) var hasRead = false
    /// The key whose value is next; nil at the end.
    private var key: String?
    private let isOneKey: Bool
    private var isComplete = false
    private var known: [String] = []
    private var unknown: [String] = []
    private var missing: PayloadFault?
    private var invalid: PayloadFault?

    /// The first fault among the values: a missing one before any that is out of range.
    var fault: PayloadFault? { missing ?? invalid }

    /// A reader at an object, or at the value of a single key.
    @_lifetime(copy json)
    init(_ json: JSONReader, key: String? = nil) {
        self.json = json
        self.key = key
        isOneKey = key != nil
    }

    /// Reads the object that is next, the whole text of the reader, by visits.
    @_lifetime(self: copy self)
    mutating func readObject(_ visit: (inout Self) throws(JSONFault) -> Void) throws(JSONFault) {
        try readKeys(visit)
        isComplete = true
        try visit(&self)
    }

    @_lifetime(self: copy self)
    private mutating func readKeys(_ visit: (inout Self) throws(JSONFault) -> Void) throws(JSONFault) {
        try json.beginObject()
        key = try json.nextKey()
        while key != nil {
            hasRead = false
            try visit(&self)
            if !hasRead {
                try json.skip()
                key = try json.nextKey()
            }
        }
    }

    /// Continues after the value of the current key.
    @_lifetime(self: copy self)
    private mutating func advance() throws(JSONFault) {
        hasRead = true
        key = isOneKey ? nil : try json.nextKey()
    }
}

extension WireReader: WireFields {
    @_lifetime(self: copy self)
    mutating func visitFields<Value>(
        _ key: String, _ value: inout Value,
        write: (Value, inout JSONWriter) -> Void, read: (inout JSONReader) throws(JSONFault) -> Value?
    ) throws(JSONFault) {
        guard key == self.key else { return }
        if let new = try read(&json) {
            value = new
            known.append(key)
        } else {
            known.removeAll { $0 == key }
            unknown.append(key)
        }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func object(_ key: String, _ body: (inout Self) throws(JSONFault) -> Void) throws(JSONFault) {
        if isComplete { return try body(&self) }
        guard key == self.key else { return }
        try readKeys(body)
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func written(_ write: (inout JSONWriter) -> Void) {}

    @_lifetime(self: copy self)
    mutating func require(_ key: String, unknown fault: (String) -> PayloadFault) {
        guard missing == nil, isMissing(key) else { return }
        missing = unknown.contains(key) ? fault(key) : .missing(key)
    }

    @_lifetime(self: copy self)
    mutating func check(_ key: String, _ isValid: @autoclosure () -> Bool) {
        if isComplete, invalid == nil, !isValid() { invalid = .outOfRange(key) }
    }

    func isMissing(_ key: String) -> Bool { isComplete && !known.contains(key) }
}
