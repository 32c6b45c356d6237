internal import Identity
internal import System

/// Lines and columns of a text that isn't parsed.
enum TextPlaces {
    /// The most tabs that are reported.
    static let tabBound = 20

    /// The position of a byte; columns count characters of the valid text before it.
    static func position(of offset: Int, in bytes: [UInt8], file: String) -> ConfigurationPosition {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        return ConfigurationPosition(file: file, line: line, column: column)
    }

    /// The first tab in the indentation of each line with content.
    static func indentingTabs(_ bytes: [UInt8], file: String) -> [ConfigurationPosition] {
        var found: [ConfigurationPosition] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let indentation = line.prefix { $0 == 0x20 || $0 == 0x09 }
            guard let tab = indentation.firstIndex(of: 0x09), indentation.count < line.count else { continue }
            guard found.count < tabBound else { break }
            found.append(ConfigurationPosition(file: file, line: index + 1, column: tab - line.startIndex + 1))
        }
        return found
    }
}

/// Text from a file within a message.
enum Quoted {
    /// The text in single quotes, control characters escaped and keys left out, shortened to 60 characters in its middle.
    static func text(_ text: String) -> String { shortened(text, to: 60) }

    /// A path in single quotes, likewise, but shortened only beyond 400 characters: it must remain usable to find the
    /// file.
    static func path(_ path: String) -> String { shortened(path, to: 400) }

    /// The end is the longer part: it distinguishes names from each other.
    private static func shortened(_ text: String, to length: Int) -> String {
        let line = Log.escaped(KeyText.hidden(in: text))
        guard line.count > length else { return "'\(line)'" }
        return "'\(line.prefix(length / 3))…\(line.suffix(length - length / 3 - 1))'"
    }
}
