internal import Bytes

/// Reads one YAML document into a tree, bounded and with every position.
///
/// The text is UTF-8, or UTF-16 with a byte order mark (``TextDecoding``). Rejected, each with its position: other
/// encodings, a second document, a key given twice, a key that isn't text, aliases and tags, more than `depthBound`
/// levels, `nodeBound` values or `sizeBound` bytes.
public struct YAMLReader {
    /// The most bytes of a file.
    public static let sizeBound = 4 << 20
    /// The most levels of lists and maps.
    public static let depthBound = 32
    /// The most values of a file.
    public static let nodeBound = 1_000_000

    private struct Stop: Error {
        var fault: ConfigurationFault?
    }

    private let file: String
    private let parser: YAMLParser
    private var faults: [ConfigurationFault] = []
    private var nodes = 0

    /// Reads `bytes`; `file` is the name in positions. Nil if reading can't continue; then there is a fault.
    public static func read(_ bytes: [UInt8], file: String) -> (root: YAMLNode?, faults: [ConfigurationFault]) {
        let start = ConfigurationPosition(file: file, line: 1, column: 1)
        guard bytes.count <= sizeBound else {
            return (nil, [ConfigurationFault(start, "the file has over 4 MiB; is it the right one?")])
        }
        let original = bytes
        let bytes: [UInt8]
        do throws(TextDecoding.Fault) {
            bytes = try TextDecoding.utf8(original)
        } catch {
            let place = ConfigurationPosition(file: file, line: error.line, column: error.column)
            return (nil, [ConfigurationFault(place, error.message)])
        }
        guard let parser = YAMLParser(bytes) else {
            return (nil, [ConfigurationFault(start, "no memory left to read this")])
        }
        var reader = YAMLReader(file: file, parser: parser)
        do {
            let root = try reader.readDocument()
            return (root, reader.faults)
        } catch let error as YAMLSyntaxError {
            return (nil, reader.faults + explainError(error, bytes, file))
        } catch let stop as Stop {
            return (nil, reader.faults + (stop.fault.map { [$0] } ?? []))
        } catch {
            return (nil, reader.faults + [ConfigurationFault(start, "\(error)")])
        }
    }

    private init(file: String, parser: YAMLParser) {
        self.file = file
        self.parser = parser
    }

    /// A tab is reported at its own position: libyaml often stops at a later character.
    private static func explainError(_ error: YAMLSyntaxError, _ bytes: [UInt8], _ file: String) -> [ConfigurationFault]
    {
        let tabs = TextPlaces.indentingTabs(bytes, file: file)
        if error.offset == nil, let first = tabs.first, first.line <= error.line {
            return tabs.map { ConfigurationFault($0, "a tab in the indentation; indent with spaces") }
        }
        let place =
            error.offset.map { TextPlaces.position(of: $0, in: bytes, file: file) }
            ?? ConfigurationPosition(file: file, line: error.line, column: error.column)
        return [ConfigurationFault(place, error.message)]
    }

    private func position(_ step: YAMLParser.Step) -> ConfigurationPosition {
        ConfigurationPosition(file: file, line: step.line, column: step.column)
    }

    private mutating func readDocument() throws -> YAMLNode {
        guard case .documentStart = try parser.next().event else {
            let start = ConfigurationPosition(file: file, line: 1, column: 1)
            throw Stop(fault: ConfigurationFault(start, "the file is empty"))
        }
        let root = try readNode(try parser.next(), depth: 1)
        _ = try parser.next()
        let after = try parser.next()
        if case .documentStart = after.event {
            faults.append(ConfigurationFault(position(after), "a second document begins here; a file holds one"))
        }
        return root
    }

    private mutating func readNode(_ step: YAMLParser.Step, depth: Int) throws -> YAMLNode {
        let position = position(step)
        nodes += 1
        guard nodes <= Self.nodeBound, depth <= Self.depthBound else {
            let bound = depth > Self.depthBound ? "32 levels of lists and maps" : "a million values"
            throw Stop(fault: ConfigurationFault(position, "more than \(bound); is it the right file?"))
        }
        if step.isTagged {
            faults.append(ConfigurationFault(position, "tags such as '!x' are not used here; leave it out"))
        }
        switch step.event {
        case .scalar(let text, let isPlain): return YAMLNode(.scalar(text, isPlain: isPlain), at: position)
        case .sequenceStart: return YAMLNode(.sequence(try readSequence(depth)), at: position)
        case .mappingStart: return YAMLNode(.mapping(try readMapping(depth)), at: position)
        case .alias:
            faults.append(ConfigurationFault(position, "aliases such as '*x' are not used here; write the value out"))
            return YAMLNode(.refused, at: position)
        case .sequenceEnd, .mappingEnd, .documentStart, .documentEnd, .streamEnd:
            throw Stop(fault: ConfigurationFault(position, "expected a value"))
        }
    }

    private mutating func readSequence(_ depth: Int) throws -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while true {
            let step = try parser.next()
            if case .sequenceEnd = step.event { return nodes }
            nodes.append(try readNode(step, depth: depth + 1))
        }
    }

    private mutating func readMapping(_ depth: Int) throws -> [YAMLPair] {
        var pairs: [YAMLPair] = []
        var lines: [String: Int] = [:]
        while true {
            let step = try parser.next()
            if case .mappingEnd = step.event { return pairs }
            let key = try readNode(step, depth: depth + 1)
            let value = try readNode(try parser.next(), depth: depth + 1)
            guard case .scalar(let text, _) = key.value else {
                if key.value != .refused { faults.append(ConfigurationFault(key.position, "a key must be plain text")) }
                continue
            }
            if let line = lines[text] {
                let name = Quoted.text(text)
                faults.append(ConfigurationFault(key.position, "\(name) is given twice, first in line \(line)"))
            } else {
                lines[text] = step.line
                pairs.append(YAMLPair(text, at: key.position, value))
            }
        }
    }
}
