public import Bytes
public import WireProtocol

/// An item or a person of a site that a search has found.
public struct FoundItem: Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Its name for people; nil if it has none.
    public var name: String?
    /// True for a person.
    public var isPerson: Bool
    /// The certainty of its presence.
    public var state: Location.State
    /// Its room; nil while it is away or unknown.
    public var room: String?
    /// The time since which this has been the answer; nil without an answer.
    public var since: Timestamp?
    /// The probability that the answer is right; nil without an answer.
    public var confidence: Double?

    /// Writes its object, with the site that it is of.
    public func write(of site: Site, to json: inout JSONWriter) {
        json.beginObject()
        json.field("site", site.id)
        json.field("site_name", site.name)
        json.field("page", site.page)
        json.field("id", id)
        json.field("name", name)
        json.field("person", isPerson)
        json.field("state", state.rawValue)
        json.field("room", room)
        json.field("since", since)
        json.field("confidence", confidence, decimals: 3)
        json.endObject()
    }
}

/// The words of a search: an item is found if each is in its id, its name or one of its tags. Case does not matter.
public struct SearchWords: Hashable, Sendable {
    /// The longest text that is searched for, in bytes.
    public static let bound = 100
    private let words: [[UInt8]]

    /// The words of a text; nil if it has none or is too long.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.bound else { return nil }
        words = Self.folded(text).split(separator: UInt8(ascii: " ")).map(Array.init)
        if words.isEmpty { return nil }
    }

    /// The form in which texts are compared.
    static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    func match(_ folded: [UInt8]) -> Bool { words.allSatisfy { folded.contains($0) } }
}
