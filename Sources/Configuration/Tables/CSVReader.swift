internal import Bytes

/// Reads comma-separated values (RFC 4180) from a span, a row at a time.
///
/// The first row names the columns, in any order; capitals and the white space around a name do not count. Commas,
/// semicolons or tabs separate: the one that finds most of the requested columns (``CSVHeader``), or the one that a
/// first line `sep=;` names, as spreadsheets write it. Lines end in LF, CR LF or CR. Quotes are supported; white space
/// around a field is dropped unless it is quoted; a byte order mark and rows without any text are skipped.
package struct CSVReader: ~Escapable {
    private let bytes: Span<UInt8>
    private let file: String
    private let names: [String]
    /// The byte between two fields.
    package private(set) var separator = UInt8(ascii: ",")
    /// For each field of a row the requested column, or -1.
    private var columns: [Int] = []
    private var offset = 0
    private var nextLine = 1
    /// The line, counted from 1, on which the last row began.
    package private(set) var line = 1
    /// The fields of the last row, in the order of the requested columns; those that may be absent come last.
    package private(set) var fields: [String]
    /// Columns of the first row that were not requested.
    package private(set) var strangers: [String] = []
    /// True if the end of a row could not be found, so that reading cannot continue after the fault.
    package private(set) var isBroken = false

    /// A reader of the columns of those names; a fault if the first row lacks one of them or names one twice.
    ///
    /// Columns in `optional` may be absent, and are empty then.
    @_lifetime(copy bytes)
    package init(
        _ bytes: Span<UInt8>, file: String, columns required: [String], optional: [String] = []
    ) throws(InputFault) {
        let names = required + optional
        self.bytes = bytes
        self.file = file
        self.names = names
        fields = [String](repeating: "", count: names.count)
        if bytes.hasBytes([0xEF, 0xBB, 0xBF], at: 0) { offset = 3 }
        let declared = readSeparatorLine()
        passEmptyLines()
        line = nextLine
        guard offset < bytes.count else {
            let list = required.joined(separator: ", ")
            throw InputFault(file: file, line: nil, message: "empty; expected the columns \(list)")
        }
        let header = try readHeader(separators: declared.map { [$0] } ?? CSVHeader.separators)
        columns = header.columns
        strangers = header.strangers
        if let message = header.fault(required: required) { throw fault(message) }
    }

    /// Reads the next row into `fields`; false at the end of the file.
    @_lifetime(self: copy self)
    package mutating func next() throws(InputFault) -> Bool {
        while true {
            passEmptyLines()
            guard offset < bytes.count else { return false }
            line = nextLine
            isBroken = true
            let row = try readRow()
            isBroken = false
            // A spreadsheet pads its file with rows of separators alone.
            if row.allSatisfy(\.isEmpty) { continue }
            for (index, text) in row.enumerated() where index < columns.count && columns[index] >= 0 {
                fields[columns[index]] = text
            }
            guard row.count == columns.count else { throw countFault(row.count) }
            return true
        }
    }

    /// A column of the last row as a number that is finite.
    package func number(_ column: Int) throws(InputFault) -> Double {
        do throws(CSVNumber.Fault) {
            return try CSVNumber(fields[column], separator: separator).decimal()
        } catch {
            throw fault("\(names[column]): '\(fields[column].prefix(40))' \(error.sentence)")
        }
    }

    /// A fault of the last row.
    package func fault(_ message: String) -> InputFault {
        InputFault(file: file, line: line, message: message)
    }

    private func countFault(_ count: Int) -> InputFault {
        let words = "\(count) field\(count == 1 ? "" : "s"), where the first row has \(columns.count)"
        let isComma = separator == UInt8(ascii: ",") && count > columns.count
        return fault(words + (isComma ? "; a field with a comma in it needs quotes" : ""))
    }

    // MARK: The first row

    /// The separator that a line such as `sep=;` declares; consumes that line.
    @_lifetime(self: copy self)
    private mutating func readSeparatorLine() -> UInt8? {
        var place = offset
        let isQuoted = bytes.byte(at: place) == 0x22
        if isQuoted { place += 1 }
        guard bytes.hasBytes(Array("sep=".utf8), at: place) || bytes.hasBytes(Array("SEP=".utf8), at: place),
            let separator = bytes.byte(at: place + 4), !Self.endsLine(separator), separator != 0x22
        else { return nil }
        place += isQuoted && bytes.byte(at: place + 5) == 0x22 ? 6 : 5
        guard bytes.byte(at: place).map(Self.endsLine) ?? true else { return nil }
        offset = place
        return separator
    }

    /// The first row, read with the separator that finds most of the columns.
    @_lifetime(self: copy self)
    private mutating func readHeader(separators: [UInt8]) throws(InputFault) -> CSVHeader {
        let (start, startLine) = (offset, nextLine)
        var best: CSVHeader?
        var end = (offset: start, line: startLine)
        var firstFault: InputFault?
        for candidate in separators {
            (separator, offset, nextLine) = (candidate, start, startLine)
            do throws(InputFault) {
                let header = CSVHeader(try readRow(), separator: candidate, names: names)
                guard best.map({ header.isBetter(than: $0) }) ?? true else { continue }
                best = header
                end = (offset, nextLine)
            } catch {
                firstFault = firstFault ?? error
            }
        }
        guard let best else { throw firstFault ?? fault("the first row can't be read") }
        (separator, offset, nextLine) = (best.separator, end.offset, end.line)
        return best
    }

    // MARK: Fields

    @_lifetime(self: copy self)
    private mutating func readRow() throws(InputFault) -> [String] {
        var row: [String] = []
        while true {
            let (text, more) = try readField()
            row.append(text)
            if !more { return row }
        }
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Skips the end of a line at the offset.
    @_lifetime(self: copy self)
    private mutating func passLineEnd() {
        offset += bytes.hasBytes([0x0D, 0x0A], at: offset) ? 2 : 1
        nextLine += 1
    }

    @_lifetime(self: copy self)
    private mutating func passEmptyLines() {
        while let byte = bytes.byte(at: offset), Self.endsLine(byte) { passLineEnd() }
    }

    /// The bytes of white space at a place within a field: a space, a tab or a no-break space.
    private func whiteSpace(at place: Int) -> Int {
        guard let byte = bytes.byte(at: place), byte != separator else { return 0 }
        if byte == 0x20 || byte == 0x09 { return 1 }
        return bytes.hasBytes([0xC2, 0xA0], at: place) ? 2 : 0
    }

    @_lifetime(self: copy self)
    private mutating func passWhiteSpace() {
        while case let count = whiteSpace(at: offset), count > 0 { offset += count }
    }

    /// A field, and whether another one follows on the row; consumes its terminator.
    @_lifetime(self: copy self)
    private mutating func readField() throws(InputFault) -> (text: String, more: Bool) {
        passWhiteSpace()
        if bytes.byte(at: offset) == 0x22 { return try quotedField() }
        let start = offset
        var end = offset
        while let byte = bytes.byte(at: offset), byte != separator, !Self.endsLine(byte) {
            if byte == 0x22 { throw fault("a quote inside a field that doesn't begin with one") }
            let space = whiteSpace(at: offset)
            offset += max(1, space)
            if space == 0 { end = offset }
        }
        return (try decodeText([UInt8](copying: bytes.extracting(start..<end))), endField())
    }

    @_lifetime(self: copy self)
    private mutating func quotedField() throws(InputFault) -> (text: String, more: Bool) {
        var plain: [UInt8] = []
        offset += 1
        while true {
            guard let byte = bytes.byte(at: offset) else { throw fault("a quote is not closed") }
            offset += 1
            if byte != 0x22 {
                let isPair = byte == 0x0D && bytes.byte(at: offset) == 0x0A
                if Self.endsLine(byte), !isPair { nextLine += 1 }
                plain.append(byte)
            } else if bytes.byte(at: offset) == 0x22 {
                offset += 1
                plain.append(byte)
            } else {
                break
            }
        }
        passWhiteSpace()
        if let next = bytes.byte(at: offset), next != separator, !Self.endsLine(next) {
            throw fault("text follows a closing quote")
        }
        return (try decodeText(plain), endField())
    }

    @_lifetime(self: copy self)
    private mutating func endField() -> Bool {
        guard let byte = bytes.byte(at: offset) else { return false }
        if byte == separator {
            offset += 1
            return true
        }
        passLineEnd()
        return false
    }

    private func decodeText(_ bytes: [UInt8]) throws(InputFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("not UTF-8") }
        return text
    }
}
