/// The reason why a text is not the JSON (RFC 8259) that its reader expected, and its place.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    public enum Reason: String, Sendable {
        case unexpectedEnd = "ends too early"
        case expectedObject = "expected an object"
        case expectedArray = "expected an array"
        case expectedString = "expected a string"
        case expectedNumber = "expected a number"
        case expectedInteger = "expected a whole number"
        case expectedBoolean = "expected true or false"
        case expectedValue = "expected a value"
        case expectedColon = "expected ':'"
        case expectedComma = "expected ',' or the end of the list"
        case outOfRange = "number out of range"
        case badEscape = "bad escape in a string"
        case controlCharacter = "control character in a string"
        case notUTF8 = "not UTF-8"
        case tooDeep = "nested too deeply"
        case trailingBytes = "something follows the value"
    }

    /// The kind of fault.
    public var reason: Reason
    /// The byte, counted from 0, at which the fault was detected.
    public var offset: Int

    /// A fault at a byte of the text.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// A text such as `expected a number at byte 17`.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
