/// Numbers (RFC 8259 section 6) and strings (section 7).
extension JSONReader {
    /// Consumes a number by the grammar, and returns the range of its text.
    @usableFromInline
    @_lifetime(self: copy self)
    mutating func numberText() throws(JSONFault) -> Range<Int> {
        guard peek() != nil else { throw fault(.unexpectedEnd) }
        let start = offset
        if bytes[offset] == 0x2D { offset += 1 }
        guard let first = bytes.byte(at: offset), isDigit(first) else { throw fault(.expectedNumber) }
        if first == 0x30 { offset += 1 } else { skipDigits() }
        if bytes.byte(at: offset) == 0x2E {
            offset += 1
            try requireDigits()
        }
        if let byte = bytes.byte(at: offset), byte | 0x20 == 0x65 {
            offset += 1
            if let sign = bytes.byte(at: offset), sign == 0x2B || sign == 0x2D { offset += 1 }
            try requireDigits()
        }
        return start..<offset
    }

    /// The exact value of a number of at most 15 digits without exponent; nil for others.
    ///
    /// Such a mantissa and power of ten are both exact in binary, so that their quotient is rounded once.
    func smallDecimal(_ range: Range<Int>) -> Double? {
        guard range.count <= 17 else { return nil }
        var mantissa: Int64 = 0
        var digits = 0
        var scale: Double = 1
        var fraction = false
        for index in range {
            switch bytes[index] {
            case 0x2D: continue
            case 0x2E: fraction = true
            case 0x30...0x39:
                mantissa = mantissa * 10 + Int64(bytes[index] - 0x30)
                digits += 1
                if fraction { scale *= 10 }
            default: return nil
            }
        }
        guard digits <= 15 else { return nil }
        let value = Double(mantissa) / scale
        return bytes[range.lowerBound] == 0x2D ? -value : value
    }

    /// The rest of a string that has a backslash, from its first byte on.
    @_lifetime(self: copy self)
    mutating func escapedString(from start: Int) throws(JSONFault) -> String {
        var plain = [UInt8](copying: bytes.extracting(start..<offset))
        while let byte = bytes.byte(at: offset) {
            switch byte {
            case 0x22:
                guard let text = String(validating: plain, as: UTF8.self) else { throw JSONFault(.notUTF8, at: start) }
                offset += 1
                return text
            case 0x5C:
                offset += 1
                try unescape(into: &plain)
            case 0..<0x20: throw fault(.controlCharacter)
            default:
                plain.append(byte)
                offset += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    @_lifetime(self: copy self)
    private mutating func unescape(into plain: inout [UInt8]) throws(JSONFault) {
        guard let letter = bytes.byte(at: offset) else { throw fault(.unexpectedEnd) }
        offset += 1
        switch letter {
        case 0x22, 0x5C, 0x2F: plain.append(letter)
        case 0x62: plain.append(0x08)
        case 0x66: plain.append(0x0C)
        case 0x6E: plain.append(0x0A)
        case 0x72: plain.append(0x0D)
        case 0x74: plain.append(0x09)
        case 0x75: plain.append(contentsOf: String(Character(try escapedScalar())).utf8)
        default: throw JSONFault(.badEscape, at: offset - 1)
        }
    }

    /// The character of a `\u` escape or of a pair of them (a surrogate pair).
    @_lifetime(self: copy self)
    private mutating func escapedScalar() throws(JSONFault) -> Unicode.Scalar {
        let start = offset
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, bytes.byte(at: offset) == 0x5C, bytes.byte(at: offset + 1) == 0x75 else {
            throw JSONFault(.badEscape, at: start)
        }
        offset += 2
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second) else { throw JSONFault(.badEscape, at: start) }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw JSONFault(.badEscape, at: start) }
        return scalar
    }

    @_lifetime(self: copy self)
    private mutating func codeUnit() throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = bytes.byte(at: offset) else { throw fault(.unexpectedEnd) }
            guard let digit = Hex.value(byte) else { throw fault(.badEscape) }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    @_lifetime(self: copy self)
    private mutating func skipDigits() {
        while let byte = bytes.byte(at: offset), isDigit(byte) { offset += 1 }
    }

    @_lifetime(self: copy self)
    private mutating func requireDigits() throws(JSONFault) {
        guard let byte = bytes.byte(at: offset), isDigit(byte) else { throw fault(.expectedNumber) }
        skipDigits()
    }
}
