internal import Bytes
internal import System

/// A fault of a file that a command reads.
public struct InputFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as it was named.
    public var file: String
    /// The line, counted from 1; nil for a fault of the whole file.
    public var line: Int?
    /// The description of the fault.
    public var message: String

    /// A fault of a line, or of the whole file.
    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// Such as `test.csv:17: 'abc' is not a number`.
    public var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}

extension InputFault {
    /// A larger file is a fault: recordings of months are smaller.
    static let bound = 2 << 30

    /// All of a text file in UTF-8 (``TextDecoding``), or the fault that it can't be read.
    package static func text(of path: String) throws(InputFault) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try WholeFile.read(path, bound: bound)
        } catch {
            throw InputFault(file: path, line: nil, message: error.reason)
        }
        do throws(TextDecoding.Fault) {
            return try TextDecoding.utf8(bytes)
        } catch {
            throw InputFault(file: path, line: error.line, message: error.message)
        }
    }
}
