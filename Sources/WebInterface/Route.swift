internal import Configuration
internal import Web
internal import WireProtocol

/// One operation of the page's interface: its address, who may use it, what it needs, and what it does.
struct Route: Sendable {
    /// A level of a path: a word, or a name in braces of the description.
    enum Level: Hashable, Sendable {
        case word(String)
        case name(String)
    }

    /// The kind of a value, with its bounds.
    enum Kind: Hashable, Sendable {
        /// An id (`Identifier`).
        case id
        /// An id, or null.
        case idOrNull
        /// A text without control characters.
        case text
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case boolean
    }

    /// A parameter of the query.
    struct Parameter: Hashable, Sendable {
        let name: String
        let kind: Kind
        let meaning: String
    }

    /// The body that a request must have.
    struct Body: Hashable, Sendable {
        let meaning: String
        /// The keys of its object with their kinds; nil for a registry's entry, which WireProtocol reads.
        let keys: [String: Kind]?
        let required: [String]
        /// The content; nil for JSON of those keys, or of a registry's entry.
        var content: Content?

        /// The types that it may have.
        var types: [String] {
            switch content {
            case .picture: FloorPicture.allCases.map(\.rawValue).sorted()
            case .items: ImportResource.types
            case .plan, nil: ["application/json"]
            }
        }
    }

    /// A content of a body that is larger than others.
    enum Content: Hashable, Sendable {
        /// A plan of the house, as on its topic.
        case plan
        /// A picture.
        case picture
        /// A file of items.
        case items
    }

    let method: HTTPMethod
    let path: [Level]
    /// The least role; nil for what is open to everybody.
    let role: WebRole?
    let summary: String
    var parameters: [Parameter] = []
    var body: Body?
    /// The status of success, and the type of its content; nil for none.
    var success: (status: Int, type: String?) = (200, "application/json")
    /// The statuses of refusals beside those that every operation may have.
    var refusals: [Int] = []
    let run: @Sendable (Call) throws(Problem) -> HTTPAnswer

    /// The path as the description writes it, such as `/api/items/{id}`.
    var pattern: String {
        path.reduce(into: "") { text, level in
            switch level {
            case .word(let word): text += "/" + word
            case .name(let name): text += "/{\(name)}"
            }
        }
    }

    /// The values of the path's names; nil if a path is another.
    func match(_ segments: [String]) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var names: [String: String] = [:]
        for (level, segment) in zip(path, segments) {
            switch level {
            case .word(let word): guard word == segment else { return nil }
            case .name(let name): names[name] = segment
            }
        }
        return names
    }
}

extension Route.Level: ExpressibleByStringLiteral {
    /// A word, or a name if the text begins with a colon.
    init(stringLiteral text: String) {
        self = text.hasPrefix(":") ? .name(String(text.dropFirst())) : .word(text)
    }
}
