/// Reads one JSON value (RFC 8259) from a span by pulling: the caller requests the element that it expects next.
///
/// Only requested values are built; keys of up to 15 bytes and numbers cost no allocation. Nesting is bounded by
/// `maximumDepth` (at most 63), `skip()` included. A reader that has thrown must not be used again.
///
///     var json = JSONReader(payload)
///     try json.beginObject()
///     while let key = try json.nextKey() {
///         switch key {
///         case "seq": seq = try json.integer(UInt64.self)
///         default: try json.skip()
///         }
///     }
///     try json.end()
public struct JSONReader: ~Escapable {
    @usableFromInline
    let bytes: Span<UInt8>
    /// The byte that is read next, counted from 0.
    public internal(set) var offset = 0
    private let maximumDepth: Int
    private var depth = 0
    /// Bit d: the container at depth d has delivered an element, so that a comma must come before the next.
    private var started: UInt64 = 0

    /// A reader at the start of `bytes`.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, maximumDepth: Int = 16) {
        self.bytes = bytes
        self.maximumDepth = min(maximumDepth, 63)
    }

    // MARK: Containers

    /// Enters an object.
    @_lifetime(self: copy self)
    public mutating func beginObject() throws(JSONFault) {
        try open(0x7B, .expectedObject)
    }

    /// The next key of the object that was entered last, or nil at its end, which is consumed.
    @_lifetime(self: copy self)
    public mutating func nextKey() throws(JSONFault) -> String? {
        guard try advance(closing: 0x7D) else { return nil }
        let key = try string()
        guard peek() == 0x3A else { throw fault(.expectedColon) }
        offset += 1
        return key
    }

    /// Enters an array.
    @_lifetime(self: copy self)
    public mutating func beginArray() throws(JSONFault) {
        try open(0x5B, .expectedArray)
    }

    /// Returns true if the array that was entered last has another element. The end of the array is consumed.
    @_lifetime(self: copy self)
    public mutating func nextElement() throws(JSONFault) -> Bool {
        try advance(closing: 0x5D)
    }

    /// Checks that only white space is left.
    @_lifetime(self: copy self)
    public mutating func end() throws(JSONFault) {
        if peek() != nil { throw fault(.trailingBytes) }
    }

    // MARK: Values

    /// A string, its escapes resolved; a lone surrogate is a fault.
    @_lifetime(self: copy self)
    public mutating func string() throws(JSONFault) -> String {
        guard peek() == 0x22 else { throw fault(.expectedString) }
        offset += 1
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x22 {
                defer { offset += 1 }
                return try text(start..<offset)
            }
            if byte == 0x5C { return try escapedString(from: start) }
            if byte < 0x20 { throw fault(.controlCharacter) }
            offset += 1
        }
        throw fault(.unexpectedEnd)
    }

    /// A number, which is finite.
    @_lifetime(self: copy self)
    public mutating func number() throws(JSONFault) -> Double {
        let range = try numberText()
        if let exact = smallDecimal(range) { return exact }
        guard let value = Double(try text(range)) else { throw JSONFault(.expectedNumber, at: range.lowerBound) }
        guard value.isFinite else { throw JSONFault(.outOfRange, at: range.lowerBound) }
        return value
    }

    // Inlinable: not specialized, a generic function takes five times as long.
    /// A number without fraction or exponent that fits `type`.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(JSONFault) -> Integer {
        let range = try numberText()
        var index = range.lowerBound
        let negative = bytes[index] == 0x2D
        if negative { index += 1 }
        var value: Integer = 0
        while index < range.upperBound {
            guard bytes[index] >= 0x30, bytes[index] <= 0x39 else {
                throw JSONFault(.expectedInteger, at: range.lowerBound)
            }
            let digit = Integer(bytes[index] - 0x30)
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                negative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            if overflow || carry { throw JSONFault(.outOfRange, at: range.lowerBound) }
            value = sum
            index += 1
        }
        return value
    }

    /// `true` or `false`.
    @_lifetime(self: copy self)
    public mutating func boolean() throws(JSONFault) -> Bool {
        if literal("true") { return true }
        if literal("false") { return false }
        throw fault(.expectedBoolean)
    }

    /// Consumes `null` if it is next. Returns true if it was.
    @_lifetime(self: copy self)
    public mutating func null() -> Bool {
        literal("null")
    }

    /// A Boolean value that is true if a string is next. Only white space is consumed.
    public var isString: Bool {
        @_lifetime(self: copy self)
        mutating get { peek() == 0x22 }
    }

    /// Reads past one value of any kind.
    @_lifetime(self: copy self)
    public mutating func skip() throws(JSONFault) {
        switch peek() {
        case 0x7B:
            try beginObject()
            while try nextKey() != nil { try skip() }
        case 0x5B:
            try beginArray()
            while try nextElement() { try skip() }
        case 0x22: _ = try string()
        case 0x74, 0x66: _ = try boolean()
        case 0x6E: if !null() { throw fault(.expectedValue) }
        case nil: throw fault(.unexpectedEnd)
        default: _ = try numberText()
        }
    }

    // MARK: Pieces

    func fault(_ reason: JSONFault.Reason) -> JSONFault {
        JSONFault(offset < bytes.count ? reason : .unexpectedEnd, at: offset)
    }

    /// The next byte that isn't white space, not consumed.
    @_lifetime(self: copy self)
    mutating func peek() -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return bytes[offset]
            }
        }
        return nil
    }

    @_lifetime(self: copy self)
    private mutating func open(_ bracket: UInt8, _ reason: JSONFault.Reason) throws(JSONFault) {
        guard peek() == bracket else { throw fault(reason) }
        guard depth < maximumDepth else { throw fault(.tooDeep) }
        offset += 1
        depth += 1
        started &= ~(1 << UInt64(depth))
    }

    @_lifetime(self: copy self)
    private mutating func advance(closing bracket: UInt8) throws(JSONFault) -> Bool {
        precondition(depth > 0, "nextKey or nextElement outside a container")
        let bit: UInt64 = 1 << UInt64(depth)
        if peek() == bracket {
            offset += 1
            depth -= 1
            return false
        }
        if started & bit != 0 {
            guard peek() == 0x2C else { throw fault(.expectedComma) }
            offset += 1
            if peek() == bracket { throw fault(.expectedValue) }
        }
        started |= bit
        return true
    }

    @_lifetime(self: copy self)
    private mutating func literal(_ word: String) -> Bool {
        _ = peek()
        guard offset + word.utf8.count <= bytes.count else { return false }
        var index = offset
        for byte in word.utf8 {
            if bytes[index] != byte { return false }
            index += 1
        }
        offset = index
        return true
    }

    func text(_ range: Range<Int>) throws(JSONFault) -> String {
        guard let text = bytes.extracting(range).text else { throw JSONFault(.notUTF8, at: range.lowerBound) }
        return text
    }
}
