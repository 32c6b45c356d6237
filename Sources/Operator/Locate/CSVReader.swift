internal import Bytes

/// Reads comma-separated values (RFC 4180) from a span, a row at a time.
///
/// The first row names the columns, in any order. Quotes are supported, and line ends with or without carriage return;
/// a byte order mark and empty lines are passed over.
struct CSVReader: ~Escapable {
    private let bytes: Span<UInt8>
    private let file: String
    private let names: [String]
    /// For each field of a row the column that was asked for, or -1.
    private var columns: [Int] = []
    private var offset = 0
    private var nextLine = 1
    /// The line, counted from 1, on which the last row began.
    private(set) var line = 1
    /// The fields of the last row, in the order of the columns asked for; those that may be absent come last.
    private(set) var fields: [String]
    /// Columns of the first row that nobody asked for.
    private(set) var strangers: [String] = []
    /// Whether a row could not be told from the next one, so that reading can't go on after the fault.
    private(set) var isBroken = false

    /// A reader of the columns of those names; a fault where the first row lacks one of them.
    ///
    /// Columns in `optional` may be absent, and are empty then.
    @_lifetime(copy bytes)
    init(
        _ bytes: Span<UInt8>, file: String, columns required: [String], optional: [String] = []
    ) throws(InputFault) {
        let names = required + optional
        self.bytes = bytes
        self.file = file
        self.names = names
        fields = [String](repeating: "", count: names.count)
        if bytes.hasBytes([0xEF, 0xBB, 0xBF], at: 0) { offset = 3 }
        var header: [String] = []
        passEmptyLines()
        line = nextLine
        guard offset < bytes.count else {
            throw InputFault(file: file, line: nil, message: "empty; expected the columns \(Self.list(required))")
        }
        while true {
            let (name, more) = try field()
            header.append(name)
            if !more { break }
        }
        for name in header { columns.append(names.firstIndex(of: name) ?? -1) }
        strangers = header.filter { !names.contains($0) }
        let missing = required.filter { !header.contains($0) }
        guard missing.isEmpty else {
            throw InputFault(file: file, line: line, message: "no column \(Self.list(missing))")
        }
    }

    /// Reads the next row into `fields`; false at the end of the file.
    @_lifetime(self: copy self)
    mutating func next() throws(InputFault) -> Bool {
        passEmptyLines()
        guard offset < bytes.count else { return false }
        line = nextLine
        isBroken = true
        var index = 0
        while true {
            let (text, more) = try field()
            if index < columns.count, columns[index] >= 0 { fields[columns[index]] = text }
            index += 1
            if !more { break }
        }
        isBroken = false
        guard index == columns.count else {
            throw fault("\(index) fields, where the first row has \(columns.count)")
        }
        return true
    }

    /// A column of the last row as a number that is finite.
    func number(_ column: Int) throws(InputFault) -> Double {
        guard let value = Double(fields[column]), value.isFinite else {
            throw fault("\(names[column]): '\(fields[column].prefix(40))' is not a number")
        }
        return value
    }

    /// A fault of the last row.
    func fault(_ message: String) -> InputFault {
        InputFault(file: file, line: line, message: message)
    }

    @_lifetime(self: copy self)
    private mutating func passEmptyLines() {
        while let byte = bytes.byte(at: offset), byte == 0x0A || byte == 0x0D {
            offset += 1
            if byte == 0x0A { nextLine += 1 }
        }
    }

    /// A field, and whether another one follows on the row; consumes what ends it.
    @_lifetime(self: copy self)
    private mutating func field() throws(InputFault) -> (text: String, more: Bool) {
        if bytes.byte(at: offset) == 0x22 { return try quotedField() }
        let start = offset
        while let byte = bytes.byte(at: offset), byte != 0x2C, byte != 0x0A {
            if byte == 0x22 { throw fault("a quote inside a field that doesn't begin with one") }
            offset += 1
        }
        var end = offset
        if bytes.byte(at: offset) != 0x2C, end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return (try text([UInt8](copying: bytes.extracting(start..<end))), endField())
    }

    @_lifetime(self: copy self)
    private mutating func quotedField() throws(InputFault) -> (text: String, more: Bool) {
        var plain: [UInt8] = []
        offset += 1
        while let byte = bytes.byte(at: offset) {
            offset += 1
            if byte != 0x22 {
                if byte == 0x0A { nextLine += 1 }
                plain.append(byte)
            } else if bytes.byte(at: offset) == 0x22 {
                offset += 1
                plain.append(byte)
            } else {
                if bytes.byte(at: offset) == 0x0D, bytes.byte(at: offset + 1) ?? 0x0A == 0x0A { offset += 1 }
                guard let next = bytes.byte(at: offset) else { break }
                guard next == 0x2C || next == 0x0A else { throw fault("text follows a closing quote") }
                break
            }
            if offset >= bytes.count { throw fault("a quote is not closed") }
        }
        return (try text(plain), endField())
    }

    @_lifetime(self: copy self)
    private mutating func endField() -> Bool {
        guard let byte = bytes.byte(at: offset) else { return false }
        offset += 1
        if byte == 0x0A { nextLine += 1 }
        return byte == 0x2C
    }

    private func text(_ bytes: [UInt8]) throws(InputFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("not UTF-8") }
        return text
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
