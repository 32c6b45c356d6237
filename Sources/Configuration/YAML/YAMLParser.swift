internal import CYAML
internal import Glibc

/// libyaml's event parser over bytes in memory (yaml_parser_parse).
@safe final class YAMLParser {
    /// One event, without libyaml's types.
    enum Event {
        case scalar(String, isPlain: Bool)
        case alias
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
        case documentStart, documentEnd
        case streamEnd
    }

    /// An event, with its beginning (counted from 1), and with true for `isTagged` if it carried a tag.
    struct Step {
        var event: Event
        var line: Int
        var column: Int
        var isTagged = false
    }

    // libyaml has pointers into its parser and to the text: neither may move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// A parser of `bytes`, which must be UTF-8; nil if there is no memory left.
    init?(_ bytes: [UInt8]) {
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        unsafe text = .allocate(capacity: bytes.count)
        _ = unsafe text.initialize(from: bytes)
        guard unsafe yaml_parser_initialize(parser) == 1 else { return nil }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// The next event; after an error or the end of the stream it must not be called again.
    func next() throws(YAMLSyntaxError) -> Step {
        while true {
            var event = unsafe yaml_event_t()
            guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw unsafe YAMLSyntaxError(parser.pointee) }
            defer { unsafe yaml_event_delete(&event) }
            guard let (kind, isTagged) = unsafe Self.read(event) else { continue }
            return unsafe Step(
                event: kind, line: event.start_mark.line + 1, column: event.start_mark.column + 1, isTagged: isTagged)
        }
    }

    private static func read(_ event: yaml_event_t) -> (Event, isTagged: Bool)? {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            return unsafe (.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), scalar.tag != nil)
        case YAML_ALIAS_EVENT: return (.alias, false)
        case YAML_SEQUENCE_START_EVENT: return unsafe (.sequenceStart, event.data.sequence_start.tag != nil)
        case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, false)
        case YAML_MAPPING_START_EVENT: return unsafe (.mappingStart, event.data.mapping_start.tag != nil)
        case YAML_MAPPING_END_EVENT: return (.mappingEnd, false)
        case YAML_DOCUMENT_START_EVENT: return (.documentStart, false)
        case YAML_DOCUMENT_END_EVENT: return (.documentEnd, false)
        case YAML_STREAM_END_EVENT: return (.streamEnd, false)
        default: return nil
        }
    }
}

/// The reason why libyaml stopped (yaml_parser_t's error fields), with its text rephrased.
struct YAMLSyntaxError: Error {
    var problem: String
    /// The line, counted from 1; that of the beginning of the construct, if that is more helpful.
    var line: Int
    var column: Int
    /// The byte, if libyaml provides only that.
    var offset: Int?

    init(_ parser: yaml_parser_t) {
        problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "no memory left"
        let opened = unsafe problem == "found unexpected end of stream" && parser.context != nil
        let mark = unsafe opened ? parser.context_mark : parser.problem_mark
        line = mark.line + 1
        column = mark.column + 1
        offset = unsafe parser.error == YAML_READER_ERROR ? Int(clamping: parser.problem_offset) : nil
    }

    /// The fault and its remedy.
    var message: String {
        // A search with `contains` would link the regular expressions' libraries, a megabyte for this one line.
        for (words, sentence) in Self.sentences where unsafe strstr(problem, words) != nil { return sentence }
        return "this is not YAML: \(problem)"
    }

    private static let sentences: [(String, String)] = [
        ("tab character", "a tab in the indentation; indent with spaces"),
        (
            "cannot start any token",
            "a value can't begin with this character; put the text in quotes, and indent with spaces"
        ),
        (
            "mapping values are not allowed",
            "a ':' can't stand here; check the indentation, or put text that holds ': ' in quotes"
        ),
        (
            "did not find expected key",
            "this line's indentation doesn't fit the lines above; align it with its neighbours"
        ),
        ("did not find expected '-' indicator", "expected '-' here, as in the list above, or less indentation"),
        ("could not find expected ':'", "expected ':' and a space after the key"),
        ("did not find expected ',' or ']'", "expected ',' or ']' in the list that was opened with '['"),
        ("did not find expected ',' or '}'", "expected ',' or '}' in the map that was opened with '{'"),
        ("found unexpected end of stream", "the quote that opens here isn't closed"),
        ("found unexpected document indicator", "the quote is still open where a document ends; close it"),
        ("block sequence entries are not allowed", "a list entry '-' can't stand here; put it on a line of its own"),
        ("mapping keys are not allowed", "a key can't stand here; put it on a line of its own"),
        ("did not find expected node content", "a value is missing here"),
        ("found unknown escape character", "unknown escape; within double quotes write a backslash as '\\\\'"),
        ("did not find expected hexdecimal number", "expected hexadecimal digits after the escape"),
        (
            "did not find expected alphabetic or numeric character",
            "text that begins with '*' or '&' must stand in quotes"
        ),
        ("undefined tag handle", "tags such as '!x' are not used here; leave it out, or put the text in quotes"),
        (
            "did not find expected <document start>",
            "something follows the end of the document; check the indentation of this line"
        ),
        ("control characters are not allowed", "a control character; remove it"),
        ("no memory left", "no memory left to read this"),
    ]
}
