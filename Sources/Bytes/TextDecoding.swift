/// The encoding of a file that a person or a spreadsheet wrote.
///
/// Accepts UTF-8 with or without a byte order mark, and UTF-16 of either byte order with one (The Unicode Standard,
/// section 23.8). A fault names any other encoding and its remedy.
public enum TextDecoding {
    /// A reason why the bytes of a file are not text.
    public struct Fault: Error, Hashable, Sendable {
        /// The encoding or the kind of file that was detected, and the remedy.
        public var message: String
        /// The line, counted from 1, of the fault.
        public var line: Int
        /// The character of the line, counted from 1, of the fault.
        public var column: Int
    }

    /// The same text in UTF-8 without a byte order mark. Text that needs no change is not copied.
    public static func utf8(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        if let kind = binaryKind(bytes) { throw Fault(message: kind, line: 1, column: 1) }
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return try utf16(bytes, isBigEndian: false)
        case (0xFE, 0xFF): return try utf16(bytes, isBigEndian: true)
        default: break
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if let zero = text.firstIndex(of: 0) { throw zeroFault(text, at: zero) }
        if let offset = firstInvalid(in: text) { throw invalidFault(text, at: offset) }
        return text
    }

    /// The first byte, counted from 0, that is not UTF-8; nil if there is none.
    public static func firstInvalid(in bytes: [UInt8]) -> Int? {
        var offset = 0
        let span = bytes.span
        while offset < span.count {
            // Most of a file is ASCII, which needs no parser.
            if span[offset] < 0x80 {
                offset += 1
                continue
            }
            var end = offset
            while end < span.count, span[end] >= 0x80 { end += 1 }
            var parser = Unicode.UTF8.ForwardParser()
            var iterator = bytes[offset..<end].makeIterator()
            while offset < end {
                guard case .valid(let scalar) = parser.parseScalar(from: &iterator) else { return offset }
                offset += scalar.count
            }
        }
        return nil
    }

    private static let mend = "save it in UTF-8 (from a spreadsheet as CSV UTF-8)"

    /// The kinds of binary files that are often given in place of a text file, by their first bytes.
    private static func binaryKind(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            return "a spreadsheet or another ZIP archive (such as .xlsx or .ods) under a text file's name; \(mend)"
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            return "an old Office document (such as .xls) under a text file's name; \(mend)"
        }
        if bytes.starts(with: [0x1F, 0x8B]) { return "compressed by gzip; unpack it with gunzip" }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32 is not read; save it in UTF-8"
        }
        return nil
    }

    private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) throws(Fault) -> [UInt8] {
        let name = isBigEndian ? "UTF-16BE" : "UTF-16LE"
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for offset in stride(from: 2, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        var text: [UInt8] = []
        text.reserveCapacity(units.count)
        var parser = Unicode.UTF16.ForwardParser()
        var iterator = units.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF16.decode(encoded)
                guard scalar.value != 0 else { throw fault("a NUL character, which is not text", after: text[...]) }
                text.append(contentsOf: UTF8.encode(scalar)!)
            case .error: throw fault("\(name) by its mark, with half a character; \(mend)", after: text[...])
            case .emptyInput:
                guard bytes.count.isMultiple(of: 2) else {
                    throw fault("\(name) by its mark, cut off within a character; \(mend)", after: text[...])
                }
                return text
            }
        }
    }

    private static func zeroFault(_ bytes: [UInt8], at offset: Int) -> Fault {
        // In ASCII text encoded as UTF-16, every other byte is zero.
        let head = bytes.prefix(64)
        let isPair = offset < 2 && head.count { $0 == 0 } * 5 >= head.count * 2
        let order = offset == 0 ? "UTF-16BE" : "UTF-16LE"
        let message =
            isPair
            ? "\(order) without a byte order mark; \(mend)" : "a NUL byte, which is not text; is it the right file?"
        return fault(message, after: bytes[..<offset])
    }

    private static func invalidFault(_ bytes: [UInt8], at offset: Int) -> Fault {
        let byte = bytes[offset]
        // A byte of Latin-1 from 0xA0 on is its own code point; Windows-1252 has the same characters there.
        let meaning = byte >= 0xA0 ? ", '\(Unicode.Scalar(byte))' in Windows-1252 (Latin-1)" : ""
        let found = "byte 0x\(Hex.text(byte, digits: 2).uppercased())\(meaning)"
        return fault("not UTF-8: \(found); \(mend)", after: bytes[..<offset])
    }

    /// A fault after some valid text.
    private static func fault(_ message: String, after text: ArraySlice<UInt8>) -> Fault {
        var line = 1
        var start = text.startIndex
        for (index, byte) in zip(text.indices, text) {
            let isPair = byte == 0x0D && index + 1 < text.endIndex && text[index + 1] == 0x0A
            guard byte == 0x0A || byte == 0x0D, !isPair else { continue }
            line += 1
            start = index + 1
        }
        let column = String(decoding: text[start...], as: UTF8.self).unicodeScalars.count + 1
        return Fault(message: message, line: line, column: column)
    }
}
