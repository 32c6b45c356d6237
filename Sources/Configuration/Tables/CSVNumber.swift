/// A number as a spreadsheet of some country writes it.
///
/// A comma is read as the decimal mark if it can be nothing else: in a file that semicolons separate, or before any
/// number of digits but three. A thousands separator and scientific notation, which may have lost digits, are rejected.
struct CSVNumber {
    /// A reason for which a field is no number.
    struct Fault: Error {
        /// The fault, as a text that follows the field.
        var words: String
        /// The remedy; nil if that is plain.
        var mend: String?

        /// The fault and the remedy.
        var sentence: String { mend.map { "\(words); \($0)" } ?? words }
    }

    private let text: String
    private let separator: UInt8

    /// The field of a file with that separator.
    init(_ text: String, separator: UInt8) {
        // U+2212 is the minus sign of typeset text.
        self.text = String(text.map { $0 == "\u{2212}" ? "-" : $0 })
        self.separator = separator
    }

    /// A number that is finite. Scientific notation is no loss here: programs write their measurements so.
    func decimal() throws(Fault) -> Double {
        if let value = Double(text), value.isFinite { return value }
        let (whole, fraction) = try splitDigits()
        guard let fraction else { throw Fault(words: "is not a number") }
        if fraction.count == 3, separator != UInt8(ascii: ";") {
            throw Fault(words: "may be a fraction or thousands", mend: "write a point for the decimal mark")
        }
        guard let value = Double("\(whole).\(fraction)"), value.isFinite else {
            throw Fault(words: "is not a number")
        }
        return value
    }

    /// A whole number; a fraction of zeros, as `100,0`, is none.
    func integer() throws(Fault) -> Int {
        if let value = Int(text), text.first != "+" { return value }
        if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }), Double(Self.replacingComma(text)) != nil,
            text[..<mark].contains(where: \.isNumber)
        {
            throw Fault(words: "is in scientific notation", mend: "format the column as a number without decimals")
        }
        let (whole, fraction) = try splitDigits()
        guard let fraction, let value = Int(whole) else { throw Fault(words: "is not a whole number") }
        guard fraction.count != 3 else {
            throw Fault(words: "may be a fraction or thousands", mend: "write the number without separators")
        }
        guard fraction.allSatisfy({ $0 == "0" }) else { throw Fault(words: "is not a whole number") }
        return value
    }

    /// The digits before and after the only decimal mark; no fraction if there is no mark.
    private func splitDigits() throws(Fault) -> (whole: String, fraction: String?) {
        let isNumeric =
            text.contains(where: \.isNumber) && text.allSatisfy { "0123456789+-.,' \u{A0}\u{202F}".contains($0) }
        guard isNumeric else { throw Fault(words: "is not a number") }
        let marks = text.filter { !"0123456789+-".contains($0) }
        guard marks.count <= 1, marks.allSatisfy({ $0 == "," || $0 == "." }) else {
            throw Fault(words: "has separators between thousands", mend: "write the number without them")
        }
        let parts = Self.replacingComma(text).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return (text, nil) }
        guard !parts[0].isEmpty, !parts[1].isEmpty else { throw Fault(words: "is not a number") }
        return (parts[0], parts[1])
    }

    private static func replacingComma(_ text: String) -> String { String(text.map { $0 == "," ? "." : $0 }) }
}
